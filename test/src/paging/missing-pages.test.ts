import { NotFoundError } from 'restkin';
import { describe, expect, test } from 'vitest';
import { loadAgain, loadLinked } from '../../../src/paging/page.ts';
import { idsOf, readList, type Server } from '../../support/changing-list.ts';

const missing = new NotFoundError({ status: 404, method: 'GET', url: 'http://api.test/v1/things' });

describe('the error of a page', () => {
  const url = 'http://api.test/v1/things?page=';
  const failWith = (error: Error) => {
    const urls: string[] = [];
    const load = (requested: string) => {
      urls.push(requested);
      return Promise.reject(error);
    };
    return { urls, load };
  };

  test.each([
    ['a list without totals', `${url}3`, undefined],
    ['the first page', `${url}1`, 9],
  ])('that is missing is thrown for %s, and no other page is loaded', async (_what, requested, was) => {
    const { urls, load } = failWith(missing);
    await expect(loadLinked(load, requested, was)).rejects.toBe(missing);
    expect(urls).toEqual([requested]);
  });

  test('that is reloaded is thrown, unless the page is gone', async () => {
    const lost = new Error('lost');
    await expect(loadAgain(failWith(lost).load, `${url}2`)).rejects.toBe(lost);
    expect((await loadAgain(failWith(missing).load, `${url}2`)).items).toEqual([]);
  });
});

describe('where a page behind the last one is an error', () => {
  const serve = (list: () => readonly number[], onRequest: (page: number) => void): Server => ({
    ...{ size: 2, list },
    onRequest: (page) => {
      onRequest(page);
      if (page > Math.ceil(list().length / 2)) throw missing;
    },
  });
  const ids = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

  test.each([1, 4])(
    'a list that has become shorter ends without it (concurrency %i)',
    async (concurrency) => {
      let list = ids;
      const server = serve(
        () => list,
        (page) => {
          if (page === 5) list = ids.slice(3);
        },
      );
      expect(await idsOf(readList(server, { concurrency }))).toEqual(ids);
    },
  );

  test('a place continues on an earlier page', async () => {
    for (let gone = 0; gone < 9; gone++) {
      let list = ids;
      const server = serve(
        () => list,
        () => undefined,
      );
      const items = readList(server);
      for (let count = 0; count < 9; count++) await items.next();
      const { position = '' } = items;
      await items.return?.();
      list = ids.slice(gone);
      expect(await idsOf(readList(server, { from: position }))).toEqual([10]);
    }
  });

  test('a page that is gone when it is reloaded counts with the list as it is now', async () => {
    let list = ids.slice(0, 9);
    let isThirdRead = (): void => undefined;
    const third = new Promise<void>((resolve) => {
      isThirdRead = resolve;
    });
    let requestsOfThird = 0;
    const server: Server = {
      size: 2,
      list: () => list,
      // Pages 2 and 3 are on the way at once: a record is inserted between them, so page 3 is reloaded.
      onRequest: async (page) => {
        if (page === 2) await third;
        if (page !== 3) return;
        requestsOfThird++;
        if (requestsOfThird === 1) {
          setTimeout(() => {
            list = ids;
            isThirdRead();
          });
          return;
        }
        list = [8, 9, 10];
        throw missing;
      },
    };
    const items = readList(server, { concurrency: 2 });
    expect(await idsOf(items)).toEqual([1, 2, 3, 4, 8, 9, 10]);
    expect(items.drifts.map(({ after }) => after)).toEqual([10, 3]);
  });

  test('a list that has not become shorter fails', async () => {
    const server = serve(
      () => ids,
      (page) => {
        if (page === 4) throw missing;
      },
    );
    await expect(idsOf(readList(server))).rejects.toBe(missing);
  });
});

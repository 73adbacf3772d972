import fc from 'fast-check';
import { collection, defineApi, resource, TooManyRequestsError, ValidationError } from 'restkin';
import { createMock } from 'restkin/mocks';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { anyText, connect, thing, things } from '../support/conformance-round-trip.ts';
import { rejectionOf } from '../support/shop.ts';

afterEach(() => {
  vi.useRealTimers();
});

describe('the client reads what the mock sends', () => {
  test('§4.5 Link and X-Pagination-*, for any number of records', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: 20 }),
        fc.integer({ min: 1, max: 7 }),
        fc.boolean(),
        async (count, perPage, totals) => {
          const api = defineApi({
            ...things,
            collections: { things: collection('things', resource({}), { paging: { totals } }) },
          });
          const ids = Array.from({ length: count }, (_, index) => index + 1);
          const mock = createMock(api, { data: { things: ids.map((id) => ({ id })) } });
          const list = connect(mock).api(api).things.list({ perPage });
          const pages = Math.max(1, Math.ceil(count / perPage));
          let number = 0;
          for await (const page of list.pages()) {
            number += 1;
            const targets = [page.first, page.prev, page.next, page.last].map((url) =>
              url === undefined ? undefined : Number(new URL(url).searchParams.get('page')),
            );
            const [first, prev, next, last] = targets;
            expect([page.number, page.size]).toEqual([number, perPage]);
            expect(next).toBe(number < pages ? number + 1 : undefined);
            expect([first, prev]).toEqual(totals && number > 1 ? [1, number - 1] : [undefined, undefined]);
            expect(last ?? pages).toBe(pages);
            expect([page.totalCount, page.totalPages, last !== undefined && !totals]).toEqual(
              totals ? [count, count === 0 ? page.totalPages : pages, false] : [undefined, undefined, false],
            );
            expect(page.items.map(({ id }) => id)).toEqual(
              ids.slice((number - 1) * perPage, number * perPage),
            );
          }
          expect([number, mock.requests.length]).toEqual([pages, pages]);
        },
      ),
    );
  });

  test('§8 Retry-After in seconds and as a date', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-01T00:00:00Z') });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 61, max: 10_000_000 }), fc.boolean(), async (seconds, asDate) => {
        const mock = createMock(things);
        const value = asDate ? new Date(Date.now() + seconds * 1000).toUTCString() : String(seconds);
        mock.faults.next({ status: 429, headers: { 'retry-after': value } });
        const error = await rejectionOf(connect(mock).api(things).things.get('a'));
        expect(error).toBeInstanceOf(TooManyRequestsError);
        expect(error).toMatchObject({ retryAfterMs: seconds * 1000 });
      }),
    );
  });

  test('§2.3 error items of any field, code, message and reference', async () => {
    // Control characters and line separators of a server are taken out of what is logged, and are no part of a field name.
    const plain = anyText.filter((value) => value !== '' && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value));
    const item = fc.record(
      {
        field: fc.oneof(plain, fc.constantFrom('__proto__', 'constructor', 'a.0.b')),
        code: plain,
        message: plain,
        reference: plain.map((value) => `https://example.com/${encodeURIComponent(value)}`),
      },
      { requiredKeys: ['field', 'code'] },
    );
    await fc.assert(
      fc.asyncProperty(plain, fc.array(item, { minLength: 1 }), async (message, errors) => {
        const mock = createMock(things);
        mock.faults.next({ status: 400, body: JSON.stringify({ message, errors }) });
        const error = (await rejectionOf(connect(mock).api(things).things.get('a'))) as ValidationError;
        expect(error).toBeInstanceOf(ValidationError);
        expect([error.detail, error.errors]).toEqual([message, errors]);
        const fields = new Set(errors.map(({ field }) => field));
        expect(new Set(Object.keys(error.fieldErrors))).toEqual(fields);
        for (const field of fields) {
          expect(error.fieldErrors[field]).toEqual(errors.filter((candidate) => candidate.field === field));
        }
      }),
    );
  });

  test('§7.2.3 dotted paths of any field in error', async () => {
    const wrongness = fc.subarray(['shelf', 'size', 'label', 'device.model', 'device.rank'] as const, {
      minLength: 1,
    });
    await fc.assert(
      fc.asyncProperty(thing, wrongness, fc.func(fc.boolean()), async (row, wrong, isAbsent) => {
        const body = structuredClone(row) as Record<string, unknown>;
        for (const path of wrong) {
          const names = path.split('.');
          const at = names.length === 1 ? body : (body.device as Record<string, unknown>);
          const name = names.at(-1) ?? '';
          if (isAbsent(path)) delete at[name];
          else at[name] = null;
        }
        const mock = createMock(things, { data: { things: [] } });
        // A JavaScript user has no compiler.
        const call = connect(mock)
          .api(things)
          .things.create(body as unknown as typeof row);
        const { fieldErrors } = (await rejectionOf(call)) as ValidationError;
        const found = Object.entries(fieldErrors).map(([field, items]) => [field, items?.[0]?.code]);
        expect(Object.fromEntries(found)).toEqual(
          Object.fromEntries(wrong.map((path) => [path, isAbsent(path) ? 'missingField' : 'invalid'])),
        );
      }),
    );
  });
});

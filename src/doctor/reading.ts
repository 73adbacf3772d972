import type { HeaderFields } from '../http/fields.ts';
import type { Address } from './address.ts';
import { countIn, type Exchange, type Json, type Parameters, sentStatus } from './exchange.ts';
import {
  cannotTell,
  demand,
  demandRefusal,
  type Listed,
  recordsOf,
  some,
  unlessJudged,
  type Weight,
} from './judgement.ts';
import type { Requests } from './requests.ts';
import { isPlainNumber, toUnknownId } from './unknown-id.ts';

interface Filled {
  readonly exchange: Exchange;
  readonly records: readonly [Json, ...Json[]];
}

/** What checks read of a collection. Each ends the check where its response is not one that can be read. */
export interface Reading {
  list(query?: Parameters): Promise<Listed>;
  /** A list with a part of a query that is declared, which breaks its rule where the server refuses it. */
  listBy(query: Parameters, weight?: Weight): Promise<Listed>;
  firstPage(headers?: HeaderFields): Promise<Exchange>;
  firstRecords(): Promise<Filled>;
  /**
   * A GET of a resource that does not exist. Its id has the form of those that do, as far as it can be seen.
   */
  unknownItem(): Promise<Exchange>;
  demandRefused(query: Parameters, what: string): Promise<void>;
  /**
   * Reads the first page anew: true if it has other records than before. What was read before is forgotten.
   */
  hasChanged(): Promise<boolean>;
}

export const createReading = (address: Address, { send, get, forget }: Requests): Reading => {
  const { listUrl, itemUrl, showQuery, isTranslated, keyField } = address;

  const list = async (query?: Parameters): Promise<Listed> => recordsOf(await get(listUrl(query)));

  const listBy: Reading['listBy'] = async (query, weight = 'fatal') => {
    const exchange = await get(listUrl(query));
    const isTaken = exchange.status !== 400;
    demand(isTaken, exchange, `200 with ${showQuery(query)}`, `${sentStatus(exchange)}`, weight);
    return recordsOf(exchange);
  };

  const firstRecords = async (): Promise<Filled> => {
    const { exchange, records } = await list();
    return { exchange, records: some(records, 'the collection is empty') };
  };

  const idsOfFirstPage = async (): Promise<string> => {
    const { exchange, records } = await list();
    return JSON.stringify([countIn(exchange, 'totalCount'), ...records.map(({ id }) => id)]);
  };

  return {
    list,
    listBy,
    firstPage: (headers) => get(listUrl(), headers),
    firstRecords,
    unknownItem: async () => {
      const { records } = await firstRecords();
      const known = String(records[0][keyField]);
      const exchange = await send({ url: itemUrl({ [keyField]: toUnknownId(known) }), isInvalid: true });
      if (exchange.status === 400 && !isPlainNumber(known))
        cannotTell(`the ${keyField} that was made up got ${sentStatus(exchange)}, and its form may be wrong`);
      return exchange;
    },
    demandRefused: async (query, what) => {
      // No family says what an invalid query gets.
      if (!isTranslated) demandRefusal(await send({ url: listUrl(query), isInvalid: true }), what);
    },
    hasChanged: () =>
      unlessJudged(async () => {
        const before = await idsOfFirstPage();
        forget();
        return before !== (await idsOfFirstPage());
      }, false),
  };
};

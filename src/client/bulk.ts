import { ApiError, ContentTooLargeError, ValidationError } from '../errors/api-error.ts';
import type { BulkOptions } from '../schema/collection.ts';
import type { BulkOutcome } from './outcome.ts';
import { toJsonBody } from './request-body.ts';

/** The outcome of one part of a bulk request (§8); see {@link BulkOperation.createMany}. */
export interface BulkPart<T> {
  /** Index of its first item in the list that was given. */
  readonly from: number;
  /** Number of its items. */
  readonly count: number;
  /** `created` (201), `accepted` (202), `failed` with an error, or `notSent` because an earlier part failed for good. */
  readonly outcome: 'created' | 'accepted' | 'failed' | 'notSent';
  /** The created resources, in the order of their items. */
  readonly data?: readonly T[];
  /**
   * Why it failed. Field errors name items by their index in the list that was given. An `UnexpectedResponseError` with
   * the status 201 means that items were created, and not which: look before resending the part.
   */
  readonly error?: unknown;
}

/** The outcome of {@link BulkOperation.createMany}, part by part and in order. */
export interface BulkResult<T> {
  /** Every part, also those that failed or were not sent. */
  readonly parts: readonly BulkPart<T>[];
  /** The created resources of all parts. */
  readonly created: readonly T[];
  /** True when every part was created or accepted. */
  readonly complete: boolean;
}

/** Sends one bulk request: the JSON of so many items. */
export type SendPart<T> = (body: string, count: number) => Promise<BulkOutcome<T>>;

interface Part {
  readonly from: number;
  readonly items: readonly string[];
}

const bytesOf = (body: string): number => new TextEncoder().encode(body).length;

const toBody = ({ items }: Part): string => `[${items.join(',')}]`;

/** Splits ahead by the limits that the declaration knows. An item that alone exceeds a limit is a part of its own. */
const split = (
  items: readonly string[],
  { maxItems = items.length, maxBytes = Infinity }: BulkOptions,
): Part[] => {
  const parts: { from: number; items: string[] }[] = [];
  let bytes = 0;
  items.forEach((item, index) => {
    const size = maxBytes === Infinity ? 0 : bytesOf(item) + 1;
    const last = parts.at(-1);
    if (last === undefined || last.items.length >= maxItems || bytes + size + 1 > maxBytes) {
      parts.push({ from: index, items: [item] });
      bytes = size;
    } else {
      last.items.push(item);
      bytes += size;
    }
  });
  return parts;
};

/** Field errors of a part name its items from 0; in the whole list their index is higher. */
const rebase = (error: unknown, from: number): unknown => {
  if (!(error instanceof ValidationError) || from === 0) return error;
  const items = error.errors.map((item) => ({
    ...item,
    field: item.field.replace(/^\d+/, (index) => String(Number(index) + from)),
  }));
  return new ValidationError(Object.assign({}, error, { items }));
};

/** A response about the part itself says nothing about the next one; any other failure would hit that one too. */
const concernsPartOnly = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.status >= 400 &&
  error.status < 500 &&
  ![401, 403, 405, 429].includes(error.status);

const writeItem = (item: unknown, index: number): string => toJsonBody(item, `Item ${index}`);

/**
 * Creates many resources with as few bulk requests as the limits allow. A part that the server finds too large (413) is
 * halved; it was refused, so nothing of it is sent twice.
 *
 * @param fail - makes the error that the caller sees
 */
export const createMany = async <T>(
  items: readonly unknown[],
  limits: BulkOptions,
  send: SendPart<T>,
  fail: (error: unknown) => unknown,
): Promise<BulkResult<T>> => {
  const waiting = split(items.map(writeItem), limits);
  const parts: BulkPart<T>[] = [];
  let stopped = false;
  for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
    const place = { from: part.from, count: part.items.length };
    if (stopped) {
      parts.push({ ...place, outcome: 'notSent' });
      continue;
    }
    try {
      parts.push({ ...place, ...(await send(toBody(part), place.count)) });
    } catch (error) {
      if (error instanceof ContentTooLargeError && part.items.length > 1) {
        const half = Math.ceil(part.items.length / 2);
        waiting.unshift(
          { from: part.from, items: part.items.slice(0, half) },
          { from: part.from + half, items: part.items.slice(half) },
        );
        continue;
      }
      parts.push({ ...place, outcome: 'failed', error: fail(rebase(error, part.from)) });
      stopped = !concernsPartOnly(error);
    }
  }
  return {
    parts,
    created: parts.flatMap(({ data }) => data ?? []),
    complete: parts.every(({ outcome }) => outcome === 'created' || outcome === 'accepted'),
  };
};

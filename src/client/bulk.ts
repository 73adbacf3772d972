import { ApiError, ContentTooLargeError, ValidationError } from '../errors/api-error.ts';
import { InvalidRequestError } from '../errors/restkin-error.ts';
import type { BulkOptions } from '../schema/collection.ts';
import { type CallOptions, readCallOptions } from './call-options.ts';
import { type Endpoint, whole } from './operations.ts';
import { toBulkOutcome } from './outcome.ts';
import { sendRequest } from './pipeline.ts';
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
  /** Absolute URL of the work of an accepted part, when the server gives one. */
  readonly location?: string;
  /**
   * Why it failed. Field errors name items by their index in the list that was given. An `UnexpectedResponseError` with
   * the status 201 means that items were created, but not which: look before you resend the part.
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

interface Part {
  readonly from: number;
  readonly items: readonly string[];
}

const bytesOf = (body: string): number => new TextEncoder().encode(body).length;

/** Splits items by the declared limits. An item that alone exceeds a limit is a part of its own. */
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

/** Field errors of a part count its items from 0. This adds the index at which the part begins. */
const rebase = (error: unknown, from: number): unknown => {
  if (!(error instanceof ValidationError) || from === 0) return error;
  const items = error.errors.map((item) => ({
    ...item,
    field: item.field.replace(/^\d+/, (index) => String(Number(index) + from)),
  }));
  return new ValidationError(Object.assign({}, error, { items }));
};

/** True for a response that concerns this part alone. Any other failure would affect the next part as well. */
const concernsPartOnly = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.status >= 400 &&
  error.status < 500 &&
  ![401, 403, 405, 429].includes(error.status);

const writeItems = ({ name, bodies }: Endpoint, items: readonly unknown[]): readonly string[] => {
  // Anything else, such as an async iterable, would be read as an empty list, and be a success.
  if (!Array.isArray(items)) throw new InvalidRequestError(`${name}.createMany: the items must be an array`);
  // A hole in a sparse array is also an item; `map` would skip it.
  const encoded = Array.from(items, (item, index) => bodies.create(item, String(index)));
  return encoded.map((item, index) => toJsonBody(item, `Item ${index}`));
};

/**
 * Creates many resources with as few bulk requests as the declared limits allow (§8). A part that the server finds too large
 * (413) is halved and resent. It was refused as a whole, so no item is created twice.
 */
export const createMany = async (
  endpoint: Endpoint,
  items: readonly unknown[],
  given?: CallOptions,
): Promise<BulkResult<unknown>> => {
  const { name, api, schemas, url, bulk = {} } = endpoint;
  const { fail } = api.call;
  try {
    const options = readCallOptions(given, `${name}.createMany`);
    const send = async (part: Part) => {
      const body = `[${part.items.join(',')}]`;
      const request = { method: 'POST', url, headers: api.writeFields, body } as const;
      return toBulkOutcome(await sendRequest(api, request, options), schemas(whole).list, part.items.length);
    };
    const waiting = split(writeItems(endpoint, items), bulk);
    const parts: BulkPart<unknown>[] = [];
    let stopped = false;
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
      const { from } = part;
      const place = { from, count: part.items.length };
      if (stopped) {
        parts.push({ ...place, outcome: 'notSent' });
        continue;
      }
      try {
        parts.push({ ...place, ...(await send(part)) });
      } catch (error) {
        // The reason of an abort may be the error of another request.
        stopped = options.signal?.aborted || !concernsPartOnly(error);
        if (!stopped && error instanceof ContentTooLargeError && place.count > 1) {
          const half = Math.ceil(place.count / 2);
          waiting.unshift(
            { from, items: part.items.slice(0, half) },
            { from: from + half, items: part.items.slice(half) },
          );
          continue;
        }
        parts.push({ ...place, outcome: 'failed', error: fail(stopped ? error : rebase(error, from)) });
      }
    }
    return {
      parts,
      created: parts.flatMap(({ data }) => data ?? []),
      complete: parts.every(({ outcome }) => outcome === 'created' || outcome === 'accepted'),
    };
  } catch (error) {
    throw fail(error);
  }
};

// The cursor that continues a list, and the parameter that takes it.
import type { NextCursor, QueryNames } from '../../families/family.ts';
import { valueAt } from '../../families/path.ts';
import type { Row } from './evidence.ts';
import { proveNames } from './names.ts';
import type { SeenResponse } from './observe.ts';

/** What a request with the cursor of the first page has shown. */
export interface SeenCursor {
  readonly next: NextCursor;
  /** The name for the size of a page, where it had an effect. */
  readonly query: QueryNames;
}

/** `after` takes the `endCursor` of a connection. */
const cursorOfConnections = 'after';

/** The usual size where nothing shows another name. */
const usualSize = 'limit';

/** The parameters that may take a cursor, by its name in the body: `pageToken` for `nextPageToken`. */
const candidatesFor = (body: string): readonly string[] => {
  const name = body.slice(body.lastIndexOf('.') + 1);
  const rest = name.replace(/^next_?/i, '');
  const stripped = rest.charAt(0).toLowerCase() + rest.slice(1);
  return [...new Set([stripped, name, cursorOfConnections])];
};

/**
 * Finds the parameter that takes a cursor, by asking for one record behind the first page: three requests at
 * most. Undefined where none leads on.
 *
 * @param body - the path of the cursor
 * @param rows - the records of the first page
 * @param perPage - what may be the name for the size of a page
 * @param ask - gives the records at a URL; undefined where it fails
 */
export const findCursorParameter = async (
  { url, body: page }: SeenResponse,
  body: string,
  rows: readonly Row[],
  perPage: string | undefined,
  ask: (url: URL) => Promise<readonly Row[] | undefined>,
): Promise<SeenCursor | undefined> => {
  const cursor = valueAt(page, body);
  if (typeof cursor !== 'string' && typeof cursor !== 'number') return undefined;
  const size = perPage ?? usualSize;
  for (const parameter of candidatesFor(body)) {
    const probe = new URL(url);
    probe.searchParams.set(parameter, String(cursor));
    probe.searchParams.set(size, '1');
    const { isOther, isOne } = proveNames(rows, await ask(probe));
    // The last page may lack it, as those of Google do.
    if (isOther) return { next: { body, parameter, optional: true }, query: isOne ? { perPage: size } : {} };
  }
  return undefined;
};

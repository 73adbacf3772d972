import { PagingError } from '../errors/request-error.ts';

/** Where an iteration stands: a page, and how many of its records were delivered. */
export interface Position {
  /** URL of the page. */
  readonly url: string;
  readonly delivered: number;
  /** `id` of the last delivered record, to find the place again when records have moved. */
  readonly id?: string | undefined;
}

/** Writes a position as the page's URL with a fragment. The `next` of a page is one, too. */
export const formatPosition = ({ url, delivered, id }: Position): string => {
  if (delivered === 0) return url;
  const fragment = new URLSearchParams({ delivered: String(delivered), ...(id === undefined ? {} : { id }) });
  return `${url}#${fragment}`;
};

/**
 * Reads a position.
 *
 * @throws {@link PagingError} when it is none
 */
export const parsePosition = (text: string): Position => {
  const [url = '', fragment] = text.split('#', 2);
  if (fragment === undefined) return { url, delivered: 0 };
  const values = new URLSearchParams(fragment);
  const delivered = values.get('delivered') ?? '';
  if (!/^\d{1,15}$/.test(delivered)) throw new PagingError('from is not a position of a list');
  return { url, delivered: Number(delivered), id: values.get('id') ?? undefined };
};

/** The `id` of a record; undefined when it has none. */
export const idOf = (record: unknown): string | number | undefined => {
  const id = (record as { readonly id?: unknown } | null)?.id;
  return typeof id === 'number' || typeof id === 'string' ? id : undefined;
};

/** How many records of a page lie before a position: behind the record with its id, else as many as were delivered. */
export const deliveredOf = (records: readonly unknown[], { delivered, id }: Position): number => {
  const index = id === undefined ? -1 : records.findIndex((record) => String(idOf(record)) === id);
  return index < 0 ? Math.min(delivered, records.length) : index + 1;
};

import { wait } from '../http/timing.ts';
import { isObject } from '../options.ts';
import { isId } from './address.ts';
import { allows } from './data.ts';
import { countIn, type Exchange, valueIn } from './exchange.ts';
import { unlessJudged } from './judgement.ts';
import type { Subject } from './subject.ts';

/** A POST that may have created a resource. */
export interface Attempt {
  readonly marker: string;
  readonly status: number | undefined;
  /** Where a resource with the marker was seen. Nothing else is ever deleted. */
  readonly url: string | undefined;
}

const mostTries = 4;
const waitMs = 100;

/** Repeats some work until it has a result. A request may be lost, and a 202 may take time. */
const eventually = async <T>(work: () => Promise<T | undefined>): Promise<T | undefined> => {
  for (let tries = 0; ; tries++) {
    const result = await work();
    if (result !== undefined || tries === mostTries) return result;
    await wait(waitMs * 2 ** tries, undefined);
  }
};

/**
 * Reads past what is known. It is sent even if the run is stopped: what was created must be found to be
 * removed.
 */
const getAnew = (subject: Subject, url: string): Promise<Exchange> =>
  subject.send({ url }, { isRemoval: true });

/** Looks for the resource with a marker on the first page, on the last one, and first by descending id. */
const find = (subject: Subject, marker: string): Promise<string | undefined> =>
  eventually(async () => {
    const first = await getAnew(subject, subject.listUrl());
    const last = countIn(first, 'totalPages') ?? 1;
    const pages = [first];
    if (subject.isNumbered && last > 1) pages.push(await getAnew(subject, subject.listUrl({ page: last })));
    if (allows(subject.options.sort, 'id'))
      pages.push(await getAnew(subject, subject.listUrl({ sort: '-id' })));
    const records = pages.flatMap(({ json }) => (Array.isArray(json) ? json.filter(isObject) : []));
    const own = records.find((record) => JSON.stringify(record).includes(marker));
    return own && subject.itemUrl(own);
  });

/** The URL of the resource that a POST has created; undefined where none with the marker is seen. */
export const locate = async (
  subject: Subject,
  marker: string,
  exchange: Exchange,
): Promise<string | undefined> => {
  if (exchange.status >= 400) return undefined;
  const key = exchange.status < 300 ? valueIn(exchange, subject.keyField) : undefined;
  const there = isId(key) ? await getAnew(subject, subject.itemUrl({ [subject.keyField]: key })) : undefined;
  const isOwn = there?.status === 200 && there.body.includes(marker);
  return isOwn ? there.request.url : find(subject, marker);
};

const remove = (subject: Subject, url: string): Promise<true | undefined> =>
  eventually(() =>
    unlessJudged(async () => {
      await subject.send({ method: 'DELETE', url }, { isRemoval: true });
      return [404, 410].includes((await getAnew(subject, url)).status) || undefined;
    }, undefined),
  );

/** Removes what one attempt created. Returns the URL of what may be left. */
export const undo = async (
  subject: Subject,
  { marker, status, url }: Attempt,
): Promise<readonly string[]> => {
  if (status !== undefined && status >= 400 && status < 500) return [];
  const own = url ?? (await find(subject, marker));
  if (own !== undefined) return (await remove(subject, own)) ? [] : [own];
  // It may exist without the marker, or appear later.
  return status === 201 || status === 202 ? [subject.url()] : [];
};

import { header, jsonType } from '../conventions.ts';
import { wait } from '../http/timing.ts';
import { isObject } from '../options.ts';
import { hasIdentity, isIdentityField } from '../schema/resource.ts';
import type { Schema } from '../schema/types/shape.ts';
import { checksOf, coreOf, definitionOf, fieldsOf, kindOf, targetOf } from '../schema/zod.ts';
import { fits } from './data.ts';
import { countIn, type Exchange, type Json, once, parseJson, valueIn, type WireRequest } from './exchange.ts';
import { cannotTell, unlessJudged } from './judgement.ts';
import type { Subject } from './subject.ts';
import type { Wire } from './wire.ts';

/** The start of a string in every body that the doctor makes. It recognises its own resources by that string. */
export const markerStart = 'restkin-doctor-';

/** A resource that the doctor made. */
export interface Made {
  readonly url: string;
  /** What was sent. */
  readonly sent: Json;
  /** The response to the POST. */
  readonly exchange: Exchange;
}

type PostRequest = Partial<WireRequest> & { readonly body: string };

/** A POST that was sent, and what may have come of it. */
interface Attempt {
  readonly request: PostRequest;
  /** Undefined where no response came. */
  readonly exchange: Exchange | undefined;
  /** The URL of the new resource; undefined when it is unknown. */
  readonly url: string | undefined;
  /** Whether the resource at the URL was seen to be the one that was sent. Nothing else is ever deleted. */
  readonly isOwn: boolean;
}

/** True for a field that may hold any string. */
const takesAnyString = (schema: Schema): boolean =>
  kindOf(coreOf(schema)) === 'string' && checksOf(coreOf(schema)).every(({ check }) => check === undefined);

/** A value as it is sent: a reference as its id, and without what the server assigns (§2.1). */
const toBody = (schema: Schema, value: unknown): unknown => {
  const core = coreOf(schema);
  if (Array.isArray(value)) return value.map((item) => toBody(core, item));
  if (!isObject(value)) return value;
  if (targetOf(core) !== undefined) return { id: value.id };
  const { shape } = definitionOf(core);
  if (shape === undefined) return value;
  const isSent = (name: string): boolean =>
    Object.hasOwn(value, name) && !(hasIdentity(shape) && isIdentityField(name));
  return Object.fromEntries(
    Object.entries(shape).flatMap(([name, field]) =>
      isSent(name) ? [[name, toBody(field, value[name])]] : [],
    ),
  );
};

/** Puts a marker into the first field that takes any string; unchanged where there is none. */
const mark = (schema: Schema, body: Json, marker: string): Json => {
  const fields = Object.entries(fieldsOf(schema) ?? {}).filter(([name]) => !isIdentityField(name));
  const found = fields.find(([, field]) => takesAnyString(field));
  if (found !== undefined) return { ...body, [found[0]]: marker };
  for (const [name, field] of fields) {
    const inner = body[name];
    if (!isObject(inner) || targetOf(field) !== undefined) continue;
    return { ...body, [name]: mark(field, inner, marker) };
  }
  return body;
};

/** The marker in a body, with what a change has added to it. */
export const markerIn = (json: string): string | undefined =>
  new RegExp(`${markerStart}[\\w-]+`).exec(json)?.[0];

/** Ignores case, because a server may change the case of a string. */
export const hasMarker = (json: string, marker: string): boolean =>
  json.toLowerCase().includes(marker.toLowerCase());

const isGone = ({ status }: Exchange): boolean => status === 404 || status === 410;

const mostTries = 4;
const waitMs = 100;

/** Repeats some work until its result is wanted. After some attempts, the result is whatever it is. */
const eventually = async <T>(work: () => Promise<T>, isWanted: (value: T) => boolean): Promise<T> => {
  for (let tries = 0; ; tries++) {
    const value = await work();
    if (isWanted(value) || tries === mostTries) return value;
    await wait(waitMs * 2 ** tries, undefined);
  }
};

/** Creates the writer of one collection, which removes what it made. */
export const createWriter = (subject: Subject, wire: Wire, given: Json | undefined) => {
  const { options } = subject;
  const schema = options.bodies?.create ?? subject.resource;
  const attempts: Attempt[] = [];

  const getAnew = (url: string): Promise<Exchange> => subject.send({ url }, { isRemoval: true });

  /** The URLs of resources with a marker, on the pages where a new resource may be. */
  const find = (marker: string): Promise<readonly string[]> =>
    eventually(
      async () => {
        const first = await getAnew(subject.url());
        const last = countIn(first, 'totalPages') ?? 1;
        const sortsById = options.sort === true || options.sort?.includes('id') === true;
        const pages = [
          first,
          ...(subject.has('paging') && last > 1 ? [await getAnew(subject.listUrl({ page: last }))] : []),
          ...(sortsById ? [await getAnew(subject.listUrl({ sort: '-id' }))] : []),
        ];
        const records = pages.flatMap(({ json }) => (Array.isArray(json) ? json.filter(isObject) : []));
        const own = records.filter((record) => hasMarker(JSON.stringify(record), marker));
        return [...new Set(own.map(subject.itemUrl))];
      },
      ({ length }) => length > 0,
    );

  const deleteOnce = async (url: string): Promise<boolean> => {
    await subject.send({ method: 'DELETE', url }, { isRemoval: true });
    return isGone(await getAnew(url));
  };

  /** Deletes a resource until it is gone, because a request may be lost, and a 202 may take time. */
  const remove = (url: string): Promise<boolean> =>
    eventually(
      () => unlessJudged(() => deleteOnce(url), false),
      (isRemoved) => isRemoved,
    );

  /** Where the resource of a POST is, and whether it is known to be what was sent. */
  const locate = async (
    exchange: Exchange,
    marker: string | undefined,
  ): Promise<Pick<Attempt, 'url' | 'isOwn'>> => {
    const id = exchange.status < 300 ? valueIn(exchange, 'id') : undefined;
    const url = id === undefined ? undefined : subject.itemUrl({ id });
    if (marker === undefined || exchange.status >= 400) return { url, isOwn: false };
    const there = url === undefined ? undefined : await getAnew(url);
    if (there?.status === 200 && hasMarker(there.body, marker)) return { url, isOwn: true };
    const [found] = await find(marker);
    return found === undefined ? { url, isOwn: false } : { url: found, isOwn: true };
  };

  /** Removes what one attempt created. Returns the URLs of what may be left. */
  const undo = async ({ request, exchange, url, isOwn }: Attempt): Promise<readonly string[]> => {
    const status = exchange?.status;
    const marker = markerIn(request.body);
    if (status !== undefined && status >= 400 && status < 500) return [];
    // Without a marker, only JSON that cannot be parsed is sent.
    if (marker === undefined) return url === undefined ? [] : [url];
    const found = url !== undefined && isOwn ? [url] : await find(marker);
    const left: string[] = [];
    for (const own of found) if (!(await remove(own))) left.push(own);
    if (found.length > 0 || status === undefined || status >= 300) return left;
    // A success, but no resource with the marker: it may exist without the marker, or appear later.
    return url !== undefined && isGone(await getAnew(url)) ? [] : [url ?? subject.url()];
  };

  /** A body that the server should take, with a marker of its own. */
  const body = async (): Promise<Json> => {
    const marker = `${markerStart}${crypto.randomUUID().slice(0, 8)}`;
    const copy = given ?? (toBody(schema, (await subject.someRecords())[0]) as Json);
    const marked = mark(schema, copy, marker);
    if (!JSON.stringify(marked).includes(marker))
      return cannotTell('no field of a body takes any string, so a created resource could not be recognised');
    return given !== undefined || options.bodies?.create === undefined || fits(schema, marked)
      ? marked
      : cannotTell('a copy of a resource does not fit the body of a POST; pass a body');
  };

  const post = async (request: PostRequest) => {
    const sentBefore = wire.sent;
    // Without a response, the resource may have been created.
    let attempt: Attempt = { request, exchange: undefined, url: undefined, isOwn: false };
    try {
      const headers = { [header.contentType]: jsonType, ...request.headers };
      const exchange = await subject.send({ method: 'POST', ...request, headers });
      attempt = { request, exchange, ...(await locate(exchange, markerIn(request.body))) };
      return { ...attempt, exchange };
    } finally {
      if (wire.sent > sentBefore) attempts.push(attempt);
    }
  };

  const create = async (): Promise<Made> => {
    if (options.accepts?.includes('create') === true)
      cannotTell('the server may create it later, when it could not be removed any more');
    const sent = await body();
    const { exchange, url, isOwn } = await post({ body: JSON.stringify(sent) });
    const { status } = exchange;
    if (status === 403) cannotTell('403, this user may not create');
    if (status >= 400)
      cannotTell(`a copy of the first resource of the list got ${status}; pass a body that can be created`);
    return url !== undefined && isOwn
      ? { url, sent, exchange }
      : cannotTell(`the created resource is not found: the POST got ${status}`);
  };

  return {
    subject,
    /** The schema of the body of a POST. */
    schema,
    /** The resource of this run, which is created once. The check ends when it cannot be created. */
    made: once(create),
    body,
    /** The same body with another value, for PUT. Its marker is still recognised. */
    changed: (sent: Json): Json => {
      const json = JSON.stringify(sent);
      const changed = parseJson(json.replace(markerIn(json) ?? '', (marker) => `${marker}-put`));
      return isObject(changed) ? changed : sent;
    },
    /** Sends a POST to the collection. Whatever comes of it is removed later. */
    post: async (request: PostRequest): Promise<Exchange> => (await post(request)).exchange,
    /** Removes everything that was created. Returns the URLs of what is left. */
    removeAll: async (): Promise<readonly string[]> => {
      const left: string[] = [];
      for (const attempt of attempts.splice(0)) {
        left.push(...(await unlessJudged(() => undo(attempt), [attempt.url ?? subject.url()])));
      }
      return left;
    },
  };
};

export type Writer = ReturnType<typeof createWriter>;

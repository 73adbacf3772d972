import { wait } from '../http/timing.ts';
import { isObject } from '../options.ts';
import { hasIdentity, isIdentityField } from '../schema/resource.ts';
import type { Schema } from '../schema/types/shape.ts';
import { checksOf, coreOf, definitionOf, fieldsOf, kindOf, targetOf } from '../schema/zod.ts';
import { allows, fits } from './data.ts';
import { countIn, type Exchange, type Json, once, valueIn, type WireRequest } from './exchange.ts';
import { cannotTell, unlessJudged } from './judgement.ts';
import type { Examination } from './options.ts';
import { isId, type Subject } from './subject.ts';
import type { Wire } from './wire.ts';

/** The start of a string in every body that the doctor sends. It recognises its own resources by that string. */
export const markerStart = 'restkin-doctor-';

export interface Made {
  readonly url: string;
  readonly sent: Json;
  readonly exchange: Exchange;
}

type PostRequest = Partial<WireRequest> & { readonly body: string };

interface Attempt {
  readonly marker: string;
  readonly status: number | undefined;
  /** Where a resource with the marker was seen. Nothing else is ever deleted. */
  readonly url: string | undefined;
}

const takesAnyString = (schema: Schema): boolean =>
  kindOf(coreOf(schema)) === 'string' && checksOf(coreOf(schema)).every(({ check }) => check === undefined);

/** A value as it is sent: a reference as its id, and without what the server assigns (§2.1). */
const toBody = (schema: Schema, value: unknown): unknown => {
  const core = coreOf(schema);
  if (Array.isArray(value)) return value.map((item) => toBody(core, item));
  const { shape } = definitionOf(core);
  if (!isObject(value) || shape === undefined) return value;
  if (targetOf(core) !== undefined) return { id: value.id };
  const fields = Object.entries(shape).filter(
    ([name]) => Object.hasOwn(value, name) && !(hasIdentity(shape) && isIdentityField(name)),
  );
  return Object.fromEntries(fields.map(([name, field]) => [name, toBody(field, value[name])]));
};

/** Puts a marker into the first field that takes any string. */
const mark = (schema: Schema, body: Json, marker: string): Json => {
  const found = Object.entries(fieldsOf(schema) ?? {}).find(
    ([name, field]) => !isIdentityField(name) && takesAnyString(field) && fits(field, marker),
  );
  if (found !== undefined) return { ...body, [found[0]]: marker };
  return cannotTell('no field of a body takes any string, so a created resource could not be recognised');
};

/** The marker in a body, with what a change has added to it. */
export const markerIn = (json: string): string | undefined =>
  new RegExp(`${markerStart}[\\w-]+`).exec(json)?.[0];

/** The field that has the marker, with another value in which the marker is still recognised. */
export const changeOf = (resource: Json, suffix: string): Json =>
  Object.fromEntries(
    Object.entries(resource).flatMap(([name, value]) =>
      typeof value === 'string' && markerIn(value) === value ? [[name, `${value}-${suffix}`]] : [],
    ),
  );

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

export const createWriter = (subject: Subject, wire: Wire, { allowWrites, bodies = {} }: Examination) => {
  const { options } = subject;
  const given = bodies[subject.key];
  const schema = options.bodies?.create ?? subject.resource;
  const attempts: Attempt[] = [];

  const getAnew = (url: string): Promise<Exchange> => subject.send({ url }, { isRemoval: true });

  const find = (marker: string): Promise<string | undefined> =>
    eventually(async () => {
      const first = await getAnew(subject.url());
      const last = countIn(first, 'totalPages') ?? 1;
      const pages = [first];
      if (subject.has('paging') && last > 1) pages.push(await getAnew(subject.listUrl({ page: last })));
      if (allows(options.sort, 'id')) pages.push(await getAnew(subject.listUrl({ sort: '-id' })));
      const records = pages.flatMap(({ json }) => (Array.isArray(json) ? json.filter(isObject) : []));
      const own = records.find((record) => JSON.stringify(record).includes(marker));
      return own && subject.itemUrl(own);
    });

  const locate = async (marker: string, exchange: Exchange): Promise<string | undefined> => {
    if (exchange.status >= 400) return undefined;
    const id = exchange.status < 300 ? valueIn(exchange, 'id') : undefined;
    const there = isId(id) ? await getAnew(subject.itemUrl({ id })) : undefined;
    const isOwn = there?.status === 200 && there.body.includes(marker);
    return isOwn ? there.request.url : find(marker);
  };

  const remove = (url: string): Promise<true | undefined> =>
    eventually(() =>
      unlessJudged(async () => {
        await subject.send({ method: 'DELETE', url }, { isRemoval: true });
        return [404, 410].includes((await getAnew(url)).status) || undefined;
      }, undefined),
    );

  /** Removes what one attempt created. Returns the URL of what may be left. */
  const undo = async ({ marker, status, url }: Attempt): Promise<readonly string[]> => {
    if (status !== undefined && status >= 400 && status < 500) return [];
    const own = url ?? (await find(marker));
    if (own !== undefined) return (await remove(own)) ? [] : [own];
    // It may exist without the marker, or appear later.
    return status === 201 || status === 202 ? [subject.url()] : [];
  };

  const body = async (): Promise<Json> => {
    if (!allowWrites) cannotTell('it needs writes, which allowWrites permits', 'writes');
    const copy = given ?? (toBody(schema, (await subject.firstRecords()).records[0]) as Json);
    return mark(schema, copy, `${markerStart}${crypto.randomUUID().slice(0, 8)}`);
  };

  const post = async (request: PostRequest) => {
    const marker = markerIn(request.body) ?? cannotTell('the body has no marker');
    const sentBefore = wire.state.sent;
    let exchange: Exchange | undefined;
    let url: string | undefined;
    try {
      exchange = await subject.send({ method: 'POST', ...request });
      url = await locate(marker, exchange);
      return { exchange, url };
    } finally {
      // Without a response, the resource may have been created.
      if (wire.state.sent > sentBefore) attempts.push({ marker, status: exchange?.status, url });
    }
  };

  const create = async (): Promise<Made> => {
    const sent = await body();
    if (options.accepts?.includes('create') === true)
      cannotTell('the server may create it later, when it can no longer be removed');
    const { exchange, url } = await post({ body: JSON.stringify(sent) });
    const { status } = exchange;
    const [what, advice] = given
      ? [
          'the body in `bodies`, whose first plain string is a marker,',
          'declare a string of few values as z.enum',
        ]
      : ['a copy of a resource', 'pass a body that can be created in `bodies`'];
    if (status >= 400) cannotTell(`${what} got ${status}; ${advice}`);
    if (url === undefined) return cannotTell(`the created resource is not found: the POST got ${status}`);
    return { url, sent, exchange };
  };

  return {
    subject,
    schema,
    create,
    made: once(create),
    body,
    /** Sends a POST to the collection. Whatever comes of it is removed later. */
    post: async (request: PostRequest): Promise<Exchange> => (await post(request)).exchange,
    /** Removes everything that was created. Returns the URLs of what may be left. */
    removeAll: async (): Promise<readonly string[]> => {
      const left: string[] = [];
      for (const attempt of attempts.splice(0))
        left.push(...(await unlessJudged(() => undo(attempt), [attempt.url ?? subject.url()])));
      return left;
    },
  };
};

export type Writer = ReturnType<typeof createWriter>;

import type { RuleId } from '../../../../src/doctor/rules.ts';
import type { Break, Reply, Seen } from '../server.ts';

/**
 * Ways to break rules, each by its rule and what it does. Each server gets its own break, which may remember
 * what it saw.
 */
export type Mutants = Readonly<Record<`${RuleId}: ${string}`, () => Break>>;

export type Json = Record<string, unknown>;
export type Rows = readonly Json[];

export const jsonOf = <T>({ body }: Reply): T => JSON.parse(body);
export const withJson = (reply: Reply, value: unknown): Reply => ({ ...reply, body: JSON.stringify(value) });
export const withStatus = (reply: Reply, code: number): Reply => ({ ...reply, status: code });
export const withHeader = (given: Headers, name: string, value: string | undefined): Headers => {
  const headers = new Headers(given);
  if (value === undefined) headers.delete(name);
  else headers.set(name, value);
  return headers;
};
export const withField = (reply: Reply, name: string, value?: string): Reply => ({
  ...reply,
  headers: withHeader(reply.headers, name, value),
});
export const errorReply = (code: number, body: unknown = { message: 'No' }): Reply => ({
  status: code,
  headers: new Headers({ 'content-type': 'application/json' }),
  body: JSON.stringify(body),
});
export const emptyReply: Reply = { ...errorReply(204), body: '' };

export type Is = (seen: Seen) => boolean;

export const requestOf =
  (method: string, path: RegExp): Is =>
  (seen) =>
    seen.method === method && path.test(seen.url.pathname);
export const isList = requestOf('GET', /^\/v1\/orders$/);
export const isItem = requestOf('GET', /^\/v1\/orders\/\d+$/);
export const isFeed = requestOf('GET', /^\/v1\/feed$/);
export const isListOrItem: Is = (seen) => isList(seen) || isItem(seen);
export const isOptions = requestOf('OPTIONS', /orders/);
export const isPost = requestOf('POST', /^\/v1\/orders$/);
export const isPut = requestOf('PUT', /^\/v1\/orders\/\d+$/);
export const isPatch = requestOf('PATCH', /^\/v1\/orders\/\d+$/);
export const isDelete = requestOf('DELETE', /^\/v1\/orders\/\d+$/);
export const isToken = requestOf('POST', /^\/auth\/token$/);
export const formOf = ({ body }: Seen): URLSearchParams => new URLSearchParams(body);
export const isGrant =
  (name: string, without?: string): Is =>
  (seen) =>
    isToken(seen) &&
    formOf(seen).get('grant_type') === name &&
    (without === undefined || !formOf(seen).has(without));
export const hasParameter =
  (when: Is, name: string): Is =>
  (seen) =>
    when(seen) && seen.url.searchParams.has(name);
export const pageOf = ({ url }: Seen): string => url.searchParams.get('page') ?? '1';

/** Changes the replies to some requests. */
export const changeReply =
  (when: Is, change: (reply: Reply, seen: Seen) => Reply): (() => Break) =>
  () =>
  async (seen, next) => {
    const usual = await next(seen);
    return when(seen) ? change(usual, seen) : usual;
  };

/** Changes the replies with a status. */
export const changeReplyOf = (code: number, when: Is, change: (reply: Reply, seen: Seen) => Reply) =>
  changeReply(when, (usual, seen) => (usual.status === code ? change(usual, seen) : usual));

/** Changes the successes of some requests. */
export const changeSuccess = (when: Is, change: (reply: Reply, seen: Seen) => Reply) =>
  changeReply(when, (usual, seen) =>
    usual.status === 200 || usual.status === 201 ? change(usual, seen) : usual,
  );

/** Changes the JSON of the successes of some requests. */
export const changeJson = <T = Json>(when: Is, change: (value: T) => unknown) =>
  changeSuccess(when, (usual) => withJson(usual, change(jsonOf<T>(usual))));

/** Changes each order, in lists and alone. */
export const changeOrders = (change: (row: Json, index: number) => Json) =>
  changeJson<Json | Rows>(isListOrItem, (value) =>
    Array.isArray(value) ? value.map(change) : change(value as Json, 0),
  );

/** Changes a field of each order that has it. */
export const changeOrderField = <T>(name: string, change: (value: T) => unknown) =>
  changeOrders((row) => (row[name] === undefined ? row : { ...row, [name]: change(row[name] as T) }));

/** Changes the body of the errors with a status, or of some. */
export const changeErrors = (
  which: number | ((usual: Reply, seen: Seen) => boolean),
  change: (body: Json) => unknown,
) => {
  const isChanged = typeof which === 'number' ? ({ status }: Reply) => status === which : which;
  return changeReply(
    () => true,
    (usual, seen) =>
      usual.status >= 400 && isChanged(usual, seen) ? withJson(usual, change(jsonOf<Json>(usual))) : usual,
  );
};

export const hasErrors = ({ body }: Reply): boolean => body.includes('"errors"');

/** Changes each item of `errors`. */
export const changeErrorItems = (change: (item: Json) => Json) =>
  changeErrors(hasErrors, (body) => ({ ...body, errors: (body.errors as Rows).map(change) }));

/** Changes a request before it is answered. */
export const changeRequest =
  (when: Is, change: (seen: Seen) => Seen): (() => Break) =>
  (): Break =>
  (seen, next) =>
    next(when(seen) ? change(seen) : seen);

export const withParameter = (seen: Seen, name: string, value: string | undefined): Seen => {
  const url = new URL(seen.url);
  if (value === undefined) url.searchParams.delete(name);
  else url.searchParams.set(name, value);
  return { ...seen, url };
};

/** Changes a query parameter of some requests, or drops it. */
export const changeParameter = (
  when: Is,
  name: string,
  change: (value: string) => string | undefined = () => undefined,
) =>
  changeRequest(hasParameter(when, name), (seen) =>
    withParameter(seen, name, change(seen.url.searchParams.get(name) ?? '')),
  );

/** Changes a header field of some requests, or drops it. */
export const setRequestField = (when: Is, name: string, value?: string) =>
  changeRequest(when, (seen) => ({ ...seen, headers: withHeader(seen.headers, name, value) }));

/** Responds to some requests in place of the server. */
export const answerInstead =
  (when: Is, by: Reply): (() => Break) =>
  (): Break =>
  (seen, next) =>
    when(seen) ? by : next(seen);

export const changeLinks = (change: (parts: readonly string[], seen: Seen) => readonly string[]) =>
  changeSuccess(isList, (usual, seen) => {
    const link = usual.headers.get('link');
    if (link === null) return usual;
    return withField(usual, 'link', change(link.split(', '), seen).join(', ') || undefined);
  });

export const linkTo = ({ url }: Seen, page: number, relation: string): string => {
  const target = new URL(url);
  target.searchParams.set('page', String(page));
  return `<${target.href}>; rel="${relation}"`;
};

/** Links without a relation, or with another target for it. */
export const replaceLink = (relation: string, toPage?: (seen: Seen) => number, onPage?: string) =>
  changeLinks((parts, seen) => {
    if (onPage !== undefined && pageOf(seen) !== onPage) return parts;
    const others = parts.filter((part) => !part.includes(`rel="${relation}"`));
    return toPage === undefined ? others : [...others, linkTo(seen, toPage(seen), relation)];
  });

/** Adds a next link to the page that has none. */
export const addNextLink = (when: Is) =>
  changeSuccess(when, (usual, seen) => {
    const known = usual.headers.get('link');
    if (known?.includes('rel="next"')) return usual;
    const next = linkTo(seen, Number(pageOf(seen)) + 1, 'next');
    return withField(usual, 'link', known === null ? next : `${known}, ${next}`);
  });

export const setListField = (name: string, value?: (seen: Seen, usual: Reply) => string) =>
  changeSuccess(isList, (usual, seen) => withField(usual, name, value?.(seen, usual)));

export const addOneTo = (name: string) =>
  setListField(name, (_seen, { headers }) => String(Number(headers.get(name)) + 1));

export const withoutFields = (value: Json, ...names: readonly string[]): Json =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));

export const dropFields =
  (...names: readonly string[]) =>
  (value: Json) =>
    withoutFields(value, ...names);

export const isCreation: Is = (seen) => isPost(seen) && seen.body.includes('restkin-doctor');

/** A list without `fields`. */
export const isWholeList: Is = (seen) => isList(seen) && !seen.url.searchParams.has('fields');

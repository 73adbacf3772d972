// Only has to compile: what a declaration says, as types.
import {
  type Body as BodyOf,
  type Client,
  type ClientOf,
  type Collection,
  collection,
  defineApi,
  type Expandable,
  type ExpandPath,
  endpoint,
  expandable,
  type Fake,
  type FieldPath,
  type Id,
  type Operation,
  type Query,
  type Resource,
  resource,
} from 'restkin';
import * as z from 'zod';
import * as mini from 'zod/mini';
import { Company, Order, type ordering } from '../support/ordering.ts';
import type { Equal } from './holds.types.ts';

const is = <T extends true>(): T | undefined => undefined;

type Orders = (typeof ordering)['collections']['orders'];
type Companies = (typeof ordering)['collections']['companies'];
type Feed = (typeof ordering)['collections']['feed'];

type OrderPath =
  | 'id'
  | 'self'
  | 'status'
  | 'createdAt'
  | 'note'
  | 'device'
  | 'device.model'
  | 'device.serial'
  | 'lines'
  | 'lines.id'
  | 'lines.self'
  | 'lines.sku'
  | 'lines.quantity'
  | 'company'
  | 'company.id'
  | 'company.self'
  | 'company.name'
  | 'company.city';

export const paths = () => {
  is<Equal<FieldPath<typeof Company>, 'id' | 'self' | 'name' | 'city'>>();
  is<Equal<FieldPath<typeof Order>, OrderPath>>();
  is<Equal<ExpandPath<typeof Order>, 'company'>>();
  is<Equal<ExpandPath<typeof Company>, never>>();
  is<Equal<NonNullable<Query<Companies>['sort']>[number], 'name' | '-name' | 'city' | '-city'>>();
};

export const wrappers = () => {
  const Wrapped = resource({
    maybe: z.optional(z.nullable(expandable(Company))),
    many: z.array(expandable(Company)),
    deep: z.optional(z.object({ inner: z.array(z.object({ leaf: z.string() })) })),
    small: mini.optional(mini.object({ of: mini.string() })),
    plain: z.record(z.string(), z.string()),
    either: z.union([z.string(), z.number()]),
  });
  is<Equal<ExpandPath<typeof Wrapped>, 'maybe' | 'many'>>();
  is<Equal<Extract<FieldPath<typeof Wrapped>, `deep${string}`>, 'deep' | 'deep.inner' | 'deep.inner.leaf'>>();
  is<Equal<Extract<FieldPath<typeof Wrapped>, `small${string}`>, 'small' | 'small.of'>>();
  is<Equal<Extract<FieldPath<typeof Wrapped>, `plain${string}`>, 'plain'>>();
  is<Equal<Extract<FieldPath<typeof Wrapped>, `either${string}`>, 'either'>>();
  const Nested = resource({ order: expandable(resource({ company: expandable(Company) })) });
  is<Equal<ExpandPath<typeof Nested>, 'order' | 'order.company'>>();
};

export const pathParameters = () => {
  type Parameter = Parameters<ClientOf<Collection<'a/:b/c/:d'>>>[0];
  is<Equal<Parameter, { readonly b: string | number; readonly d: string | number }>>();
};

type OperationOf<C extends Collection> = Extract<keyof ClientOf<C>, Operation>;

export const options = () => {
  type All = 'list' | 'get' | 'create' | 'replace' | 'update' | 'delete';
  is<Equal<OperationOf<Orders>, All>>();
  is<Equal<OperationOf<Feed>, 'list'>>();
  is<
    Equal<
      NonNullable<Query<Feed>['params']>,
      { readonly since?: string | undefined; readonly limit?: number | undefined }
    >
  >();
  const Codec = resource({ at: z.string() });
  const search = collection('search', Codec, { params: z.object({ after: z.coerce.date(), q: z.string() }) });
  is<Equal<Query<typeof search>['params']['q'], string>>();
  const names = collection('x', Company, { sort: ['name'], operations: ['get', 'list'] });
  is<Equal<OperationOf<typeof names>, 'get' | 'list'>>();
  is<Equal<(typeof names)['path'], 'x'>>();
};

export const keys = (client: Client) => {
  const User = resource({
    login: z.string(),
    plan: z.enum(['free', 'paid']),
    rank: z.optional(z.nullable(z.int())),
    code: z.codec(z.string(), z.number(), { decode: Number, encode: String }),
  });
  const rename = endpoint('POST', 'rename', { body: z.object({ to: z.string() }) });
  const users = collection('users', User, { key: 'login', actions: { rename } });
  const plans = collection('plans', User, { key: 'plan' });
  const ranks = collection('ranks', User, { key: 'rank' });
  const codes = collection('codes', User, { key: 'code' });
  const ids = collection('ids', User, { key: 'id' });
  const unknowns = collection('unknowns', resource({ ...({} as Record<string, z.ZodType>) }), {
    key: 'name',
  });
  const collections = { users, plans, ranks, codes, ids };
  const { users: all } = client.api(defineApi({ name: 'x', version: 1, auth: 'basic', collections }));
  is<Equal<Id<typeof users>, string>>();
  is<Equal<Id<typeof plans>, 'free' | 'paid'>>();
  is<Equal<Id<typeof ranks>, number>>();
  is<Equal<Id<typeof codes>, number>>();
  is<Equal<Id<typeof ids>, number>>();
  is<Equal<Id<typeof unknowns>, string | number>>();
  is<Equal<Id<typeof all>, string>>();
  type First = 'get' | 'find' | 'replace' | 'update' | 'delete' | 'rename';
  is<Equal<Parameters<(typeof all)[First]>[0], string>>();
  is<Equal<Parameters<(typeof all)['allowedMethods']>[0], string | undefined>>();
  is<Equal<Parameters<Fake<typeof all>['get']>[0], string>>();
  // @ts-expect-error a user is addressed by its login
  void all.get(7);
};

type ResourceBody<R extends Resource> = BodyOf<Collection<'x', R, Record<never, never>>, 'create'>;
type PartialBody<R extends Resource> = BodyOf<Collection<'x', R, Record<never, never>>, 'update'>;

interface Body {
  readonly status: 'open' | 'shipped' | 'cancelled';
  readonly createdAt: string;
  readonly note?: string | undefined;
  readonly device: { readonly model: string; readonly serial: string };
  readonly lines: readonly { readonly sku: string; readonly quantity: number; readonly id?: number }[];
  readonly company: { readonly id: number };
}

export const bodies = (body: ResourceBody<typeof Order>, part: PartialBody<typeof Order>) => {
  const given: Body = body;
  const back: ResourceBody<typeof Order> = given;
  is<Equal<keyof ResourceBody<typeof Order>, keyof Body>>();
  is<Equal<keyof PartialBody<typeof Order>, keyof Body>>();
  is<Equal<ResourceBody<typeof Company>, { readonly name: string; readonly city: string }>>();
  is<Equal<PartialBody<typeof Company>, { readonly name?: string; readonly city?: string }>>();
  is<Equal<typeof body.company, { readonly id: number }>>();
  is<Equal<(typeof part)['status'], 'open' | 'shipped' | 'cancelled' | undefined>>();
  const Text = resource({ id: z.string(), of: expandable(resource({ id: z.string() })) });
  is<Equal<ResourceBody<typeof Text>, { readonly of: { readonly id: string } }>>();
  const Defaults = resource({
    a: z._default(z.string(), ''),
    b: z.nullable(z.string()),
    c: z.object({ id: z.string() }),
  });
  is<Equal<ResourceBody<typeof Defaults>['a'], string | undefined>>();
  is<Equal<ResourceBody<typeof Defaults>['b'], string | null>>();
  is<Equal<ResourceBody<typeof Defaults>['c'], { readonly id: string }>>();
  return back;
};

export const declared = () => {
  const api = defineApi({
    name: 'x',
    version: 2,
    auth: ['token', 'basic', 'legacy'],
    collections: { companies: collection('companies', Company) },
  });
  is<Equal<typeof api.version, 2>>();
  is<Equal<typeof api.name, 'x'>>();
  is<Equal<(typeof api)['auth'], readonly ['token', 'basic', 'legacy']>>();
  is<Equal<keyof typeof api.collections, 'companies'>>();
  const any: Resource = Order;
  const stub: Expandable<typeof Company> = expandable(Company);
  is<Equal<z.output<typeof stub>, { id: number; self: string }>>();
  is<
    Equal<z.output<typeof Company>, { id: number; self?: string | undefined; name: string; city: string }>
  >();
  return any;
};

/** A program that compiles with `declaration` may export a function that makes resources. */
export const stamped = <const S extends Record<string, z.ZodType>>(shape: S) =>
  resource({ ...shape, createdAt: z.iso.datetime() });

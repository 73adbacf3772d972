// A program that exports what a library would: each collection expands the one before it.

const indices = Array.from({ length: 40 }, (_, index) => index);

const resourceOf = (index: number): string =>
  `export const R${index} = resource({ name: z.string(), deep: z.object({ one: z.object({ two: z.int() }) }), lines: z.array(resource({ sku: z.string() }))${index === 0 ? '' : `, previous: expandable(R${index - 1})`} });`;

/** Up to four levels: `'previous', 'previous.previous', …`. */
const chainOf = (index: number): string =>
  Array.from({ length: Math.min(index, 4) }, (_, depth) => `'previous${'.previous'.repeat(depth)}'`).join(
    ', ',
  );

/** The declaration of 40 collections. */
export const declaration = `import { collection, defineApi, expandable, resource } from 'restkin';
import * as z from 'zod';
${indices.map(resourceOf).join('\n')}
export const api = defineApi({
  name: 'chained', version: 1, auth: 'token',
  collections: {
${indices.map((index) => `    c${index}: collection('c${index}', R${index}, { sort: true, fields: true, expand: [${chainOf(index)}], paging: true }),`).join('\n')}
    children: collection('parents/:parentId/children', R0, { paging: true, bulk: { maxItems: 5 } }),
    search: collection('search', R0, { paging: true, params: z.object({ q: z.string() }) }),
  },
});
`;

/** Exports whose types only the compiler writes down; it imports `./declaration.ts`. */
export const program = `import { type Collection, collection, createClient, type DeclaredBy, defineApi, type FieldPath, type IdOf, isConnectionError, type Observers, type Operations, type Query, resource, tokenAuth } from 'restkin';
import * as z from 'zod';
import { createMock } from 'restkin/mocks';
import { api, R39 } from './declaration.ts';
const auth = tokenAuth({ authUrl: 'https://auth.example.com', username: 'ada', password: 'lovelace' });
export const client = createClient({ baseUrl: 'https://api.example.com', auth });
const { c39 } = client.api(api);
export const { children, search } = client.api(api);
export const { list: searchBy, query } = search;
export const { createMany } = children({ parentId: 1 });
export const { list, get, find, create, replace, update } = c39;
export const described = () => c39.get(7).withResponse();
export const responseOf = async () => (await described()).response;
export const asConnection = (error: unknown) => (isConnectionError(error) ? error : undefined);
export const observers = ({ deprecation, token, retry, drift }: Observers) => [deprecation, token, retry, drift] as const;
export const deep = () => c39.get(7, { expand: ['previous.previous.previous.previous'] });
export const load = <const Q extends Query<typeof c39>>(query: Q) => c39.list(query);
export const pick = <const F extends readonly FieldPath<typeof R39>[]>(...fields: F) => c39.list({ fields });
type Reading<C extends Collection> = Pick<Operations<C>, 'list' | 'get'> & DeclaredBy<C>;
export const expanding = <const E extends readonly ('previous' | 'previous.previous')[]>(expand: E) => c39.get(7, { expand });
export const all = async <C extends Collection>(of: Reading<C>) => of.list().toArray();
export class Repository<C extends Collection> {
  constructor(readonly of: Reading<C>) {}
  byId(id: IdOf<C>) { return this.of.get(id); }
}
export const repository = new Repository(c39);
export const stamped = <const S extends Record<string, z.ZodType>>(shape: S) => resource({ ...shape, at: z.iso.date() });
export const forward = (...query: Parameters<typeof c39.list>) => c39.list(...query);
export const queries = ([first]: Parameters<typeof c39.list>) => first;
export const built = c39.query().sort('-name').fields('deep.one').expand('previous.previous');
export const step = built.sort;
export const { follow, request, api: connect } = client;
const other = defineApi({ name: 'other', version: 2, auth: 'token', collections: { c39: collection('c39', R39) } });
export const eitherOf = <A extends typeof api | typeof other>(given: A) => client.api(given).c39;
const mock = createMock(api);
export const { rows } = mock.state;
export const { next } = mock.faults;
`;

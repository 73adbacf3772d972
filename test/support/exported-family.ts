/** A program that exports what it declares of families, as the package of a monorepo does. */
export const exportedFamily = `import { createClient, customAuth, endpoint, family, openEnum } from 'restkin';
import { directus, drf, github } from 'restkin/families';
import { createMock } from 'restkin/mocks';
import { queries } from 'restkin/query';
import * as z from 'zod';

export const builders = family(github);
export const { resource, collection, defineApi, expandable } = family({ ...directus, idField: 'key' });
export const Author = resource({ name: z.string(), kind: openEnum(['a', 'b']) });
export const Book = resource({ title: z.string(), author: expandable(Author) });
export const books = collection('books', Book, {
  fields: true,
  sort: true,
  paging: true,
  params: z.object({ q: z.optional(z.string()) }),
  actions: { lend: endpoint('POST', 'lend', { body: z.object({ to: z.string() }), response: Book }) },
});
export const users = collection('teams/:team/users', resource({ login: z.string() }), { key: 'login' });
export const one = endpoint('GET', 'one', { response: Book, query: z.object({ a: z.int() }) });
export const library = defineApi({ name: 'library', auth: 'custom', collections: { books, users }, endpoints: { one } });
export const client = createClient({ baseUrl: 'https://api.example.com', auth: customAuth(() => ({})) });
export const { books: shelf, users: people } = client.api(library);
export const keys = queries(client, library);
export const mock = createMock(library);
export const titles = shelf.list({ fields: ['title'] });
export const built = shelf.query().sort('title');
export const read = async () => shelf.get(1);
export const lent = () => shelf.lend(1, { to: 'ada' });
export const team = people({ team: 'a' });

const ofDrf = family(drf);
export const Plain = ofDrf.resource({ title: z.string() });
export const plain = ofDrf.collection('plain', Plain, { paging: { maxPerPage: 100 } });
`;

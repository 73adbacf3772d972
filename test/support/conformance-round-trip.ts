import { basicAuth, collection, createClient, defineApi, resource } from 'restkin';
import type { Mock } from 'restkin/mocks';
import * as z from 'zod';
import fc from './random.ts';

/** Where the mocks are; every origin is theirs. */
export const origin = 'https://api.example.com';
/** Somebody whom a mock without users lets in. */
export const login = { username: 'ada', password: 'lovelace' };

/** A client of a mock in this process, which makes one attempt. */
export const connect = (mock: Mock, auth = basicAuth(login)) =>
  createClient({ baseUrl: origin, auth, fetch: mock.fetch, retry: false });

/** A short text of any characters. */
export const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const oddParts = '%2F|%|/|\\|?|#|&|=|+|;|:|,|.| |"|<|\'|é|😀'.split('|');
const odd = fc.string({ unit: fc.constantFrom(...oddParts), minLength: 1, maxLength: 8 });
/** A text of any characters, or of those that have a meaning in a URL or a form. */
export const anyText = fc.oneof(text, odd);
/** What can be one segment of a path: a URL drops the three others. */
export const segment = anyText.filter((value) => !['', '.', '..'].includes(value));

/** A resource with an id of text, a field of each kind, and one of any value. */
export const Thing = resource({
  id: z.string(),
  shelf: z.string(),
  size: z.number(),
  label: z.string(),
  device: z.object({ model: z.string(), rank: z.number() }),
  content: z.unknown(),
});

/** Things at the root, and below a path parameter of any text. */
export const things = defineApi({
  name: 'things',
  version: 1,
  auth: 'basic',
  collections: {
    things: collection('things', Thing, {
      sort: true,
      fields: true,
      paging: true,
      params: z.object({
        q: z.optional(z.string()),
        size: z.optional(z.number()),
        sold: z.optional(z.boolean()),
        kinds: z.optional(z.array(z.string())),
      }),
    }),
    onShelf: collection('shelves/:shelf/things', Thing, { paging: true }),
  },
});

/** A thing. */
export const thing = fc.record({
  id: segment,
  shelf: segment,
  size: fc.integer({ min: 0, max: 5 }),
  label: anyText,
  device: fc.record({ model: text, rank: fc.integer({ min: 0, max: 3 }) }),
  // -0 is written as 0.
  content: fc.jsonValue({ maxDepth: 3 }).map((value): unknown => JSON.parse(JSON.stringify(value))),
});

/** Things with ids of their own. */
export const rows = fc.uniqueArray(thing, { selector: ({ id }) => id, maxLength: 12 });

// Servers that write the parameters of a query in another way in their links.
import { createClient, customAuth, family, PagingError } from 'restkin';
import { gitlab } from 'restkin/families';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { failureOf } from '../../support/basic-ordering.ts';

const params = z.object({
  labels: z.optional(z.array(z.string())),
  'ids[]': z.optional(z.array(z.number())),
  updatedAfter: z.optional(z.date()),
});
const { resource, collection, defineApi } = family(gitlab);
const issues = collection('issues', resource({}), { params, repeated: ['ids[]'], paging: true });
const tracker = defineApi({ name: 'tracker', version: 4, auth: 'custom', collections: { issues } });

const origin = 'https://api.test';

/** A list of two pages; the first has a link with these parameters. */
const listOf = (linked: string) => {
  const fetch = async (url: string): Promise<Response> => {
    const isFirst = !url.includes('page=2');
    const link = `<${origin}/api/v4/issues?${linked}&page=2>; rel="next"`;
    return Response.json([{ id: isFirst ? 1 : 2 }], { headers: isFirst ? { link } : {} });
  };
  return createClient({ baseUrl: origin, auth: customAuth(() => ({})), fetch }).api(tracker).issues;
};

describe('a next link of a family keeps a parameter', () => {
  const updatedAfter = new Date('2026-01-02T03:04:05Z');

  test.each<[string, z.input<typeof params>, string]>([
    ['with the indices of PHP', { 'ids[]': [7, 8] }, 'ids%5B0%5D=7&ids%5B1%5D=8'],
    ['as an array of Rails', { labels: ['bug', 'old'] }, 'labels%5B%5D=bug&labels%5B%5D=old'],
    ['with commas', { 'ids[]': [7, 8] }, 'ids=7,8'],
    ['with another form of its time', { updatedAfter }, 'updatedAfter=2026-01-02T03%3A04%3A05%2B00%3A00'],
    ['with the time of another zone', { updatedAfter }, 'updatedAfter=2026-01-02T05:04:05%2B02:00'],
  ])('%s', async (_how, given, linked) => {
    const list = listOf(linked);
    expect((await list.list({ params: given }).toArray()).map(({ id }) => id)).toEqual([1, 2]);
    const { next } = await list.list({ params: given });
    expect((await list.list({ params: given, from: next }).toArray()).map(({ id }) => id)).toEqual([2]);
  });

  test.each<[string, z.input<typeof params>, string]>([
    ['another item', { 'ids[]': [7, 8] }, 'ids%5B0%5D=7&ids%5B1%5D=9'],
    ['fewer items', { labels: ['bug', 'old'] }, 'labels%5B%5D=bug'],
    ['another time', { updatedAfter }, 'updatedAfter=2026-01-02T03%3A04%3A05%2B01%3A00'],
    ['no time', { updatedAfter }, 'updatedAfter=2026-99-99T99%3A99'],
    ['another name', { 'ids[]': [7] }, 'ids%5Ba%5D=7'],
  ])('but not with %s', async (_how, given, linked) => {
    await failureOf(listOf(linked).list({ params: given }).toArray(), PagingError);
  });
});

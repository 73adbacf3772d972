import { family } from 'restkin';
import * as presets from 'restkin/families';
import { createMock, serve } from 'restkin/mocks';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { basePathOf, type Family } from '../../src/families/family.ts';
import { readFamily } from '../../src/families/read-family.ts';
import { runHere } from './run-here.ts';

const rows = [1, 2, 3, 4, 5].map((id) => ({ id, title: `Title ${id}`, note: id === 2 ? null : 'a' }));

const serveFamily = async (given: Family) => {
  const { resource, collection, defineApi } = family(given);
  const book = resource({ title: z.string(), note: z.nullable(z.string()) });
  const books = collection('books', book, { paging: { defaultPerPage: 2 } });
  const api = defineApi({ name: 'library', version: 1, auth: 'custom', collections: { books } });
  const server = await serve(createMock(api, { data: { books: rows } }));
  onTestFinished(() => server.close());
  const whole = readFamily(given);
  return `${server.url}${basePathOf(whole, 1)}/books${whole.trailingSlash ? '/' : ''}`;
};

test.each(Object.entries(presets))(
  'the mock of %s is recognised without a difference',
  async (name, preset) => {
    const { code, stdout, stderr } = await runHere(['recognise', await serveFamily(preset)]);
    expect(stderr).toContain(`The nearest preset is ${name};`);
    expect(code).toBe(0);
    expect(stdout).toContain(`= family(${name});`);
    expect(stdout).toContain('resource({ title: z.string(), note: z.nullable(z.string()) })');
    expect(stderr).not.toContain('whether');
  },
);

test('what differs from the preset is a line of the family', async () => {
  const list = { items: 'rows', next: { body: 'next' }, totalCount: { body: 'count' } } as const;
  const url = await serveFamily({ ...presets.drf, query: { page: 'p' }, list });
  const { stdout, stderr } = await runHere(['recognise', url]);
  expect(stderr).toContain('The nearest preset is drf;');
  expect(stderr).toContain('Not known: whether');
  expect(stdout).toContain("page: 'p'");
  expect(stdout).toContain("items: 'rows'");
});

test('no secret is printed, and no redirect leads to another origin', async () => {
  const seen: string[] = [];
  const other = await serve({ respond: async () => new Response(seen.push('other') ? '[]' : '') });
  const server = await serve({
    respond: async (request) => {
      seen.push(String(request.headers.get('x-api-key')));
      return new Response(null, { status: 302, headers: { Location: `${other.url}/books` } });
    },
  });
  onTestFinished(async () => {
    await server.close();
    await other.close();
  });
  const result = await runHere(['recognise', `${server.url}/books`, '--header', 'X-Api-Key: s3cret-of-ada']);
  expect(seen).toStrictEqual(['s3cret-of-ada']);
  expect(result.code).not.toBe(0);
  expect(JSON.stringify(result)).not.toContain('s3cret');
});

test('an error status ends the command with the code of the status', async () => {
  const server = await serve({ respond: async () => new Response('no', { status: 404 }) });
  onTestFinished(() => server.close());
  const { code, stdout, stderr } = await runHere(['recognise', `${server.url}/books`]);
  expect([code, stdout]).toEqual([5, '']);
  expect(stderr).toContain(`GET ${server.url}/books: 404 Not Found`);
});

import { createClient, customAuth } from 'restkin';
import { expect, test } from 'vitest';
import { apisOf, importOf } from '../../../support/import-document.ts';
import { documentOf, json, objectOf, reference, response } from '../../../support/odd-document.ts';
import { record, json as respond } from '../../../support/recording-server.ts';

// Documents whose resources call their id otherwise.

const text = { type: 'string' } as const;
const count = { type: 'integer' } as const;
const inQuery = (name: string, schema: object) => ({ name, in: 'query', schema });

const paths = {
  '/posts': {
    get: {
      parameters: [inQuery('page', count), inQuery('limit', count)],
      responses: {
        200: response(
          objectOf({ docs: { type: 'array', items: reference('Post') }, totalDocs: count, page: count }, [
            'docs',
            'totalDocs',
          ]),
        ),
      },
    },
    post: { requestBody: json(reference('NewPost')), responses: { 201: response(reference('Post')) } },
  },
  '/posts/{postId}': {
    get: {
      parameters: [{ name: 'postId', in: 'path', required: true, schema: text }],
      responses: { 200: response(reference('Post')) },
    },
  },
};

const importPosts = async (name: string) => {
  const line = objectOf({ [name]: text, amount: count }, [name, 'amount']);
  const fields = { title: text, lines: { type: 'array', items: line } };
  const Post = objectOf({ [name]: text, ...fields }, [name, 'title', 'lines']);
  const document = documentOf(paths, { Post, NewPost: objectOf(fields, ['title', 'lines']) });
  const imported = await importOf(document);
  return { ...imported, code: imported.declarations.replace(/\s+/g, ' '), api: apisOf(imported)[0] };
};

test.each(['Id', '_id', 'uuid', 'documentId'])('%s is declared as the id of a resource', async (name) => {
  const { code, unfit } = await importPosts(name);
  expect(unfit).toEqual([]);
  expect(code).toContain(`idField: '${name}'`);
  expect(code).toContain('const Post = resource({ id: z.string(), title: z.string(), lines: z.array(');
  // A line is no resource.
  expect(code).toContain(`z.object({ ${name}: z.string(), amount: z.int() })`);
});

test('the imported API reads it', async () => {
  const { api } = await importPosts('_id');
  if (api === undefined) throw new Error('no API was imported');
  const lines = [{ _id: 'l1', amount: 2 }];
  await using server = await record(() =>
    respond({ docs: [{ _id: 'p1', title: 'One', lines }], totalDocs: 1, page: 1 }),
  );
  const client = createClient({
    baseUrl: server.url,
    auth: { token: customAuth(() => ({})) },
    retry: false,
  }).api(api);
  const { posts } = client as unknown as {
    readonly posts: { list(): { toArray(): Promise<readonly unknown[]> } };
  };
  expect(await posts.list().toArray()).toEqual([{ id: 'p1', title: 'One', lines }]);
});

test('beside an `id`, it is a field like any other', async () => {
  const Post = objectOf({ id: count, uuid: text, title: text }, ['id', 'uuid', 'title']);
  const { declarations } = await importOf(documentOf(paths, { Post, NewPost: Post }));
  expect(declarations).not.toContain('idField');
  expect(declarations).toContain('uuid: z.string()');
});

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  type ApiDeclaration,
  type Collection,
  type CollectionOptions,
  createClient,
  customAuth,
} from 'restkin';
import { createMock } from 'restkin/mocks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apisOf, importOf } from '../support/import-document.ts';
import fc from '../support/random.ts';
import { anyDocument, type DrawnDocument, type DrawnOperation } from '../support/random-documents.ts';
import { isFullRun } from '../support/runs.ts';

const project = fileURLToPath(new URL('../../', import.meta.url));
const documents = fc.sample(anyDocument, { numRuns: isFullRun ? 1_000 : 100 });

// Below the project, so that the compiler finds its libraries.
let folder: string;
beforeAll(async () => {
  await mkdir(join(project, 'node_modules/.cache'), { recursive: true });
  folder = await mkdtemp(join(project, 'node_modules/.cache/import-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Call = (...given: readonly unknown[]) => Promise<unknown>;

/** A collection of a client whose types are not known here. */
interface Things extends Readonly<Record<string, Call>> {
  readonly list: (
    ...given: readonly unknown[]
  ) => Promise<unknown> & { toArray(): Promise<readonly Thing[]> };
}
interface Thing {
  readonly id: unknown;
}

/** A path without the names of its parameters. */
const shapeOf = (path: string): string => path.replaceAll(/\{[^{}]+\}|:\w+/g, '{}');

const isAt = ({ method, path }: DrawnOperation, sent: Request): boolean => {
  const pattern = new RegExp(`^${path.replaceAll(/\{[^{}]+\}/g, '[^/]+')}$`);
  return method === sent.method.toLowerCase() && pattern.test(new URL(sent.url).pathname);
};

/** The operation of a document at the end of a path. */
const operationAt = (
  { operations }: DrawnDocument,
  method: string,
  end: string,
): DrawnOperation | undefined =>
  operations.find((one) => one.method === method.toLowerCase() && shapeOf(one.path).endsWith(shapeOf(end)));

const callCollection = async (
  things: Things,
  { path, options }: Collection,
  drawn: DrawnDocument,
): Promise<void> => {
  const { operations: all = [], actions = {} }: CollectionOptions = options;
  const records = await things.list().toArray();
  expect(records).toHaveLength(3);
  const id = records[0]?.id;
  const { body } = operationAt(drawn, 'post', path) ?? operationAt(drawn, 'patch', `${path}/{}`) ?? {};
  if (all.includes('get')) expect(await things.get?.(id)).toEqual(records[0]);
  if (all.includes('create')) expect(await things.create?.(body)).toMatchObject(Object(body));
  if (all.includes('update')) await things.update?.(id, body);
  for (const [name, action] of Object.entries(actions))
    await things[name]?.(id, operationAt(drawn, action.method, `${path}/{}/${action.path}`)?.body);
  if (all.includes('delete')) await things.delete?.(id);
};

/** Calls each operation of a declaration once, over its mock, and gives the requests. */
const callEach = async (declared: ApiDeclaration, drawn: DrawnDocument): Promise<readonly Request[]> => {
  const api = { ...declared, auth: 'custom' as const };
  const mock = createMock(api, { generate: 3, authorize: () => true });
  const sent: Request[] = [];
  const fetch: typeof globalThis.fetch = (input, init) => {
    const request = new Request(input, init);
    sent.push(request.clone());
    return mock.fetch(request);
  };
  const auth = customAuth(() => undefined);
  const client = createClient({ baseUrl: 'https://api.test', auth, fetch, retry: false }).api(api);
  const bound = client as unknown as Readonly<Record<string, Call>>;
  const collections = client as unknown as Readonly<Record<string, Things>>;
  for (const [key, collection] of Object.entries(api.collections))
    await callCollection(collections[key] as Things, collection as Collection, drawn);
  for (const [name, { method, path }] of Object.entries(api.endpoints ?? {})) {
    const { query, body } = operationAt(drawn, method, `/${path}`) ?? {};
    const named = Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, one]) => [one, 'a b']));
    await bound[name]?.({ ...named, ...(query && { query }), ...(body !== undefined && { body }) });
  }
  return sent;
};

test(`${documents.length} documents made up at random become APIs that their mocks serve, and programs that compile`, async () => {
  for (const [index, drawn] of documents.entries()) {
    const imported = await importOf(drawn.document);
    await writeFile(join(folder, `api-${index}.ts`), `${imported.imports}\n\n${imported.declarations}\n`);
    const [api] = apisOf(imported);
    if (api === undefined) throw new Error('the document has no API');
    expect(Object.keys(api.collections)).toHaveLength(1);
    const sent = await callEach(api, drawn);
    const called = drawn.operations.filter((operation) => sent.some((request) => isAt(operation, request)));
    expect(called).toEqual(drawn.operations);
    expect(sent.every((request) => drawn.operations.some((operation) => isAt(operation, request)))).toBe(
      true,
    );
  }
  const config = {
    extends: join(project, 'tsconfig.json'),
    compilerOptions: { tsBuildInfoFile: join(folder, 'tsc.tsbuildinfo') },
    include: ['*.ts'],
    exclude: [],
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const compiler = join(project, 'node_modules/typescript-7/bin/tsc');
  const compiled = promisify(execFile)(process.execPath, [compiler, '-p', folder]);
  const { stdout } = await compiled.catch((error: { readonly stdout: string }) => error);
  expect(stdout).toBe('');
}, 300_000);

import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { toOpenApi } from 'restkin/openapi';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { ordering } from '../support/ordering.ts';
import { main, run } from './run-command.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await createWorkspace();
  const document = JSON.stringify(toOpenApi(ordering));
  await workspace.write('ordering.json', document);
  await workspace.write('cut.json', document.slice(0, document.length / 2));
  await workspace.write('open-quote.yaml', 'openapi: 3.1.0\ninfo:\n  title: "x\npaths: {}\n');
  await workspace.write('number.yaml', 'openapi: 3.1\npaths: {}\n');
});
afterAll(() => workspace.remove());

const read = (name: string): Promise<string> => readFile(workspace.path(name), 'utf8');
const readDocument = async () => JSON.parse(await read('ordering.json'));

/** A document with a list of what `schema` is. */
const documentOf = (schema: object) => ({
  openapi: '3.1.0',
  info: { title: 'things', version: '1' },
  paths: {
    '/v1/things': {
      get: {
        responses: {
          200: {
            description: '',
            content: { 'application/json': { schema: { type: 'array', items: schema } } },
          },
        },
      },
    },
  },
});
const thing = {
  type: 'object',
  required: ['id', 'self', 'name'],
  properties: { id: { type: 'integer' }, self: { type: 'string' }, name: { type: 'string' } },
};

describe('restkin import', () => {
  test('writes a declaration that the other commands take', async () => {
    const { code, stdout, stderr } = await run(
      ['import', 'ordering.json', '--out', 'first.ts'],
      workspace.folder,
    );
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: '',
      stderr: 'first.ts: 1 API, 4 collections, 0 other operations\n',
    });
    expect(await read('first.ts')).toContain("orders: collection('orders', Order, {");
    const again = await run(['openapi', './first.ts'], workspace.folder);
    expect(JSON.parse(again.stdout)).toEqual(await readDocument());
  });

  test('prints the declaration of a document in YAML', async () => {
    await workspace.write('ordering.yaml', stringify(await readDocument(), { aliasDuplicateObjects: false }));
    const { code, stdout } = await run(['import', 'ordering.yaml'], workspace.folder);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\/\/ Made by `restkin import ordering.yaml`\.\n/);
    expect(stdout).toContain('export const ordering = defineApi({');
  });

  test('lists what does not fit, and fails with --strict without writing', async () => {
    const document = await readDocument();
    document.paths['/v1/reports'] = { get: { responses: { 200: { content: { 'text/csv': {} } } } } };
    await workspace.write('reports.json', JSON.stringify(document));
    const loose = await run(['import', 'reports.json', '--out=reports.ts'], workspace.folder);
    expect(loose.stderr).toBe(
      'reports.ts: 1 API, 4 collections, 1 other operation\n' +
        'Not declared, each with a comment in the file:\n' +
        '  GET /v1/reports: it responds with text/csv (§4.3)\n',
    );
    const strict = await run(['import', 'reports.json', '--out=strict.ts', '--strict'], workspace.folder);
    expect(strict).toMatchObject({ code: 2, stdout: '' });
    expect(strict.stderr).toBe(
      'Not declared:\n  GET /v1/reports: it responds with text/csv (§4.3)\n' +
        'restkin: reports.json: with --strict, every part of the document must fit the conventions; nothing is written\n',
    );
    expect(await readdir(workspace.folder)).not.toContain('strict.ts');
  });

  test.each<[string, object, string]>([
    ['without paths', {}, ''],
    ['with nothing below its paths', { paths: { '/v1/things': {} } }, ''],
    [
      'of which nothing can be called',
      { paths: { '/v1/things': { head: { responses: {} } } } },
      'Not declared:\n  HEAD /v1/things: every resource refuses HEAD with 405 (§4.2)\n',
    ],
  ])('fails for a document %s, and writes nothing', async (_, rest, report) => {
    await workspace.write('empty.json', JSON.stringify({ openapi: '3.1.0', ...rest }));
    for (const out of [[], ['--out=empty.ts']])
      expect(await run(['import', 'empty.json', ...out], workspace.folder)).toEqual({
        code: 2,
        stdout: '',
        stderr:
          `${report}restkin: empty.json has no operation that can be declared or called, so nothing is written; ` +
          'the document needs `paths` with operations such as GET /v1/orders\n',
      });
    expect(await readdir(workspace.folder)).not.toContain('empty.ts');
  });

  test.each([
    [['import', 'nowhere.json'], 'nowhere.json does not exist'],
    [
      ['import', 'https://example.com/openapi.json?key=k'],
      'The document must be a file: save what is at the URL',
    ],
    [['import', 'cut.json', '--out=cut.ts'], 'cut.json is neither JSON nor YAML: '],
    [
      ['import', 'open-quote.yaml', '--out=cut.ts'],
      'neither JSON nor YAML: Missing closing "quote at line 5',
    ],
    [
      ['import', 'number.yaml', '--out=cut.ts'],
      '`openapi` must be a version in quotation marks, such as "3.1.0"',
    ],
    [['import', 'package.json', '--out=none/api.ts'], 'The document is not an OpenAPI document'],
    [
      ['import', 'ordering.json', '--out=none/api.ts'],
      'none/api.ts cannot be written: its folder does not exist',
    ],
    [['import', 'node_modules'], 'node_modules cannot be read: it is a folder'],
    [['import', 'ordering.json', '--out=./ordering.json'], '--out names the document itself'],
  ])('%j fails', async (args, message) => {
    const { code, stderr } = await run(args, workspace.folder);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
    expect(await readdir(workspace.folder)).not.toContain('cut.ts');
  });
});

test('a file that exists is not replaced', async () => {
  await workspace.write('own.ts', 'export const own = 1;\n');
  const refused = await run(['import', 'ordering.json', '--out=own.ts'], workspace.folder);
  expect(refused).toMatchObject({
    code: 2,
    stderr: 'restkin: own.ts exists; write to a new file, and compare the two\n',
  });
  expect(await read('own.ts')).toBe('export const own = 1;\n');
});

describe('a reference to another document', () => {
  test('is refused unless the file is allowed by name', async () => {
    await workspace.write(
      'shared.yaml',
      stringify({
        Thing: { ...thing, properties: { ...thing.properties, part: { $ref: '#/Part' } } },
        Part: { type: 'string', enum: ['a', 'b'] },
      }),
    );
    await workspace.write('main.json', JSON.stringify(documentOf({ $ref: './shared.yaml#/Thing' })));
    const refused = await run(['import', 'main.json', '--out=things.ts'], workspace.folder);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toBe(
      'restkin: main.json: a reference to "shared.yaml" leads to another file; if it may be read, add ' +
        '--allow-ref=shared.yaml\n',
    );
    const { code, stdout } = await run(['import', 'main.json', '--allow-ref=shared.yaml'], workspace.folder);
    expect(code).toBe(0);
    expect(stdout).toContain("export const Part = z.enum(['a', 'b']);");
    expect(stdout).toContain('export const Thing = resource({ name: z.string(), part: z.optional(Part) });');
    const folder = await run(['import', 'main.json', '--allow-ref=.'], workspace.folder);
    expect(folder.stdout).toBe(stdout);
  });

  test('is named by its path from the working directory, in a document of another folder', async () => {
    await mkdir(workspace.path('api'));
    await workspace.write('api/main.json', JSON.stringify(documentOf({ $ref: './thing.json#/Thing' })));
    await workspace.write('api/thing.json', JSON.stringify({ Thing: thing }));
    const refused = await run(['import', 'api/main.json'], workspace.folder);
    const [, flag = ''] = /add (--allow-ref=\S+)\n/.exec(refused.stderr) ?? [];
    const { code, stdout } = await run(['import', 'api/main.json', flag], workspace.folder);
    expect({ flag, code }).toEqual({ flag: '--allow-ref=api/thing.json', code: 0 });
    expect(stdout).toContain('export const Thing = resource({ name: z.string() });');
  });

  test('is followed from there, also for the names that a parameter may have', async () => {
    const names = {
      SortNames: { type: 'array', items: { $ref: '#/Names' } },
      Names: { enum: ['name', '-name'] },
    };
    await workspace.write('names.json', JSON.stringify(names));
    const document = documentOf(thing);
    const sort = { in: 'query', name: 'sort', explode: false, schema: { $ref: './names.json#/SortNames' } };
    Object.assign(document.paths['/v1/things'].get, { parameters: [sort] });
    await workspace.write('sorted.json', JSON.stringify(document));
    const { stdout } = await run(['import', 'sorted.json', '--allow-ref=names.json'], workspace.folder);
    expect(stdout).toContain("sort: ['name']");
  });

  test('is refused unless the host is allowed by name, and no redirect is followed', async () => {
    const asked: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url);
      if (request.url === '/moved.json') response.writeHead(302, { location: '/thing.json' }).end();
      else response.end(JSON.stringify({ Thing: thing }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await workspace.write('remote.json', JSON.stringify(documentOf({ $ref: `${url}/thing.json#/Thing` })));
    await workspace.write('moved.json', JSON.stringify(documentOf({ $ref: `${url}/moved.json#/Thing` })));
    const refused = await run(['import', 'remote.json'], workspace.folder);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(`add --allow-ref=${url}\n`) });
    expect(asked).toEqual([]);
    const { stdout } = await run(['import', 'remote.json', `--allow-ref=${url}`], workspace.folder);
    expect(stdout).toContain('export const Thing = resource({ name: z.string() });');
    const moved = await run(['import', 'moved.json', `--allow-ref=${url}`], workspace.folder);
    expect(moved).toMatchObject({ code: 2, stderr: expect.stringContaining('a redirect is not followed') });
    expect(asked).toEqual(['/thing.json', '/moved.json']);
  });
});

describe('the written file', () => {
  test('may be stdout, as a pipe or as an empty file', async () => {
    const command = (rest: string) =>
      `"${process.execPath}" "${main}" import ordering.json --out=/dev/stdout ${rest}`;
    for (const rest of ['| cat > piped.ts', '> redirected.ts'])
      await promisify(execFile)('bash', ['-c', command(rest)], { cwd: workspace.folder, timeout: 20_000 });
    for (const file of ['piped.ts', 'redirected.ts'])
      expect(await read(file)).toMatch(/^\/\/ Made by .+ordering = defineApi\(/s);
  });
});

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dump } from 'js-yaml';
import { toOpenApi } from 'restkin/openapi';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { documentOf, list, resourceOf, type Schema } from '../support/odd-document.ts';
import { ordering } from '../support/ordering.ts';
import { runHere } from './run-here.ts';

let folder: string;
const path = (name: string): string => join(folder, name);
const write = (name: string, content: string | object): Promise<void> =>
  writeFile(path(name), typeof content === 'string' ? content : JSON.stringify(content));
const document = toOpenApi(ordering);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'restkin-import-'));
  await write('ordering.json', document);
  await write('cut.json', JSON.stringify(document).slice(0, 2_000));
  await write('open-quote.yaml', 'openapi: 3.1.0\ninfo:\n  title: "x\npaths: {}\n');
  await write('number.yaml', 'openapi: 3.1\npaths: {}\n');
});
afterAll(() => rm(folder, { recursive: true }));

const importFile = (name: string, ...options: readonly string[]) =>
  runHere(['import', path(name), ...options]);

const family = 'Family: conventions, by `page` and `perPage` of 4 lists';

describe('restkin import', () => {
  test('writes a file, and says what it has', async () => {
    const out = path('first.ts');
    expect(await importFile('ordering.json', '--out', out)).toEqual({
      code: 0,
      stdout: '',
      stderr: `${out}: 4 collections, 0 endpoints, 0 other operations\n${family}\n`,
    });
    const content = await readFile(out, 'utf8');
    expect(content).toMatch(/^\/\/ Made by `restkin import ordering.json`\.\nimport .+orders: collection\(/s);
  });

  test('prints the declaration of a document in YAML', async () => {
    await write('ordering.yaml', dump(document, { noRefs: true }));
    const { code, stdout } = await importFile('ordering.yaml');
    expect(code).toBe(0);
    expect(stdout).toContain('export const ordering = defineApi({');
  });

  test('leaves a file that exists as it is', async () => {
    await write('own.ts', 'export const own = 1;\n');
    const { code, stderr } = await importFile('ordering.json', '--out', path('own.ts'));
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('own.ts exists; write to another file, or replace it with --force'),
    });
    expect(await readFile(path('own.ts'), 'utf8')).toBe('export const own = 1;\n');
  });

  test('replaces a file that exists with --force', async () => {
    await write('old.ts', 'export const own = 1;\n');
    expect(await importFile('ordering.json', '--out', path('old.ts'), '--force')).toMatchObject({ code: 0 });
    expect(await readFile(path('old.ts'), 'utf8')).toContain('defineApi(');
  });

  test('says which names of the document are others in the file', async () => {
    const renamed = { operationId: 'sync-all', responses: { 204: { description: '' } } };
    await write('renamed.json', documentOf({ '/v1/sync': { post: renamed } }));
    const { stderr } = await importFile('renamed.json');
    expect(stderr).toContain('\nRenamed: 1 operation (sync-all as syncAll)\n');
  });

  test('takes the name of a preset', async () => {
    const { stdout, stderr } = await importFile('ordering.json', '--family', 'github');
    expect(stdout).toContain("= family({ ...github, path: 'v{version}' });");
    expect(stderr).toContain('Family: github, as --family says\n');
  });

  test('names the presets where --family is none of them', async () => {
    expect(await importFile('ordering.json', '--family', 'hub')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--family must be the name of a preset: conventions, yii2, github,'),
    });
  });

  test('counts the operations of each cause', async () => {
    const report = { get: { responses: { 200: { content: { 'text/csv': {} } } } } };
    const paths = { ...document.paths, '/v1/reports': report, '/health': report, '/ready': report };
    await write('reports.json', { ...document, paths });
    const causes = '  2 operations: its path has no major version, for example /v1/ (§9)\n';
    const loose = await importFile('reports.json');
    expect(loose.stderr).toBe(
      `${path('reports.json')}: 4 collections, 1 endpoint, 2 other operations\n${family}\n` +
        `Not declared, each with a comment in the file:\n${causes}`,
    );
  });

  test.each<[string, object]>([
    ['without paths', {}],
    ['of which nothing can be called', { paths: { '/v1/things': { head: { responses: {} } } } }],
  ])('fails for a document %s', async (_, rest) => {
    await write('empty.json', { openapi: '3.1.0', ...rest });
    const { code, stdout, stderr } = await importFile('empty.json');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('empty.json has no operation that can be declared or called');
  });

  test.each([
    ['nowhere.json', 'nowhere.json cannot be read: ENOENT'],
    ['cut.json', 'cut.json is neither JSON nor YAML: '],
    ['open-quote.yaml', 'neither JSON nor YAML: deficient indentation (4:1)'],
    ['number.yaml', 'its version in quotation marks, such as `"openapi": "3.1.0"`'],
    ['', 'cannot be read: EISDIR'],
  ])('fails for %j', async (name, message) => {
    const { code, stderr } = await importFile(name);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });

  test('takes no URL', async () => {
    const url = await runHere(['import', 'https://example.com/openapi.json?key=k']);
    expect(url).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The document must be a file: save what is at the URL'),
    });
  });
});

describe('a reference to another document', () => {
  const thing = resourceOf({ part: { $ref: '#/Part' } });
  const shared: Schema = { Thing: thing, Part: { type: 'string', enum: ['a', 'b'] } };
  const things = (reference: string) => documentOf({ '/v1/things': list({ $ref: reference }) });
  const declared = 'export const Thing = resource({ part: z.optional(Part) });';

  const importShared = async (...options: readonly string[]) => {
    await write('shared.yaml', dump(shared));
    await write('main.json', things('./shared.yaml#/Thing'));
    return importFile('main.json', ...options);
  };

  test('is refused, with the option that allows it', async () => {
    const { code, stderr } = await importShared();
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /a reference to "shared.yaml" leads to another file; .+ --allow-ref=\S*shared.yaml\n$/,
    );
  });

  test.each([
    ['the file', 'shared.yaml'],
    ['its folder', ''],
  ])('is read where %s is allowed', async (_, allowed) => {
    expect((await importShared('--allow-ref', path(allowed))).stdout).toContain(declared);
  });

  test('is refused where the name of the file only begins with what is allowed', async () => {
    expect((await importShared('--allow-ref', path('share'))).code).toBe(2);
  });

  test('may name its own file', async () => {
    await write('own.json', { ...things('./own.json#/Thing'), ...shared });
    expect((await importFile('own.json')).stdout).toContain(declared);
  });

  test('gives a schema that is a whole file the name of the file', async () => {
    await mkdir(path('parts/more'), { recursive: true });
    await write('parts/Thing.yaml', dump(resourceOf({ part: { $ref: './more/Thing.json' } })));
    await write('parts/more/Thing.json', { type: 'string', enum: ['a', 'b'] });
    await write('split.json', things('./parts/Thing.yaml'));
    const { stdout } = await importFile('split.json', '--allow-ref', path('parts'));
    expect(stdout).toContain("export const Thing2 = openEnum(['a', 'b']);");
    expect(stdout).toContain('export const Thing = resource({ part: z.optional(Thing2) });');
  });

  test('is data in an example, a default, a constant and an extension', async () => {
    const example = { $ref: './missing.yaml#/Thing' };
    const field = { example, default: example, const: example, 'x-example': example };
    const { get } = list(resourceOf({ field }));
    const content = { 'application/json': { example, examples: { one: { value: example } } } };
    const post = { operationId: 'send', requestBody: { content }, responses: { 204: { description: '' } } };
    await write('examples.json', documentOf({ '/v1/things': { get }, '/v1/send': { post } }));
    const { code, stdout } = await importFile('examples.json');
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("endpoint('POST', 'send'") });
  });

  test('is refused where it leads to a host', async () => {
    await write('remote.json', things('https://example.com/thing.json?key=s3cret#/Thing'));
    const { code, stderr } = await importFile('remote.json');
    expect(code).toBe(2);
    expect(stderr).toMatch(/a reference leads to https:\/\/example.com\/thing.json; save what is there, /);
  });
});

import { once } from 'node:events';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { run, start } from './run-command.ts';
import { type Served, serveOrdering } from './served.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

// What only a process shows: exit codes of signals, pipes, and what an API file leaves open.

let workspace: Workspace;
let served: Served | undefined;
beforeAll(async () => {
  workspace = await createWorkspace();
});
afterEach(async () => {
  await served?.server.close();
  served = undefined;
});
afterAll(() => workspace.remove());

const createGate = () => Promise.withResolvers<void>();

/** Starts to read a list whose second page waits until it is released, and whose third page never comes. */
const readHeld = async () => {
  const [second, asked, aborted] = [createGate(), createGate(), createGate()];
  served = await serveOrdering((respond) => async (request) => {
    const page = new URL(request.url).searchParams.get('page');
    if (page === '2') await second.promise;
    if (page === '3') {
      request.signal.addEventListener('abort', () => aborted.resolve());
      asked.resolve();
      await aborted.promise;
    }
    return respond(request);
  });
  const args = ['get', './api.ts', 'orders', '--all', '--per-page=2'];
  const running = start(args, workspace.folder, served.env);
  return { ...running, release: second.resolve, asked: asked.promise, aborted: aborted.promise };
};

test('when the reader of the output is gone, get stops fetching, and ends with 141 and no message', async () => {
  const { release, child, finished, written } = await readHeld();
  await written('orders/2');
  child.stdout?.destroy();
  // The second page meets the closed pipe, and the third is not waited for.
  release();
  expect(await finished).toMatchObject({ code: 141, stderr: '' });
});

test.for([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends a long list with %i, and its requests on the way', async ([signal, code]) => {
  const { release, asked, aborted, child, finished, written } = await readHeld();
  release();
  await Promise.all([written('orders/4'), asked]);
  child.kill(signal);
  await aborted;
  const { stdout, ...rest } = await finished;
  expect(rest).toEqual({ code, stderr: '' });
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).id),
  ).toEqual([1, 2, 3, 4]);
});

test('SIGINT ends a mock with 0, also after the reader of its log is gone', async () => {
  const { child, finished, written } = start(['mock', './api.ts', '--port=0'], workspace.folder);
  let text = '';
  child.stdout?.on('data', (part: string) => {
    text += part;
  });
  await written('Stop with Ctrl-C.');
  const [url = ''] = /http:\/\/[\d.:]+/.exec(text) ?? [];
  child.stdout?.destroy();
  for (let count = 0; count < 3; count++) expect((await fetch(`${url}/v1/orders`)).status).toBe(401);
  child.kill('SIGINT');
  expect(await finished).toMatchObject({ code: 0, stderr: '' });
});

/** Writes an API file whose top-level code does more than to declare the API. */
const writeApi = (name: string, code: string): Promise<void> =>
  workspace.write(name, `export { ordering } from './api.ts';\n${code}\n`);

describe('an API file', () => {
  /** Starts to write much more than a pipe takes, while nobody reads. */
  const startLarge = async () => {
    await writeApi(
      'open.ts',
      `import { createServer } from 'node:net';
       import { ordering } from './api.ts';
       setInterval(() => undefined, 1_000);
       createServer().listen(0, '127.0.0.1');
       process.stderr.write('loaded');
       const { orders } = ordering.collections;
       const paths = Array.from({ length: 500 }, (_, index) => \`orders\${index}\`);
       const collections = Object.fromEntries(paths.map((path) => [path, { ...orders, path }]));
       export const large = { ...ordering, name: 'large', collections };`,
    );
    const running = start(['openapi', './open.ts', '--api=large'], workspace.folder);
    running.child.stdout?.pause();
    if (running.child.stderr !== null) await once(running.child.stderr, 'data');
    // Nothing shows that the pipe is full: it is given some time.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    return running;
  };

  test('that leaves a timer and a server open does not keep a command alive, which loses no output', async () => {
    const { child, finished } = await startLarge();
    child.stdout?.resume();
    const { code, stdout } = await finished;
    expect(code).toBe(0);
    expect(Object.keys(JSON.parse(stdout).paths)).toContain('/v1/orders499');
  });

  test('SIGINT ends a command whose reader takes nothing', async () => {
    const { child } = await startLarge();
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([130, null]);
  });

  test.for<readonly [string, string, string]>([
    ['enum.ts', 'export enum A { B }', './enum.ts cannot be loaded: '],
    ['package.ts', 'import "no-such-package";', "cannot be loaded: Cannot find package 'no-such-package'"],
    ['api.sh', '', './api.sh cannot be loaded: it must be a JavaScript or TypeScript file'],
    [
      'name.ts',
      'import { a } from "./orders"; export { a };',
      "name.ts; Node imports TypeScript by its name, such as './orders.ts'; or pass the compiled file",
    ],
    [
      'export.ts',
      'import { a } from "./commonjs.cts"; export { a };',
      'if it has that export, it is CommonJS by its name or by "type" in package.json: name it commonjs.mts, or',
    ],
    ['output.ts', 'import { a } from "./orders.js"; export { a };', '; Node imports TypeScript by its name'],
  ])('that cannot be loaded ends with 2: %s', async ([name, text, message]) => {
    await writeApi(name, text);
    await writeFile(join(workspace.folder, 'commonjs.cts'), 'export const a = 1;');
    const { code, stderr } = await run(['openapi', `./${name}`], workspace.folder);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  test.for<readonly [string, string, string, string]>([
    ['api.ts', 'import { a } from "./other.mts"; export { a };', 'it', 'api.mts, or pass the compiled file'],
    ['only.ts', 'export const a = 1;', 'it', 'only.mts, or pass the compiled file'],
    ['api.mts', 'import "./only.ts";', '/only.ts', 'only.mts, or pass the compiled file'],
    ['api.cts', 'import { a } from "./other.mts"; export { a };', 'it', 'api.mts, or pass the compiled file'],
    ['only.js', 'export const a = 1;', 'it', 'only.mjs'],
  ])(
    'that a CommonJS project cannot load ends with 2, and the name to give it: %s',
    async ([name, text, owner, way]) => {
      const folder = join(workspace.folder, 'commonjs');
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'package.json'), '{"type":"commonjs"}');
      await writeFile(join(folder, 'only.ts'), 'export const a = 1;');
      await writeFile(join(folder, name), text);
      const { code, stderr } = await run(['openapi', `commonjs/${name}`], workspace.folder);
      const reason = 'has `import` or `export`, and is CommonJS by its name or by "type" in package.json';
      expect(stderr).toMatch(new RegExp(`^restkin: commonjs/${name} cannot be loaded: \\S*`));
      expect(stderr).toContain(`${owner} ${reason}; name it ${way}\n`);
      expect({ code, lines: stderr.split('\n').length }).toEqual({ code: 2, lines: 2 });
    },
  );

  test('of a CommonJS project is loaded under the name that the message gives it, and compiled', async () => {
    const folder = join(workspace.folder, 'commonjs');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'package.json'), '{"type":"commonjs"}');
    await cp(join(workspace.folder, 'api.ts'), join(folder, 'named.mts'));
    const compiled = `const { defineApi } = require('restkin');
      exports.shop = defineApi({ name: 'shop', version: 1, auth: 'token', collections: {} });`;
    await writeFile(join(folder, 'compiled.js'), compiled);
    for (const name of ['named.mts', 'compiled.js']) {
      const { code, stderr } = await run(['openapi', `commonjs/${name}`], workspace.folder);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    }
  });
});

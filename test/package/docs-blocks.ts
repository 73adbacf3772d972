import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Consumer } from '../support/consumer.ts';

/** A block of code in a document, as the file that it is run as. */
export interface Block {
  /** Named by a comment in its first line, else by its number. */
  readonly file: string;
  readonly code: string;
}

const project = new URL('../../', import.meta.url);

/** Reads a document of the project. */
export const readDocument = (path: string): Promise<string> => readFile(new URL(path, project), 'utf8');

/** The entries of the package, as they are imported. */
export const readEntries = async (): Promise<readonly string[]> => {
  const { exports }: { exports: object } = JSON.parse(await readDocument('package.json'));
  return Object.keys(exports)
    .filter((entry) => entry !== './package.json')
    .map((entry) => `restkin${entry.slice(1)}`);
};

/** The blocks of one language, in their order. */
export const codeOf = (markdown: string, language: string): readonly string[] =>
  [...markdown.matchAll(/^```(\w+)[^\n]*\n([\s\S]*?)^```$/gm)]
    .filter(([, name]) => name === language)
    .map(([, , code = '']) => code);

/** The TypeScript blocks of a document. */
export const blocksOf = (markdown: string): readonly Block[] =>
  codeOf(markdown, 'ts').map((code, index) => ({
    file: /^\/\/ (\S+\.m?ts)\n/.exec(code)?.[1] ?? `block-${index + 1}.ts`,
    code,
  }));

/** The guides: every page of docs/ that a person has written. */
export const readGuides = async (): Promise<ReadonlyMap<string, string>> => {
  const names = (await readdir(new URL('docs', project))).filter((name) => name.endsWith('.md')).sort();
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readDocument(`docs/${name}`)] as const)),
  );
};

/** The declaration and the client of the README, which the blocks of all documents share. */
export const readShared = async (): Promise<readonly Block[]> =>
  blocksOf(await readDocument('README.md')).filter(({ file }) => ['ordering.ts', 'client.ts'].includes(file));

/**
 * True for a block of the README that reads from `restkin mock ordering.ts --generate 120`; the test of the
 * first hour runs it.
 */
export const isServed = ({ code }: Block): boolean =>
  code.includes("from './client.ts'") && !code.includes('restkin/msw');

/**
 * What a block promises to print: the comments behind its `console.log`. A comment that ends with `...` is a
 * beginning.
 */
export const promisedBy = ({ code }: Block): readonly string[] =>
  [...code.matchAll(/console\.log\(.*\)[^/\n]*\/\/ (.+)$/gm)].map(([, promised = '']) => promised);

/** The first promise that the output does not keep, in order; undefined when it keeps all of them. */
export const brokenPromise = (promises: readonly string[], output: string): string | undefined => {
  const lines = output.split('\n');
  return promises.find((promise) => {
    const keeps = (line: string): boolean =>
      promise.endsWith('...') ? line.startsWith(promise.slice(0, -3)) : line.trim() === promise;
    const index = lines.findIndex(keeps);
    lines.splice(0, index + 1);
    return index < 0;
  });
};

/** Stands between the blocks and the network: the API that the documents talk to. */
export const network = `
import { createMock } from 'restkin/mocks';
import { handlers } from 'restkin/msw';
import { http, HttpResponse, passthrough } from 'msw';
import { setupServer } from 'msw/node';
import { ordering } from './ordering.ts';

const statuses = ['open', 'shipped', 'cancelled'];
const mock = createMock(ordering, {
  data: {
    companies: [{ id: 1, name: 'Acme', city: 'Utrecht' }],
    orders: Array.from({ length: 120 }, (_, i) => ({
      id: i + 1,
      // Examples wait for order 7.
      status: i === 6 ? 'shipped' : statuses[i % 3],
      createdAt: new Date(Date.UTC(2026, 0, 1 + i)).toISOString(),
      device: { model: 'M1', serial: 'S-' + i },
      lines: [{ sku: 'SKU-1', quantity: 1 }],
      company: 1,
    })),
  },
  users: [{ username: 'ada', password: 'lovelace' }],
  baseUrl: 'https://api.example.com',
  authUrl: 'https://auth.example.com',
  endpoints: {
    'v1/recordings/3': () => new Response(new Uint8Array(1_000), {
      headers: { 'content-type': 'audio/wav', 'content-length': '1000' },
    }),
    'v1/recordings': async (request) => {
      const body = await request.arrayBuffer();
      return Response.json({ bytes: body.byteLength }, { status: 201 });
    },
    'v1/exports/3': () => new Response('{"sku":"A-1","sold":5}\\n', {
      headers: { 'content-type': 'application/x-ndjson' },
    }),
  },
});
// What a block serves by itself.
const loopback = http.all(/^http:\\/\\/127/, () => passthrough());
const reports = http.get('https://api.example.com/v1/reports/3', () =>
  new HttpResponse('a,b\\n1,2\\n', { headers: { 'content-type': 'text/csv' } }));
setupServer(loopback, reports, ...handlers(mock)).listen({ onUnhandledFrame: 'error' });
export const reset = () => mock.reset();
`;

/** What `npx restkin` finds in the package. */
export const commandOf = ({ folder }: Consumer): string => join(folder, 'node_modules/restkin/dist/cli.js');

/**
 * Serves a mock as `npx restkin mock` does, on a free port, while `use` runs with its URL; it has to end by
 * itself on SIGTERM.
 */
export const withMock = async (
  consumer: Consumer,
  args: readonly string[],
  use: (url: string) => Promise<void>,
): Promise<void> => {
  const mock = spawn(process.execPath, [commandOf(consumer), 'mock', ...args, '--port', '0'], {
    cwd: consumer.folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(mock, 'exit');
  try {
    let output = '';
    for await (const part of mock.stdout.iterator({ destroyOnReturn: false })) {
      output += String(part);
      if (output.includes('Stop with')) break;
    }
    await use(/http:\/\/\S+/.exec(output)?.[0] ?? '');
  } finally {
    mock.kill('SIGTERM');
    await ended;
  }
  expect(mock.exitCode).toBe(0);
};

/** Writes blocks into a folder of a consumer, with the network that they talk to. */
export const writeBlocks = async (consumer: Consumer, folder: string, blocks: readonly Block[]) => {
  await consumer.write(`${folder}/network.ts`, network);
  for (const { file, code } of blocks) await consumer.write(`${folder}/${file}`, code);
};

/** Runs one file between a program and the network. */
export const runBlock = (consumer: Consumer, folder: string, file: string) =>
  consumer.node(['--import', `./${folder}/network.ts`, `${folder}/${file}`]);

/**
 * Runs files of a folder one after the other in one process, and gives what each printed. Each has modules of
 * the folder of its own, and so its own clients, and a network in its first state. The process has to end by
 * itself, and to write nothing to stderr.
 */
export const runBlocks = async (
  consumer: Consumer,
  folder: string,
  files: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const program = `import { registerHooks } from 'node:module';
import { reset } from './${folder}/network.ts';
registerHooks({
  resolve: (specifier, context, next) => {
    const found = next(specifier, context);
    return specifier.startsWith('.') ? { ...found, url: found.url + new URL(context.parentURL).search } : found;
  },
});
for (const file of ${JSON.stringify(files)}) {
  console.log('@@' + file);
  reset();
  await import('./${folder}/' + file + '?' + file);
}
`;
  await consumer.write('run-all.js', program);
  const { stdout, stderr } = await consumer.node(['run-all.js']);
  if (stderr !== '') throw new Error(`${folder}: ${stderr}`);
  const parts = stdout.split(/^@@/m).slice(1);
  return new Map(
    parts.map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1)]),
  );
};

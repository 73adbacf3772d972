import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Consumer, compilersOfRun, createConsumer } from '../support/consumer.ts';
import {
  type Block,
  blocksOf,
  brokenPromise,
  codeOf,
  isServed,
  promisedBy,
  readDocument,
  readGuides,
  readShared,
  runBlock,
  runBlocks,
  writeBlocks,
} from './docs-blocks.ts';

// Every TypeScript block of the README and the guides, compiled and run against the packed package as a new
// user would.

const documents = new Map([['README.md', await readDocument('README.md')], ...(await readGuides())]);
const folderOf = (document: string): string => document.replace(/\.md$/, '').toLowerCase();
const blocks = [...documents].flatMap(([document, markdown]) =>
  blocksOf(markdown).map((block) => ({ folder: folderOf(document), file: block.file, block })),
);
/** True for a program of tests, which takes over its process. */
const hasRunner = ({ code }: Block): boolean => code.includes("from 'node:test'");
/** Components of React, which are compiled and not run. Each names its file. */
const components = [...documents.values()]
  .flatMap((markdown) => codeOf(markdown, 'tsx'))
  .map((code) => ({ folder: 'components', file: /^\/\/ (\S+\.tsx)\n/.exec(code)?.[1] ?? '', code }));

let consumer: Consumer;
beforeAll(async () => {
  consumer = await createConsumer();
  const shared = await readShared();
  for (const [document, markdown] of documents) {
    const own: readonly Block[] = blocksOf(markdown);
    if (own.length > 0) await writeBlocks(consumer, folderOf(document), [...shared, ...own]);
  }
  await writeBlocks(consumer, 'components', [...shared, ...components]);
}, 60_000);
afterAll(() => consumer.remove());

describe('the README and the guides', () => {
  test.each(compilersOfRun)(
    'their blocks and components of React compile with %s',
    async (compiler) => {
      expect(components.length).toBeGreaterThanOrEqual(3);
      const files = [...blocks, ...components].map(({ folder, file }) => `${folder}/${file}`);
      expect(await consumer.compile(compiler, files, ['--jsx', 'react-jsx'])).toBe('');
    },
    60_000,
  );

  test.each([...documents])('%s says how to install what its blocks import', (_document, markdown) => {
    const code = ['ts', 'tsx'].flatMap((language) => codeOf(markdown, language)).join('');
    const imports = [...code.matchAll(/from '((?:@[^/']+\/)?[^./'][^/']*)/g)].map(([, name = '']) => name);
    const lines = [...markdown.matchAll(/npm install ([^`\n]+)/g)].flatMap(([, names = '']) =>
      names.split(' '),
    );
    // Every page builds on the first example of the README.
    const installed = new Set([...lines, 'restkin', 'zod']);
    expect(imports.filter((name) => !name.startsWith('node:') && !installed.has(name))).toEqual([]);
  });

  test.each([...new Set(blocks.map(({ folder }) => folder))])(
    'the blocks of %s run, print what their comments say and end by themselves',
    async (name) => {
      const own = blocks.filter(
        ({ folder, block }) =>
          folder === name && !hasRunner(block) && !(name === 'readme' && isServed(block)),
      );
      const printed = await runBlocks(
        consumer,
        name,
        own.map(({ file }) => file),
      );
      const broken = own.map(({ file, block }) => brokenPromise(promisedBy(block), printed.get(file) ?? ''));
      expect(broken.filter((promise) => promise !== undefined)).toEqual([]);
    },
    60_000,
  );

  test.each(blocks.filter(({ block }) => hasRunner(block)))(
    '$folder: $file passes as a test of Node',
    async ({ folder, file }) => {
      expect((await runBlock(consumer, folder, file)).stderr).toBe('');
    },
    30_000,
  );

  test('their JavaScript blocks run as CommonJS', async () => {
    const scripts = [...documents.values()].flatMap((markdown) => codeOf(markdown, 'js'));
    expect(scripts).toHaveLength(1);
    for (const [index, code] of scripts.entries()) {
      await consumer.write(`scripts/${index}.cjs`, code);
      const { stdout, stderr } = await consumer.node([`scripts/${index}.cjs`]);
      expect(stderr).toBe('');
      expect(brokenPromise(promisedBy({ file: '', code }), stdout)).toBe(undefined);
    }
  }, 30_000);

  test('the provider gives its client to a service of NestJS', async () => {
    await consumer.write(
      'servers/use-nest.ts',
      `import 'reflect-metadata';
       import { type DynamicModule, Inject } from '@nestjs/common';
       import { NestFactory } from '@nestjs/core';
       import type { Client } from 'restkin';
       import { API_CLIENT, apiClientProvider } from './api-client.ts';
       class Service {
         readonly client: Client;
         constructor(client: Client) {
           this.client = client;
         }
       }
       // What the decorator of a parameter does: Node runs no decorators.
       Inject(API_CLIENT)(Service, undefined, 0);
       const module: DynamicModule = { module: class {}, providers: [apiClientProvider, Service] };
       const application = await NestFactory.createApplicationContext(module, { logger: false });
       console.log(application.get(Service).client.baseUrl);
       await application.close();`,
    );
    const { stdout } = await runBlock(consumer, 'servers', 'use-nest.ts');
    expect(stdout).toBe('https://api.example.com\n');
  }, 30_000);

  test('the shutdown of a service ends its requests before it closes the store and sends their spans', async () => {
    await consumer.write(
      'tenants/stop.ts',
      `import { createServer } from 'node:http';
       import { once } from 'node:events';
       import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
       import { trace } from '@opentelemetry/api';
       import { createClient, tokenAuth } from 'restkin';
       import { createMock } from 'restkin/mocks';
       import { otelTrace } from 'restkin/otel';
       import { ordering } from './ordering.ts';
       import { stopCleanly } from './shutdown.ts';
       const exporter = {
         export: (spans, done) => {
           for (const { name } of spans) console.log(name);
           done({ code: 0 });
         },
         shutdown: async () => undefined,
       };
       const provider = new TracerProvider({ spanProcessors: [new BatchSpanProcessor({ exporter })] });
       trace.setGlobalTracerProvider(provider);
       const mock = createMock(ordering, { generate: 1 });
       const auth = tokenAuth({ authUrl: 'https://auth.example.com', username: 'ada', password: 'lovelace' });
       const baseUrl = 'https://api.example.com';
       const { orders } = createClient({ baseUrl, auth, fetch: mock.fetch, trace: otelTrace() }).api(ordering);
       const store = { close: () => console.log('closed') };
       const server = createServer(async (_request, response) => {
         process.kill(process.pid, 'SIGTERM');
         await once(process, 'SIGTERM');
         response.end(JSON.stringify(await orders.get(1)));
         console.log('responded');
       });
       stopCleanly(server, store, provider);
       server.listen(0, '127.0.0.1', async () => {
         await fetch('http://127.0.0.1:' + server.address().port);
       });`,
    );
    const { stdout, stderr } = await consumer.node(['tenants/stop.ts']);
    expect(stderr).toBe('');
    expect(stdout.trim().split('\n')).toEqual([
      'responded',
      'closed',
      'POST /auth/token',
      'GET /v1/orders/{id}',
    ]);
  }, 30_000);

  // SQLite takes the same statements, and numbered parameters by name.
  test('the store for PostgreSQL is a token store', async () => {
    const rules = new URL('../support/token-store-rules.ts', import.meta.url);
    await consumer.write('authentication/token-store-rules.ts', await readFile(rules, 'utf8'));
    await consumer.write(
      'authentication/check.ts',
      `import { DatabaseSync } from 'node:sqlite';
       import { checkTokenStore } from './token-store-rules.ts';
       import { postgresStore } from './postgres-store.ts';
       const database = new DatabaseSync(':memory:');
       database.exec('CREATE TABLE token_chains (chain text primary key, version integer not null, record text not null)');
       const query = async (sql, values) => {
         const statement = database.prepare(sql);
         const named = Object.fromEntries(values.map((value, index) => ['$' + (index + 1), value]));
         if (sql.startsWith('SELECT')) return { rows: statement.all(named), rowCount: null };
         return { rows: [], rowCount: Number(statement.run(named).changes) };
       };
       await checkTokenStore(() => postgresStore({ query }));
       console.log('checked');`,
    );
    const { stdout } = await consumer.node(['authentication/check.ts']);
    expect(stdout).toBe('checked\n');
  }, 30_000);

  test('CommonJS compiles under nodenext and not under node16', async () => {
    await consumer.write(
      'common.cts',
      `import { createClient } from 'restkin';\nconsole.log(typeof createClient);\n`,
    );
    expect(await consumer.compile('typescript-7', ['common.cts'])).toBe('');
    const older = ['--module', 'node16', '--moduleResolution', 'node16'];
    expect(await consumer.compile('typescript-7', ['common.cts'], older)).toContain('TS1479');
  }, 30_000);
});

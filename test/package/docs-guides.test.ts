import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Consumer, compilers, createConsumer } from '../support/consumer.ts';
import { type Block, blocksOf, readDocument, runBlock, writeBlocks } from './docs-blocks.ts';

// Every TypeScript block of the guides, compiled and run against the packed package. They share the declaration of the
// README.

const guides = [
  'installing',
  'declaring-an-api',
  'sharing-tokens',
  'testing',
  'choosing-a-fetch',
  'browser-and-react',
  'doctor',
] as const;
const shared = blocksOf(await readDocument('README.md')).filter(({ file }) => file === 'ordering.ts');
const blocks = new Map<string, readonly Block[]>();
for (const guide of guides) blocks.set(guide, blocksOf(await readDocument(`docs/${guide}.md`)));
const all = [...blocks].flatMap(([guide, some]) => some.map(({ file }) => [guide, file] as const));

let consumer: Consumer;

beforeAll(async () => {
  consumer = await createConsumer();
  for (const [guide, some] of blocks) await writeBlocks(consumer, guide, [...shared, ...some]);
}, 60_000);
afterAll(() => consumer.remove());

const printed = async (guide: string, has: string): Promise<readonly string[]> => {
  const block = blocks.get(guide)?.find(({ code }) => code.includes(has));
  const { stdout } = await runBlock(consumer, guide, block?.file ?? has);
  return stdout.trimEnd().split('\n');
};

describe('the guides', () => {
  test.each(compilers)(
    'their blocks compile with %s',
    async (compiler) => {
      const files = all.map(([guide, file]) => `${guide}/${file}`);
      expect(await consumer.compile(compiler, files)).toBe('');
    },
    60_000,
  );

  test.each(all)(
    '%s: %s runs and ends by itself',
    async (guide, file) => {
      const { stderr } = await runBlock(consumer, guide, file);
      expect(stderr).toBe('');
    },
    30_000,
  );

  test('what their comments promise is what is printed', async () => {
    expect(await printed('declaring-an-api', 'made.createdAt')).toEqual(['0']);
    expect(await printed('testing', 'AmbiguousOutcomeError')).toEqual(['true', 'shipped', 'status']);
    expect(await printed('testing', 'finishesAfterMs')).toEqual(['ordering 2031', 'accepted true', 'false']);
    const [, misfit] = await printed('testing', 'setRows');
    expect(misfit).toMatch(/^data\.companies\[0\] does not fit the collection "companies": city: /);
    expect(await printed('sharing-tokens', 'useTokens')).toEqual(['log in again']);
  }, 60_000);

  // SQLite takes the same statements, and numbered parameters by name.
  test('the store of the guide is a token store', async () => {
    await consumer.write(
      'sharing-tokens/check.ts',
      `import { DatabaseSync } from 'node:sqlite';
       import { checkTokenStore } from 'restkin/mocks';
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
    const { stdout } = await consumer.node(['sharing-tokens/check.ts']);
    expect(stdout).toBe('checked\n');
  }, 30_000);
});

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Consumer, createConsumer } from '../support/consumer.ts';

const run = promisify(execFile);
const project = fileURLToPath(new URL('../../', import.meta.url));

let consumer: Consumer;
beforeAll(async () => {
  consumer = await createConsumer();
}, 60_000);
afterAll(() => consumer.remove());

describe('the packed package', () => {
  test('holds the build, its declarations and the texts, nothing else', () => {
    const unexpected = consumer.files.filter(
      (path) => !/^(dist\/[\w.-]+\.(js|d\.ts)|package\.json|README\.md|CHANGELOG\.md|LICENSE)$/.test(path),
    );
    expect(unexpected).toEqual([]);
    expect(consumer.files).toEqual(expect.arrayContaining(['dist/index.js', 'dist/mocks.d.ts', 'LICENSE']));
  });

  test('is imported and required', async () => {
    await consumer.write('esm.js', `import * as all from 'restkin'; console.log(typeof all.createClient);`);
    await consumer.write('cjs.cjs', `console.log(typeof require('restkin').createClient);`);
    expect((await consumer.node(['esm.js'])).stdout).toBe('function\n');
    expect((await consumer.node(['cjs.cjs'])).stdout).toBe('function\n');
  });

  test('its main entry imports Web APIs, zod and its three dependencies only', async () => {
    const seen = new Set<string>();
    const follow = async (file: string): Promise<void> => {
      const code = await readFile(join(consumer.folder, 'node_modules/restkin/dist', file), 'utf8');
      for (const [, from = ''] of code.matchAll(/(?:from|import)\s*\(?\s*["']([^"']+)["']/g)) {
        if (from.startsWith('./')) await follow(from.slice(2));
        else seen.add(from);
      }
    };
    await follow('index.js');
    expect([...seen].sort((a, b) => a.localeCompare(b))).toEqual(['ky', 'p-retry', 'zod/v4/core']);
  });

  test('its declarations name no type of ky', async () => {
    const declarations = consumer.files.filter((path) => path.endsWith('.d.ts'));
    const texts = await Promise.all(
      declarations.map((path) => readFile(join(consumer.folder, 'node_modules/restkin', path), 'utf8')),
    );
    expect(texts.join('\n')).not.toMatch(/from ["']ky["']/);
  });

  test('passes publint', async () => {
    const publint = join(project, 'node_modules/publint/src/cli.js');
    const { stdout } = await run(process.execPath, [publint, '--strict', '--pack', 'false', project]);
    expect(stdout).toContain('All good!');
  }, 60_000);
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import * as restkin from '../../src/index.ts';
import { readDocument } from '../package/docs-blocks.ts';

const source = fileURLToPath(new URL('../../src', import.meta.url));

/** The first cells of a page's tables. */
const firstCells = (markdown: string): readonly string[] =>
  [...markdown.matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell = '']) => cell.replaceAll('`', ''));

describe('the table of errors', () => {
  const rows = async (): Promise<readonly (readonly [code: string, name: string])[]> =>
    [...(await readDocument('docs/errors.md')).matchAll(/^\| `([a-z_]+)` \| `(\w+)` \|/gm)].map(
      ([, code = '', name = '']) => [code, name],
    );

  test('has a row for each code of the public surface', async () => {
    const report = await readDocument('scripts/api/index.api.md');
    const literals = [
      ...report.matchAll(/^ +(?:override )?readonly code(?:: | = )((?:["']\w+["'](?: \| )?)+)/gm),
    ];
    const codes = literals.flatMap(([, union = '']) => [...union.matchAll(/\w+/g)].map(([code]) => code));
    // Of a status that the conventions do not have; its type is any string.
    const { code } = new restkin.ApiError({ status: 418 });
    const documented = (await rows()).map(([code]) => code);
    expect(documented.toSorted()).toEqual([...new Set([...codes, code])].toSorted());
  });

  test('names a class that is exported, and each class of an error once', async () => {
    const named = (await rows()).map(([, name]) => name);
    const abstract = ['RequestError', 'RestkinError'];
    const exported = Object.entries(restkin)
      .filter(([, value]) => typeof value === 'function' && value.prototype instanceof Error)
      .map(([name]) => name);
    expect(named.toSorted()).toEqual(exported.filter((name) => !abstract.includes(name)).toSorted());
  });
});

describe('the guide to troubleshooting', () => {
  /** Every source as one string, without what is computed in a message. */
  const sources = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(source, name), 'utf8'))
    .join('\n')
    .replace(/[`\\]/g, '')
    .replace(/\$\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/g, '…');
  // Of npm, Jest, the compiler, the runtime and zod.
  const others = /^(?:ERESOLVE|Must use import|Cannot |TS\d+|E[A-Z]{6,}|[A-Z]+_|TypeError|… at 0|… expected)/;

  test('names messages that restkin has', async () => {
    const messages = firstCells(await readDocument('docs/troubleshooting.md'));
    expect(messages.length).toBeGreaterThan(30);
    const parts = messages
      .filter((message) => !others.test(message))
      .flatMap((message) => message.split('…'))
      .map((part) => part.replace(/^["\s]+|["\s]+$/g, ''));
    expect(parts.filter((part) => !sources.includes(part))).toEqual([]);
  });
});

import type { Diagnosis } from 'restkin/doctor';
import { describe, expect, test } from 'vitest';
import { mutants } from './mutants.ts';
import { examineBroken } from './server.ts';

const failedIn = ({ findings }: Diagnosis) =>
  findings.flatMap((finding) =>
    finding.outcome === 'fail'
      ? [`${finding.rule}, ${finding.where}: ${finding.expected}; ${finding.found}`]
      : [],
  );

const rulesOf = (failed: readonly string[]) => [...new Set(failed.map((line) => line.split(',')[0]))];

const ruleOf = (name: string) => name.split(': ')[0];

describe('a server that breaks one rule fails this rule and no other', () => {
  test('and one that breaks none fails none', async () => {
    const diagnosis = await examineBroken((seen, next) => next(seen), { allowWrites: true });
    expect(failedIn(diagnosis)).toEqual([]);
    expect(diagnosis.leftBehind).toEqual([]);
  });

  test.each(Object.entries(mutants.reading))('%s', async (name, create) => {
    const failed = failedIn(await examineBroken(create()));
    expect({ rules: rulesOf(failed), failed }).toMatchObject({ rules: [ruleOf(name)] });
  });

  test.each(Object.entries(mutants.writing))('%s', async (name, create) => {
    const diagnosis = await examineBroken(create(), { allowWrites: true });
    const failed = failedIn(diagnosis);
    expect({ rules: rulesOf(failed), failed }).toMatchObject({ rules: [ruleOf(name)] });
    expect(diagnosis.leftBehind).toEqual([]);
    expect(diagnosis.mock.state.rows('orders')).toHaveLength(40);
  });

  test('and a rule that depends on the broken one names it', async () => {
    const diagnosis = await examineBroken((seen, next) => {
      if (/^\d+$/.test(seen.url.searchParams.get('page') ?? '')) seen.url.searchParams.delete('page');
      return next(seen);
    });
    expect(diagnosis.findings).toContainEqual(
      expect.objectContaining({ rule: '§4.5 Link', where: 'orders', blockedBy: '§4.4 page' }),
    );
  });
});

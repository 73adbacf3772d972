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

const everything = { allowWrites: true } as const;

describe('a server that breaks one rule fails this rule and no other', () => {
  test('and one that breaks none fails none', async () => {
    const diagnosis = await examineBroken((seen, next) => next(seen), everything);
    expect(failedIn(diagnosis)).toEqual([]);
    expect(diagnosis.leftBehind).toEqual([]);
  });

  test.each(mutants.reading)('$rule: $what', async ({ rule, change }) => {
    const failed = failedIn(await examineBroken(change()));
    expect({ rules: rulesOf(failed), failed }).toMatchObject({ rules: [rule] });
  });

  test('and a rule that depends on the broken one names it', async () => {
    const ignored = mutants.reading.find(
      ({ what, rule }) => rule === '§4.4 page' && what === 'it is ignored',
    );
    const { findings } = await examineBroken(ignored?.change() ?? ((seen, next) => next(seen)));
    const blocked = findings.filter((finding) => 'blockedBy' in finding && finding.where === 'orders');
    expect(blocked).toContainEqual(expect.objectContaining({ rule: '§4.5 Link', blockedBy: '§4.4 page' }));
  });

  test.each(mutants.writing)('$rule: $what', async ({ rule, change }) => {
    const diagnosis = await examineBroken(change(), everything);
    const failed = failedIn(diagnosis);
    expect({ rules: rulesOf(failed), failed }).toMatchObject({ rules: [rule] });
    expect(diagnosis.leftBehind).toEqual([]);
    expect(diagnosis.mock.state.rows('orders')).toHaveLength(40);
  });
});

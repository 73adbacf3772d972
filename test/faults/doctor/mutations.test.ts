import type { Diagnosis } from 'restkin/doctor';
import { describe, expect, test } from 'vitest';
import { changeSuccess, isList, jsonOf, type Rows, withField } from './mutants/words.ts';
import { mutants } from './mutants.ts';
import { type Break, examineBroken } from './server.ts';
import { useServer } from './use.ts';

type Examination = ReturnType<typeof examineBroken>;

const failedIn = ({ findings }: Diagnosis) =>
  findings.flatMap((finding) =>
    finding.outcome === 'fail'
      ? [`${finding.rule}, ${finding.where}: ${finding.expected}; ${finding.found}`]
      : [],
  );

/** The diagnosis of a server that breaks one rule, which is made once. */
const examinations = new Map<string, Examination>();
const examine = (name: string, create: () => Break, writes: boolean): Examination => {
  const key = `${name}, ${writes}`;
  const known = examinations.get(key) ?? examineBroken(create(), { allowWrites: writes });
  examinations.set(key, known);
  return known;
};

const rulesOf = (failed: readonly string[]) => [...new Set(failed.map((line) => line.split(',')[0]))];

const ruleOf = (name: string) => name.split(': ')[0];

describe('a server that breaks one rule fails this rule and no other', () => {
  test('and one that breaks none fails none', async () => {
    const diagnosis = await examineBroken((seen, next) => next(seen), { allowWrites: true });
    expect(failedIn(diagnosis)).toEqual([]);
    expect(diagnosis.leftBehind).toEqual([]);
  });

  test.each(Object.entries(mutants.reading))('%s', async (name, create) => {
    const failed = failedIn(await examine(name, create, false));
    expect({ rules: rulesOf(failed), failed }).toMatchObject({ rules: [ruleOf(name)] });
  });

  test.each(Object.entries(mutants.writing))('%s', async (name, create) => {
    const diagnosis = await examine(name, create, true);
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

const failsInUse = async (change: Break, writes: boolean): Promise<boolean> =>
  useServer(change, { writes }).then(
    () => false,
    () => true,
  );

describe('a failure is fatal exactly where a program fails that uses the client', () => {
  const reading = Object.entries(mutants.reading).map(([name, create]) => ({ name, create, writes: false }));
  const writing = Object.entries(mutants.writing).map(([name, create]) => ({ name, create, writes: true }));

  test.each([...reading, ...writing])('$name', async ({ name, create, writes }) => {
    const { findings, works } = await examine(name, create, writes);
    const isFatal = findings.some((finding) => finding.outcome === 'fail' && finding.isFatal);
    expect(isFatal).toBe(await failsInUse(create(), writes));
    expect(works).toBe(!isFatal);
  });

  const totalPages = 'x-pagination-total-pages';
  const totalCount = 'x-pagination-total-count';
  const onePage = { [totalPages]: () => '1' };
  const ofPage = { [totalCount]: (rows: number) => String(rows) };

  test.each([
    ['the number of pages is 1', onePage],
    ['the total is the number of records of the page', ofPage],
    ['and so is that without a number of pages', { ...ofPage, [totalPages]: () => undefined }],
  ])(
    'without links, %s',
    async (_, fields: Readonly<Record<string, (rows: number) => string | undefined>>) => {
      const change = changeSuccess(isList, (usual) => {
        const rows = jsonOf<Rows>(usual).length;
        const changes = Object.entries(fields).map(([name, value]) => [name, value(rows)] as const);
        return changes.reduce(
          (reply, [name, value]) => withField(reply, name, value),
          withField(usual, 'link'),
        );
      });
      const { findings } = await examineBroken(change());
      const isFatal = findings.some((finding) => finding.outcome === 'fail' && finding.isFatal);
      expect(isFatal).toBe(await failsInUse(change(), false));
    },
  );
});

import { describe, expect, test } from 'vitest';
import { mutants } from './mutants.ts';
import { type Break, examineBroken } from './server.ts';
import { useServer } from './use.ts';

const failsInUse = async (change: Break, writes: boolean): Promise<boolean> =>
  useServer(change, { writes }).then(
    () => false,
    () => true,
  );

describe('a failure is fatal exactly where a program fails that uses the client', () => {
  const reading = Object.entries(mutants.reading).map(([name, create]) => ({ name, create, writes: false }));
  const writing = Object.entries(mutants.writing).map(([name, create]) => ({ name, create, writes: true }));

  test.each([...reading, ...writing])('$name', async ({ create, writes }) => {
    const { findings, works } = await examineBroken(create(), { allowWrites: writes });
    const isFatal = findings.some((finding) => finding.outcome === 'fail' && finding.isFatal);
    expect(isFatal).toBe(await failsInUse(create(), writes));
    expect(works).toBe(!isFatal);
  });
});

import { describe, expect, test } from 'vitest';
import { mutants } from './mutants.ts';
import { type Break, examineBroken } from './server.ts';
import { useServer } from './use.ts';

/** Lists that a program may read to the end, and cannot tell from those that end too early. */
const silent: ReadonlySet<string> = new Set(['§4.5 X-Pagination-Total-Count: it is one too many']);

const failsInUse = async (change: Break, writes: boolean): Promise<boolean> =>
  useServer(change, { writes }).then(
    () => false,
    () => true,
  );

describe('a failure is fatal exactly where a program fails that uses the client', () => {
  const reading = Object.entries(mutants.reading).map(([name, create]) => ({ name, create, writes: false }));
  const writing = Object.entries(mutants.writing).map(([name, create]) => ({ name, create, writes: true }));

  test.each([...reading, ...writing])('$name', async ({ name, create, writes }) => {
    const { findings, works } = await examineBroken(create(), { allowWrites: writes });
    const isFatal = findings.some((finding) => finding.outcome === 'fail' && finding.isFatal);
    expect(isFatal).toBe((await failsInUse(create(), writes)) || silent.has(name));
    expect(works).toBe(!isFatal);
  });
});

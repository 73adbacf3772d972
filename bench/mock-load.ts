import { once } from 'node:events';
import { listen, runScript } from './processes.ts';
import type { Table } from './report.ts';
import { spreadOf } from './statistics.ts';

const kinds = { plain: 'node:http, the page prepared', mock: "the mock's server" };

const cpuOf = async (child: Awaited<ReturnType<typeof listen>>['child']): Promise<number> => {
  const answer = once(child, 'message') as Promise<[NodeJS.CpuUsage]>;
  child.send('cpu');
  const [{ user, system }] = await answer;
  return (user + system) / 1_000_000;
};

const measureOnce = async (kind: string, seconds: number) => {
  await using server = await listen('mock-server', kind);
  const before = await cpuOf(server.child);
  const { perSecond = 0, answered = 0 } = await runScript('load', [server.origin, String(seconds)]);
  const cpuS = (await cpuOf(server.child)) - before;
  return { perSecond, perCpuSecond: answered / cpuS };
};

/** Requests per second for a sorted page of 25 of 10,000 rows, over 16 connections from another process. */
export const compareMock = async (quick: boolean): Promise<Table> => {
  const rounds = quick ? 1 : 3;
  const measured = Object.keys(kinds).map((kind) => ({
    kind,
    runs: [] as Awaited<ReturnType<typeof measureOnce>>[],
  }));
  for (let round = 0; round < rounds; round++) {
    for (const { kind, runs } of measured) runs.push(await measureOnce(kind, quick ? 1 : 3));
  }
  const [plain] = measured;
  return {
    heading: 'The mock over HTTP: a page of 25 from 10,000 rows, sorted by two fields, token checked',
    columns: ['', 'requests/s', 'requests/s of CPU', 'ratio'],
    rows: measured.map(({ kind, runs }) => {
      const ratios = runs.map(
        ({ perCpuSecond }, round) => perCpuSecond / (plain?.runs[round]?.perCpuSecond ?? 1),
      );
      return [
        kinds[kind as keyof typeof kinds],
        spreadOf(runs.map(({ perSecond }) => perSecond)).median.toFixed(0),
        spreadOf(runs.map(({ perCpuSecond }) => perCpuSecond)).median.toFixed(0),
        spreadOf(ratios).median.toFixed(3),
      ];
    }),
  };
};

// One measurement in a process of its own: the task comes as an argument, the figures go to the output.
import { writeSync } from 'node:fs';
import type { Connect } from './wire.ts';
import type { Amount, Around, Workload } from './workloads.ts';

/** What a measured process is told. */
export interface Task {
  readonly peer: string;
  readonly workload: Workload | 'cold';
  readonly where: {
    readonly origin: string;
    readonly delayMs: number;
    readonly concurrency?: number | undefined;
  };
  readonly amount: Amount;
  /** Where to write a CPU profile of the measured part. */
  readonly profile?: string | undefined;
}

const connectTo = async ({ peer, where }: Task, records: number) => {
  // Built beside this file. The bundler would look for a path that it can read here.
  const file = new URL(`./peers/${peer}.js`, import.meta.url).href;
  const { connect } = (await import(file)) as { connect: Connect };
  const { origin, delayMs, ...rest } = where;
  return connect({ baseUrl: `${origin}/${records}/${delayMs}`, authUrl: origin, ...rest });
};

/** From nothing to the first answer. Nothing that the peer does not need is loaded before it. */
const startCold = async (task: Task) => {
  const before = performance.now();
  const peer = await connectTo(task, task.amount.count);
  const { id } = await peer.get(7);
  const now = performance.now();
  return { read: id === 7 ? 1 : 0, processMs: now, importMs: now - before };
};

const nothing = async (): Promise<void> => undefined;

const aroundOf = async (profile: string | undefined): Promise<Around> =>
  profile === undefined
    ? { begin: nothing, end: nothing }
    : (await import('./cpu-profile.ts')).profiling(profile);

const work = async (task: Task) => {
  if (task.workload === 'cold') return startCold(task);
  const { workloads } = await import('./workloads.ts');
  const { count, warmUp } = task.amount;
  const measuring = {
    peer: await connectTo(task, count),
    shortList: await connectTo(task, warmUp),
    around: await aroundOf(task.profile),
  };
  return workloads[task.workload](measuring, task.amount);
};

const figures = await work(JSON.parse(process.argv[2] ?? '') as Task);
writeSync(1, JSON.stringify(figures));
// Connections that are kept alive would hold the process.
process.exit();

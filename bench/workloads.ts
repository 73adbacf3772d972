import { checksumOf, type Peer } from './wire.ts';

/** How much a measured process does. */
export interface Amount {
  /** Requests, or records of the list. */
  readonly count: number;
  /** The same before the measurement, so that compiled code is what is measured. */
  readonly warmUp: number;
}

/** Figures by name. */
export type Figures = Readonly<Record<string, number>>;

/** What happens around the measured part, for a profile. */
export interface Around {
  readonly begin: () => Promise<void>;
  readonly end: () => Promise<void>;
}

/** What a measurement works with. */
export interface Measuring {
  readonly peer: Peer;
  /** The same peer with a short list, to warm up with. */
  readonly shortList: Peer;
  readonly around: Around;
}

const getMany = async (peer: Peer, count: number, inFlight: number): Promise<void> => {
  let sent = 0;
  let sum = 0;
  let expected = 0;
  const run = async (): Promise<void> => {
    while (sent < count) {
      const id = (sent++ % 1000) + 1;
      expected += id;
      const thing = await peer.get(id);
      sum += thing.id;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, run));
  if (sum !== expected) throw new Error(`The ids add up to ${sum}, and ${expected} were asked for`);
};

const readList = async (peer: Peer, onRecord?: (read: number) => void): Promise<Figures> => {
  let read = 0;
  let checksum = 0;
  for await (const thing of peer.list()) {
    checksum += checksumOf(thing);
    read++;
    onRecord?.(read);
  }
  return { read, checksum };
};

/** CPU of this process, user and system, and the time that passed. */
const measured = async (run: () => Promise<Figures>, { begin, end }: Around): Promise<Figures> => {
  await begin();
  const cpu = process.cpuUsage();
  const start = performance.now();
  const figures = await run();
  const wallMs = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  await end();
  return { ...figures, wallMs, cpuMs: (user + system) / 1000 };
};

const requests =
  (inFlight: number) =>
  async ({ peer, around }: Measuring, { count, warmUp }: Amount): Promise<Figures> => {
    await getMany(peer, warmUp, inFlight);
    const run = async (): Promise<Figures> => {
      await getMany(peer, count, inFlight);
      return { read: count };
    };
    const { read = count, wallMs = 0, cpuMs = 0 } = await measured(run, around);
    return { read, cpuUs: (cpuMs * 1000) / count, wallUs: (wallMs * 1000) / count };
  };

const iterate = async ({ peer, shortList, around }: Measuring): Promise<Figures> => {
  // restkin logs in with its first request, and the others have done so already.
  await peer.get(1);
  await readList(shortList);
  return measured(() => readList(peer), around);
};

const megabyte = 1024 * 1024;

/** What stays alive, after the garbage is gone. */
const liveHeapMb = (): number => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / megabyte;
};

const memory = async ({ peer }: Measuring, { count }: Amount): Promise<Figures> => {
  const firstAt = count / 10;
  let early = 0;
  let late = 0;
  let peakHeap = 0;
  const figures = await readList(peer, (read) => {
    if (read % 1000 === 500) peakHeap = Math.max(peakHeap, process.memoryUsage().heapUsed / megabyte);
    if (read === firstAt) early = liveHeapMb();
    if (read === count - 1) late = liveHeapMb();
  });
  return {
    ...figures,
    peakRssMb: process.resourceUsage().maxRSS / 1024,
    peakHeapMb: peakHeap,
    growthMb: late - early,
  };
};

/** What a measured process can be asked to do. */
export const workloads = { sequential: requests(1), inFlight: requests(50), iterate, memory };

export type Workload = keyof typeof workloads;

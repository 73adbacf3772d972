import { entryOf } from './build.ts';
import { exists } from './exists.ts';
import { type Listening, measure } from './processes.ts';
import type { Scenario } from './scenarios.ts';
import type { Task } from './worker.ts';
import type { Figures } from './workloads.ts';

/** What one peer measured, round by round. */
export type Measured = ReadonlyMap<string, readonly Figures[]>;

/** How a run is made. */
export interface RunOptions {
  readonly quick: boolean;
  /** The build of restkin that is measured. */
  readonly dist: string;
}

/** The task of a peer; `restkin@8` is `restkin` with a concurrency of 8. */
export const toTask = (scenario: Scenario, name: string, origin: string, quick: boolean): Task => {
  const [peer = '', concurrency] = name.split('@');
  const { workload, delayMs } = scenario;
  const { count, warmUp } = quick ? scenario.quick : scenario.amount;
  const where = { origin, delayMs, concurrency: concurrency === undefined ? undefined : Number(concurrency) };
  return { peer, workload, where, amount: { count, warmUp } };
};

/** The peers that there are: an entry point may not be built yet. */
export const availablePeers = async (peers: readonly string[], dist: string): Promise<readonly string[]> => {
  const hasUndici = await exists(entryOf(dist, 'restkin/undici'));
  return peers.filter((peer) => hasUndici || !peer.startsWith('restkin-undici'));
};

/** Peers must deliver the same: the same number of records, and the same records. */
const checkSame = (name: string, figures: Figures, reference: Figures): void => {
  if (figures.read === reference.read && figures.checksum === reference.checksum) return;
  const show = ({ read, checksum }: Figures): string => `${read} records with checksum ${checksum}`;
  throw new Error(`${name} delivered ${show(figures)}, the reference ${show(reference)}`);
};

/** The mean of two measurements. */
const meanOf = (a: Figures, b: Figures): Figures =>
  Object.fromEntries(Object.entries(a).map(([name, value]) => [name, (value + (b[name] ?? value)) / 2]));

/** Measures all peers of a scenario in turns, each measurement in a fresh process. */
export const compare = async (
  scenario: Scenario,
  { origin }: Listening,
  { quick, dist }: RunOptions,
): Promise<Measured> => {
  const { name, reference } = scenario;
  const peers = await availablePeers(scenario.peers, dist);
  const rounds = quick ? scenario.quick.rounds : scenario.rounds;
  const measured = new Map<string, Figures[]>(peers.map((peer) => [peer, []]));
  const take = (peer: string): Promise<Figures> => measure(toTask(scenario, peer, origin, quick));

  for (let round = 0; round < rounds; round++) {
    // Every ratio of a round hangs on the reference, so it is measured before the others and after them.
    const before = await take(reference);
    // Another one begins each round, so that nobody always comes after the same one.
    const others = peers.filter((peer) => peer !== reference);
    const turn = round % others.length;
    for (const peer of [...others.slice(turn), ...others.slice(0, turn)]) {
      const figures = await take(peer);
      checkSame(`${name}: ${peer}`, figures, before);
      measured.get(peer)?.push(figures);
    }
    measured.get(reference)?.push(meanOf(before, await take(reference)));
  }
  return measured;
};

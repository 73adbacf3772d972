import type { Task } from './worker.ts';
import type { Amount } from './workloads.ts';

/** A figure of a scenario, and what its ratio to the reference must not exceed. */
export interface Metric {
  readonly figure: string;
  readonly label: string;
  readonly unit: string;
  readonly targets: Readonly<Record<string, number>>;
}

/** One comparison: the same work by several peers. */
export interface Scenario {
  readonly name: string;
  readonly title: string;
  readonly workload: Task['workload'];
  /** What the others are compared with. */
  readonly reference: string;
  /** Names of peers; `@1` and `@8` are given as `concurrency`. */
  readonly peers: readonly string[];
  readonly delayMs: number;
  readonly metrics: readonly Metric[];
  readonly rounds: number;
  readonly amount: Amount;
  /** For `--quick`, which is about whether it works. */
  readonly quick: Amount & { readonly rounds: number };
}

const all = [
  'fetch',
  'fetch-zod',
  'undici-request',
  'ofetch',
  'ky',
  'axios',
  'octokit',
  'openapi-fetch',
  'restkin',
  'restkin-ky',
  'restkin-undici',
] as const;

const each = (figure: string, label: string, unit: string, targets: Metric['targets'] = {}): Metric => ({
  figure,
  label,
  unit,
  targets,
});

export const scenarios: readonly Scenario[] = [
  {
    name: 'sequential',
    title: 'GET of one resource, one after the other',
    workload: 'sequential',
    reference: 'fetch',
    peers: all,
    delayMs: 0,
    metrics: [
      each('cpuUs', 'CPU per request', 'µs', { restkin: 1.2, 'restkin-undici': 0.85 }),
      each('wallUs', 'time per request', 'µs'),
    ],
    rounds: 5,
    amount: { count: 3_000, warmUp: 3_000 },
    quick: { rounds: 2, count: 1_000, warmUp: 1_500 },
  },
  {
    name: 'in-flight',
    title: 'GET of one resource, 50 in flight',
    workload: 'inFlight',
    reference: 'fetch',
    peers: all,
    delayMs: 0,
    metrics: [
      each('cpuUs', 'CPU per request', 'µs', { restkin: 1.3, 'restkin-undici': 0.8 }),
      each('wallUs', 'time per request', 'µs'),
    ],
    rounds: 5,
    amount: { count: 4_000, warmUp: 5_000 },
    quick: { rounds: 2, count: 2_000, warmUp: 2_000 },
  },
  {
    name: 'iterate',
    title: '100,000 records (half of them with --quick), 100 a page, `for await`',
    workload: 'iterate',
    reference: 'fetch',
    peers: all,
    delayMs: 0,
    metrics: [
      each('cpuMs', 'CPU', 'ms', { restkin: 1.2, 'restkin-undici': 1 }),
      each('wallMs', 'time', 'ms', { restkin: 1, 'restkin-undici': 1 }),
    ],
    rounds: 5,
    amount: { count: 100_000, warmUp: 30_000 },
    quick: { rounds: 2, count: 50_000, warmUp: 20_000 },
  },
  {
    name: 'latency',
    title: '100 pages that answer after 20 ms',
    workload: 'iterate',
    reference: 'fetch',
    peers: ['fetch', 'fetch-parallel', 'restkin@1', 'restkin', 'restkin@8', 'restkin-undici@8'],
    delayMs: 20,
    metrics: [each('wallMs', 'time', 'ms', { restkin: 0.56, 'restkin@8': 0.18, 'restkin-undici@8': 0.18 })],
    rounds: 3,
    amount: { count: 10_000, warmUp: 2_000 },
    quick: { rounds: 1, count: 10_000, warmUp: 1_000 },
  },
  {
    name: 'cold',
    title: 'cold start: login and first answer of a fresh process',
    workload: 'cold',
    reference: 'fetch-zod',
    peers: all,
    delayMs: 0,
    metrics: [
      each('processMs', 'from the start of the process', 'ms', { restkin: 1.15 }),
      each('importMs', 'from the first import', 'ms', { restkin: 1.15 }),
    ],
    rounds: 21,
    amount: { count: 1, warmUp: 0 },
    quick: { rounds: 5, count: 1, warmUp: 0 },
  },
  {
    name: 'memory',
    title: 'a million records (a fifth of them with --quick)',
    workload: 'memory',
    reference: 'fetch',
    peers: ['fetch', 'fetch-zod', 'restkin', 'restkin-undici'],
    delayMs: 0,
    metrics: [
      each('peakRssMb', 'peak RSS', 'MB', { restkin: 1.35, 'restkin-undici': 1.35 }),
      each('peakHeapMb', 'peak heap', 'MB'),
      each('growthMb', 'live heap, end against a tenth', 'MB'),
    ],
    rounds: 2,
    amount: { count: 1_000_000, warmUp: 0 },
    quick: { rounds: 1, count: 200_000, warmUp: 0 },
  },
];

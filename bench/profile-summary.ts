import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

interface Node {
  readonly id: number;
  readonly callFrame: {
    readonly functionName: string;
    /** `0` for what is built into the engine. */
    readonly scriptId: string;
    readonly url: string;
    readonly lineNumber: number;
  };
  readonly children?: readonly number[];
}

interface Profile {
  readonly nodes: readonly Node[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** Where a script belongs, by its URL. The first pattern that fits counts. */
const rooms: readonly (readonly [RegExp, string])[] = [
  [/node:internal\/deps\/undici/, 'undici (fetch of Node)'],
  [/node_modules\/((?:@[^/]+\/)?[^/]+)\//, '$1'],
  [/bench\/dist/, 'the benchmark'],
  [/node:internal\/webstreams/, 'node: web streams'],
  [
    /node:(?:net|internal\/stream_base_commons|internal\/net|_http|internal\/http|stream|internal\/streams)/,
    'node: sockets and streams',
  ],
  [/node:internal\/(?:event_target|abort_controller)/, 'node: events and aborts'],
  [/node:(?:timers|internal\/timers)/, 'node: timers'],
  [
    /node:(?:internal\/process\/task_queues|internal\/async_hooks|async_hooks|diagnostics_channel|internal\/process\/promises)/,
    'node: tasks and hooks',
  ],
  [/node:/, 'node: other'],
];

const special: ReadonlyMap<string, string> = new Map([
  ['(garbage collector)', 'garbage collection'],
  ['(program)', 'native code without a caller'],
]);

// No part of the work: waiting, and the profiler itself.
const isAside = ({ functionName, url }: Node['callFrame']): boolean =>
  functionName === '(idle)' || url === 'node:inspector' || url === 'node:inspector/promises';

/** Names the modules of a bundle of restkin by the comments that the bundler left. */
const createModuleOf = () => {
  const lines = new Map<string, readonly string[]>();
  return async (url: string, line: number): Promise<string | undefined> => {
    if (!url.startsWith('file:') || !/\/dist\/[^/]+\.js$/.test(url) || url.includes('/bench/'))
      return undefined;
    const known = lines.get(url) ?? (await readFile(fileURLToPath(url), 'utf8')).split('\n');
    lines.set(url, known);
    const comment = known.slice(0, line + 1).findLast((text) => /^\/\/ (?:src|mocks)\//.test(text));
    return comment?.slice('// src/'.length).trim() ?? 'entry';
  };
};

const roomOf = ({ functionName, scriptId, url }: Node['callFrame']): string | undefined => {
  const named = special.get(functionName);
  if (named !== undefined) return named;
  if (url.startsWith('wasm:') || functionName === 'wasm-to-js') return 'llhttp';
  // Code that was made at run time: zod compiles a schema to a function.
  if (url === '') return scriptId === '0' ? undefined : 'zod (compiled)';
  for (const [pattern, name] of rooms) {
    const found = pattern.exec(url);
    if (found !== null) return name.replace('$1', found[1] ?? '');
  }
  return url;
};

/** Each node under the node that called it. */
const callersOf = (nodes: readonly Node[]): ReadonlyMap<number, Node> =>
  new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node])));

const add = (sums: Map<string, number>, name: string, value: number): void => {
  sums.set(name, (sums.get(name) ?? 0) + value);
};

const toLines = (
  title: string,
  sums: ReadonlyMap<string, number>,
  total: number,
  per: number,
  most: number,
) => {
  const sorted = [...sums].sort(([, a], [, b]) => b - a).slice(0, most);
  const line = ([name, us]: readonly [string, number]): string =>
    `${((100 * us) / total).toFixed(1).padStart(6)} % ${(us / per).toFixed(2).padStart(9)} µs  ${name}`;
  return [`\n${title}`, ...sorted.map(line)];
};

/**
 * Self time by package, by module of restkin and by function.
 *
 * @param per - requests or records that were measured; times are for one of them
 */
export const summarize = async (text: string, per: number, most: number): Promise<string> => {
  const { nodes, samples, timeDeltas } = JSON.parse(text) as Profile;
  const selfUs = new Map<number, number>();
  samples.forEach((id, index) => {
    selfUs.set(id, (selfUs.get(id) ?? 0) + (timeDeltas[index] ?? 0));
  });
  const moduleOf = createModuleOf();
  const callers = callersOf(nodes);
  const placeOf = async (node: Node | undefined): Promise<{ module?: string | undefined; room: string }> => {
    if (node === undefined) return { room: 'the engine' };
    const module = await moduleOf(node.callFrame.url, node.callFrame.lineNumber);
    const room = module === undefined ? roomOf(node.callFrame) : 'restkin';
    // What is built into the engine counts for whoever calls it: `JSON.parse`, a write to a socket.
    return room === undefined ? placeOf(callers.get(node.id)) : { module, room };
  };
  const byRoom = new Map<string, number>();
  const byModule = new Map<string, number>();
  const byFunction = new Map<string, number>();
  let total = 0;
  for (const node of nodes) {
    const { functionName, lineNumber } = node.callFrame;
    const us = selfUs.get(node.id) ?? 0;
    if (us === 0 || isAside(node.callFrame)) continue;
    total += us;
    const { module, room } = await placeOf(node);
    add(byRoom, room, us);
    if (module !== undefined) add(byModule, module, us);
    add(byFunction, `${functionName || '(anonymous)'}  ${module ?? room}:${lineNumber + 1}`, us);
  }
  return [
    `${(total / per).toFixed(1)} µs per request or record, waiting left out`,
    ...toLines('By package', byRoom, total, per, most),
    ...toLines('By module of restkin', byModule, total, per, most),
    ...toLines('By function', byFunction, total, per, most),
  ].join('\n');
};

// Moves a large body in a process of its own, and tells how much memory that takes. Runs in Node, Bun and Deno.

import { undiciFetch } from '../../../src/adapters/undici.ts';
import { basicAuth, createClient } from '../../../src/index.ts';

/** What a process tells its parent. */
export interface LargeReport {
  /** Which `fetch` it had. */
  readonly fetch: string;
  /** Bytes that the client, or for an upload the server, counted. */
  readonly bytes: number;
  /** By how much it grew at most, over what it had before. */
  readonly grownMb: number;
  /** The most that it had. */
  readonly peakMb: number;
}

const [, , baseUrl = '', kind = '', size = '0', path = ''] = process.argv;
const { TEST_FETCH: fetchName = 'built-in', LARGE_BY: by = 'client' } = process.env;
const transport = fetchName === 'undici' ? undiciFetch() : fetch;
const client = createClient({
  baseUrl,
  auth: basicAuth({ username: 'ada', password: 'p4ssw0rd-of-ada' }),
  // A whole upload of a file is one wait for its response.
  timeoutMs: 600_000,
  deadlineMs: 600_000,
  ...(fetchName === 'undici' ? { fetch: transport } : {}),
});

/** In Node with `--expose-gc`. */
const collectGarbage = (globalThis as { readonly gc?: () => void }).gc ?? (() => undefined);

/** Collects the pieces that nobody keeps every 16 MiB, so that how late a runtime does it is not measured. */
const createCollector = () => {
  let next = 0;
  return (moved: number): void => {
    if (moved < next) return;
    next = moved + 16 * 1024 * 1024;
    collectGarbage();
  };
};

const download = async (bytes: number): Promise<number> => {
  const stream = await client.request({ method: 'GET', path: `down/${bytes}`, as: 'stream' });
  const collect = createCollector();
  let received = 0;
  for await (const part of stream) {
    received += part.length;
    collect(received);
  }
  return received;
};

const lines = async (bytes: number): Promise<number> => {
  const collect = createCollector();
  let received = 0;
  for await (const line of client.lines({ path: `lines/${bytes}` })) {
    received += JSON.stringify(line).length + 1;
    collect(received);
  }
  return received;
};

const send = async (body: unknown): Promise<number> =>
  Number(
    await client.request({
      method: 'POST',
      path: 'up',
      body,
      ...(body instanceof FormData ? {} : { contentType: 'audio/wav' }),
      as: 'json',
    }),
  );

const createPiece = () => new Uint8Array(65_536).fill(0x20);

async function* piecesOf(bytes: number, nextPiece: () => Uint8Array) {
  const collect = createCollector();
  for (let sent = 0; sent < bytes; sent += 65_536) {
    collect(sent);
    yield nextPiece();
  }
}

/** Each piece has a memory of its own: whoever kept them would be seen. */
const upload = (bytes: number): Promise<number> => send(piecesOf(bytes, createPiece));

/** One piece again and again: what the process grows by is not of its source. */
const uploadRepeated = (bytes: number): Promise<number> => {
  const piece = createPiece();
  return send(piecesOf(bytes, () => piece));
};

const openFile = async (): Promise<Blob> => {
  const { openAsBlob } = await import('node:fs');
  return openAsBlob(path);
};

const sendForm = async (): Promise<number> => {
  const form = new FormData();
  form.set('file', await openFile(), 'a.wav');
  return send(form);
};

type Kinds = Readonly<Record<string, (bytes: number) => Promise<number>>>;

const kinds: Kinds = {
  download,
  lines,
  upload,
  'repeated upload': uploadRepeated,
  file: async () => send(await openFile()),
  form: sendForm,
};

const bodyOf = async (path: string) => (await transport(`${baseUrl}/${path}`)).body ?? [];

/** The same with `fetch` alone. */
const kindsByHand: Kinds = {
  download: async (bytes) => {
    let received = 0;
    for await (const part of await bodyOf(`down/${bytes}`)) received += part.length;
    return received;
  },
  lines: async (bytes) => {
    const decoder = new TextDecoder();
    let received = 0;
    let rest = '';
    for await (const part of await bodyOf(`lines/${bytes}`)) {
      const parts = (rest + decoder.decode(part, { stream: true })).split('\n');
      rest = parts.pop() ?? '';
      for (const line of parts) received += JSON.stringify(JSON.parse(line)).length + 1;
    }
    return received;
  },
  upload: async (bytes) => {
    const pieces = piecesOf(bytes, createPiece);
    const body = new ReadableStream(
      {
        pull: async (controller) => {
          const { done, value } = await pieces.next();
          if (done) controller.close();
          else controller.enqueue(value);
        },
      },
      { highWaterMark: 0 },
    );
    const headers = { 'content-type': 'audio/wav' };
    // The types of the DOM do not have `duplex` yet.
    const init: RequestInit & { readonly duplex: 'half' } = { duplex: 'half' };
    const url = `${baseUrl}/up`;
    return Number(
      await (await transport(url, { ...init, method: 'POST', headers, body, redirect: 'error' })).text(),
    );
  },
};

const run =
  (by === 'hand' ? kindsByHand : kinds)[kind] ?? (() => Promise.reject(new Error(`Unknown: ${kind}`)));
// The code is compiled, the buffers of the connections are there, and the heap has the size that it keeps.
for (let times = 0; times < 3; times++) await (kind in { file: 1, form: 1 } ? upload : run)(32 * 1024 * 1024);
collectGarbage();
const rssMb = (): number => process.memoryUsage().rss / 1024 / 1024;
const before = rssMb();
let peak = before;
const timer = setInterval(() => {
  peak = Math.max(peak, rssMb());
}, 20);
const bytes = await run(Number(size));
clearInterval(timer);
peak = Math.max(peak, rssMb());
const report: LargeReport = {
  fetch: fetchName,
  bytes,
  grownMb: Math.round(peak - before),
  peakMb: Math.round(peak),
};
process.stdout.write(JSON.stringify(report));

// Moves a large body in a process of its own, and tells how much its memory grew. Runs in Node, Bun and Deno.

import { undiciFetch } from '../../../src/adapters/undici.ts';
import { basicAuth, createClient } from '../../../src/index.ts';

/** What a process tells its parent. */
export interface LargeReport {
  /** Which `fetch` it had. */
  readonly fetch: string;
  /** Bytes that the client, or for an upload the server, counted. */
  readonly bytes: number;
  readonly grownMb: number;
}

const [, , baseUrl = '', kind = '', size = '0', path = ''] = process.argv;
const { TEST_FETCH: fetchName = 'built-in' } = process.env;
const client = createClient({
  baseUrl,
  auth: basicAuth({ username: 'ada', password: 'p4ssw0rd-of-ada' }),
  // A whole upload of a file is one wait for its response.
  timeoutMs: 600_000,
  deadlineMs: 600_000,
  ...(fetchName === 'undici' ? { fetch: undiciFetch() } : {}),
});

const collectGarbage = (globalThis as { readonly gc?: () => void }).gc ?? (() => undefined);

/** Collects the pieces that nobody keeps every 16 MiB: how late they are collected is not what is measured. */
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

const upload = (bytes: number): Promise<number> => {
  const collect = createCollector();
  // Each in a memory of its own: whoever kept them would be seen.
  async function* pieces() {
    for (let sent = 0; sent < bytes; sent += 65_536) {
      collect(sent);
      yield new Uint8Array(65_536).fill(0x20);
    }
  }
  return send(pieces());
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

const kinds: Readonly<Record<string, (bytes: number) => Promise<number>>> = {
  download,
  lines,
  upload,
  file: async () => send(await openFile()),
  form: sendForm,
};

const run = kinds[kind] ?? (() => Promise.reject(new Error(`Unknown: ${kind}`)));
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
const report: LargeReport = {
  fetch: fetchName,
  bytes,
  grownMb: Math.round(Math.max(peak, rssMb()) - before),
};
process.stdout.write(JSON.stringify(report));

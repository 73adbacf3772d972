import * as z from 'zod';
import type { Case } from '../case.ts';
import { connectClient } from '../connect.ts';
import { eventually, expectEqual, expectTrue } from '../expect.ts';

const mib = 64;
const bytes = mib * 1024 * 1024;
const recording = { path: `v1/recordings/${mib}` } as const;
const upload = { ...recording, method: 'POST', contentType: 'audio/wav', timeoutMs: 15_000 } as const;

async function* pieces() {
  for (let sent = 0; sent < bytes; sent += 65_536) yield new Uint8Array(65_536);
}

/** Bodies that are larger than what a client holds. */
export const large: readonly Case[] = [
  {
    name: `a download of ${mib} MiB arrives piece by piece`,
    run: async (stage) => {
      const stream = await connectClient(stage).request({ ...recording, method: 'GET', as: 'stream' });
      const reader = stream.getReader();
      let received = 0;
      let largest = 0;
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        received += part.value.length;
        largest = Math.max(largest, part.value.length);
      }
      expectEqual(received, bytes, 'Bytes');
      expectTrue(largest < bytes / 8, `A piece had ${largest} bytes`);
    },
  },
  {
    name: 'cancelling a download stops the server',
    run: async (stage) => {
      const stream = await connectClient(stage).request({ method: 'GET', path: 'v1/live', as: 'stream' });
      const reader = stream.getReader();
      await reader.read();
      await reader.cancel();
      expectTrue(await eventually(async () => (await stage.seen()).endedDownloads === 1), 'It goes on');
    },
  },
  {
    name: '100,000 lines of NDJSON are checked one by one',
    run: async (stage) => {
      const schema = z.object({ id: z.int(), name: z.string() });
      let lines = 0;
      for await (const { id, name } of connectClient(stage).lines({ path: 'v1/exports/100', schema })) {
        if (id !== lines % 1_000 || name !== 'Zoë') throw new Error(`Line ${lines + 1} is ${id} ${name}`);
        lines++;
      }
      expectEqual(lines, 100_000, 'Lines');
    },
  },
  {
    name: `an upload of a \`Blob\` of ${mib} MiB arrives whole`,
    run: async (stage) => {
      const body = new Blob(Array.from({ length: mib }, () => new Uint8Array(1024 * 1024)));
      expectEqual(await connectClient(stage).request({ ...upload, body }), { bytes }, 'Response');
    },
  },
  {
    name: `an upload of ${mib} MiB from an iterable arrives whole, with its progress`,
    needs: 'sendsStreams',
    run: async (stage) => {
      let progress = 0;
      const response = await connectClient(stage).request({
        ...upload,
        body: pieces(),
        onProgress: ({ direction, bytes: sent }) => {
          if (direction === 'upload') progress = sent;
        },
      });
      expectEqual(response, { bytes }, 'Response');
      expectEqual(progress, bytes, 'Progress');
    },
  },
];

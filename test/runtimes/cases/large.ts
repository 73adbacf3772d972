import type { Case } from '../case.ts';
import { connectClient } from '../connect.ts';
import { eventually, expectEqual, expectTrue } from '../expect.ts';

const mib = 64;
const bytes = mib * 1024 * 1024;
const recording = { path: `v1/recordings/${mib}` } as const;
const upload = { ...recording, method: 'POST', contentType: 'audio/wav', timeoutMs: 15_000 } as const;

const pieces = () => {
  let sent = 0;
  return new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (sent++ < bytes / 65_536) controller.enqueue(new Uint8Array(65_536));
      else controller.close();
    },
  });
};

const readerOf = ({ body }: Response) => (body as ReadableStream<Uint8Array>).getReader();

/** Bodies that are larger than what a client holds. */
export const largeCases: readonly Case[] = [
  {
    name: `a download of ${mib} MiB arrives piece by piece`,
    run: async (stage) => {
      const response = await connectClient(stage).request({ ...recording, method: 'GET', as: 'response' });
      const reader = readerOf(response);
      let received = 0;
      for (let part = await reader.read(); !part.done; part = await reader.read())
        received += part.value.length;
      expectEqual(received, bytes, 'Bytes');
    },
  },
  {
    name: 'cancelling a download stops the server',
    run: async (stage) => {
      const response = await connectClient(stage).request({ method: 'GET', path: 'v1/live', as: 'response' });
      const reader = readerOf(response);
      await reader.read();
      await reader.cancel();
      expectTrue(await eventually(async () => (await stage.seen()).endedDownloads === 1), 'It goes on');
    },
  },
  {
    name: `an upload of ${mib} MiB from a stream arrives whole`,
    needs: 'sendsStreams',
    run: async (stage) => {
      expectEqual(await connectClient(stage).request({ ...upload, body: pieces() }), { bytes }, 'Response');
    },
  },
];

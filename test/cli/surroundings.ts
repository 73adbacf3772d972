import { PassThrough } from 'node:stream';
import { createOutput, type Io } from '../../src/cli/io.ts';

/** What a command has around it in this process, and what it wrote there. */
export interface Surroundings {
  readonly io: Io;
  readonly input: PassThrough;
  readonly out: () => string;
  readonly err: () => string;
}

/** Streams in memory, as terminals when that is asked for. */
export const createSurroundings = (
  env: Io['env'] = {},
  { isTTY = false, signal = new AbortController().signal } = {},
): Surroundings => {
  const stream = () => {
    const through = Object.assign(new PassThrough(), { isTTY, columns: 80 });
    let text = '';
    through.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    return { through, text: () => text };
  };
  const [input, out, err] = [stream().through, stream(), stream()];
  const io: Io = {
    out: createOutput(out.through, () => undefined),
    err: createOutput(err.through, () => undefined),
    input,
    env,
    signal,
  };
  return { io, input, out: out.text, err: err.text };
};

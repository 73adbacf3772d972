import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { createOutput } from '../../src/cli/io.ts';
import { run } from '../../src/cli/program.ts';

/** The API of most tests. */
export const apiFile = fileURLToPath(new URL('../support/ordering.ts', import.meta.url));

/** Writes a file for one test, and gives its path. */
export const writeTemporary = async (name: string, text: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'restkin-cli-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
};

const createStream = (isTTY: boolean) => {
  const stream = Object.assign(new PassThrough(), { isTTY });
  let text = '';
  stream.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  return { stream, text: () => text };
};

type Environment = Readonly<Record<string, string>>;

/** Starts the command in this process, with streams in memory. It ends with the test at the latest. */
export const startHere = (argv: readonly string[], env: Environment = {}, { isTTY = false } = {}) => {
  const stop = new AbortController();
  const [out, err] = [createStream(isTTY), createStream(isTTY)];
  const io = {
    out: createOutput(out.stream, stop.signal),
    err: createOutput(err.stream, stop.signal),
    env,
    signal: stop.signal,
  };
  const finished = run(argv, io).then((code) => ({ code, stdout: out.text(), stderr: err.text() }));
  onTestFinished(() => stop.abort());
  /** Resolves with what was written to stdout, when this is part of it. */
  const written = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (out.text().includes(text)) resolve(out.text());
      };
      out.stream.on('data', look);
      look();
      void finished.then(({ stderr }) => reject(new Error(`ended before it wrote ${text}: ${stderr}`)));
    });
  return { stop: () => stop.abort(), finished, written };
};

/** Runs the command in this process to its end. */
export const runHere = (argv: readonly string[], env?: Environment, how?: { readonly isTTY?: boolean }) =>
  startHere(argv, env, how).finished;

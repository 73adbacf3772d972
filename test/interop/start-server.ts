import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';

/** A server of others, as a process of its own. */
export interface StartedServer extends AsyncDisposable {
  readonly url: string;
}

const folder = fileURLToPath(new URL('.', import.meta.url));

/** Waits for the line with the URL that each server writes once it listens. */
const toServer = async (child: ChildProcess): Promise<StartedServer> => {
  if (child.stdout === null) throw new Error('the output of the server is not read');
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  };
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('http://')) return { url: line.replace(/\/$/, ''), [Symbol.asyncDispose]: stop };
  }
  throw new Error('the server ended before it listened');
};

const start = (command: string, args: readonly string[]): Promise<StartedServer> =>
  toServer(spawn(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] }));

/** Django REST framework, from Debian's packages. */
export const startDjango = (records: number): Promise<StartedServer> =>
  start('/usr/bin/python3', ['servers/django_books.py', String(records)]);

/** json-server 0.17. */
export const startJsonServer = (records: number): Promise<StartedServer> =>
  start(process.execPath, ['servers/json-server.mjs', String(records)]);

/** What Spring Data sends, in Express. */
export const startSpring = (records: number): Promise<StartedServer> =>
  start(process.execPath, ['servers/spring-books.mjs', String(records)]);

/** NestJS with nestjs-paginate. Node runs no decorators, so that its source is compiled first. */
export const startNest = async (records: number): Promise<StartedServer> => {
  const source = await readFile(`${folder}servers/nest-books.ts`, 'utf8');
  const compilerOptions = { experimentalDecorators: true, useDefineForClassFields: false };
  const { code } = await transform(source, { loader: 'ts', tsconfigRaw: { compilerOptions } });
  return start(process.execPath, ['--input-type=module', '--eval', code, 'nest', String(records)]);
};

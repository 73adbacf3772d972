// What a large declaration costs a compiler and an editor: a report, not a test. `npm run report:types`
import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Consumer, compilers, createConsumer } from '../support/consumer.ts';
import { collections, declaration, indices, program } from '../support/large-program.ts';

/** The same fields as plain objects of zod, which restkin has no part in: what an editor waits for in any case. */
const zodDeclaration = declaration
  .slice(0, declaration.indexOf('export const api'))
  .replace(/^import .* from 'restkin';$/m, '')
  .replaceAll('resource(', 'z.object(')
  .replaceAll(/expandable\((R\d+)\)/g, '$1');
const zodProgram = `import type { z } from 'zod';
${indices.map((i) => `import { R${i} } from './zod-alone.ts';`).join('\n')}
declare const pick: <S extends z.core.$ZodShape>(schema: z.ZodObject<S>, fields: readonly (keyof S)[]) => void;
export const all = [${indices.map((i) => `R${i}`).join(', ')}] as const;
`;

const timeCompiler = async (consumer: Consumer, compiler: (typeof compilers)[number]): Promise<string> => {
  const times: number[] = [];
  let instantiations = '';
  for (let round = 0; round < 3; round++) {
    const start = performance.now();
    const options = ['--extendedDiagnostics'];
    const output = await consumer.compile(compiler, ['program.ts'], options);
    if (output.includes('error TS')) throw new Error(output);
    instantiations = /Instantiations:\s+(\d+)/.exec(output)?.[1] ?? '';
    times.push(performance.now() - start);
  }
  return `${compiler.padEnd(13)} ${(times.toSorted((a, b) => a - b)[1] ?? 0).toFixed(0)} ms, ${instantiations} instantiations`;
};

interface ServerMessage {
  readonly type: string;
  readonly request_seq?: number;
  readonly body?: unknown;
}

/** Asks an editor's server what it offers at the end of a text, several times, and gives the times in milliseconds. */
const timeCompletions = async (file: string, prefix: string, text: string): Promise<string> => {
  const path = fileURLToPath(new URL('../../node_modules/typescript/lib/tsserver.js', import.meta.url));
  const server = spawn(process.execPath, [path, '--disableAutomaticTypingAcquisition'], {
    cwd: dirname(file),
  });
  const waiting = new Map<number, (message: ServerMessage) => void>();
  createInterface({ input: server.stdout }).on('line', (line) => {
    if (!line.startsWith('{')) return;
    const message = JSON.parse(line) as ServerMessage;
    if (message.type === 'response') waiting.get(message.request_seq ?? -1)?.(message);
  });
  let seq = 0;
  const send = (command: string, argument: object): number => {
    server.stdin.write(`${JSON.stringify({ seq: ++seq, type: 'request', command, arguments: argument })}\n`);
    return seq;
  };
  const ask = (command: string, argument: object): Promise<ServerMessage> =>
    new Promise((resolve) => waiting.set(send(command, argument), resolve));

  send('open', { file, fileContent: text });
  const line = text.split('\n').length - 1;
  let names = 0;
  const complete = async (): Promise<number> => {
    const start = performance.now();
    const { body } = await ask('completionInfo', { file, line, offset: prefix.length + 1 });
    names = (body as { entries?: readonly unknown[] } | undefined)?.entries?.length ?? 0;
    return performance.now() - start;
  };
  const first = await complete();
  const edited: number[] = [];
  const again: number[] = [];
  for (let round = 0; round < 5; round++) {
    // An edit makes the compiler forget every type, those of the declaration too.
    send('change', { file, line: 1, offset: 1, endLine: 1, endOffset: 1, insertString: ' ' });
    edited.push(await complete());
    again.push(await complete());
  }
  server.kill();
  const median = (times: number[]): string => (times.toSorted((a, b) => a - b)[2] ?? 0).toFixed(0);
  return `${prefix.padEnd(32)} ${names} names: first ${first.toFixed(0)} ms, after an edit ${median(edited)} ms, again ${median(again)} ms`;
};

const consumer = await createConsumer();
try {
  await consumer.write('declaration.ts', declaration);
  await consumer.write('program.ts', program);
  console.log(
    `${collections} collections with 30 fields each, nested three deep; five calls of each of them`,
  );
  for (const compiler of compilers) console.log(await timeCompiler(consumer, compiler));
  for (const prefix of [
    "void c50.list({ sort: ['",
    "void c50.list({ fields: ['",
    "c50.query().sort('",
    "void c50.get(1, { expand: ['",
  ]) {
    console.log(await timeCompletions(`${consumer.folder}/program.ts`, prefix, `${program}${prefix}'\n`));
  }
  await consumer.write('zod-alone.ts', zodDeclaration);
  const prefix = "pick(all[50], ['";
  console.log('The same fields as objects of zod, without restkin');
  console.log(
    await timeCompletions(`${consumer.folder}/zod-program.ts`, prefix, `${zodProgram}${prefix}'\n`),
  );
} finally {
  await consumer.remove();
}

// What a large declaration costs a compiler and an editor: a report, not a test. `npm run report:types`
import { type Consumer, compilers, createConsumer } from '../support/consumer.ts';
import { openEditor } from '../support/editor.ts';
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

/** Asks an editor what it offers in the last line of a program, several times, and gives the times in milliseconds. */
const timeCompletions = async (file: string, prefix: string, text: string): Promise<string> => {
  const editor = openEditor('typescript', consumer.folder, file);
  let names = 0;
  const complete = async (edited: string): Promise<number> => {
    const start = performance.now();
    names = (await editor.complete(edited, edited.lastIndexOf('\n', edited.length - 2) + 1 + prefix.length))
      .length;
    return performance.now() - start;
  };
  const first = await complete(text);
  const edited: number[] = [];
  const again: number[] = [];
  for (let round = 1; round <= 5; round++) {
    // An edit makes the compiler forget every type, those of the declaration too.
    const changed = ' '.repeat(round) + text;
    edited.push(await complete(changed));
    again.push(await complete(changed));
  }
  editor.close();
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
    console.log(await timeCompletions('program.ts', prefix, `${program}${prefix}'\n`));
  }
  await consumer.write('zod-alone.ts', zodDeclaration);
  const prefix = "pick(all[50], ['";
  console.log('The same fields as objects of zod, without restkin');
  console.log(await timeCompletions('zod-program.ts', prefix, `${zodProgram}${prefix}'\n`));
} finally {
  await consumer.remove();
}

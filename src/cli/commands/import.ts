import { readFile, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { Command, Option } from '@commander-js/extra-typings';
import { type OptionsOf, several, single } from '../arguments.ts';
import { UsageError } from '../errors.ts';
import type { Imported } from '../import/import.ts';
import { cannotRead, type Io, printable, writeContent } from '../io.ts';

/** The most lines of a report. The file itself has all of them as comments. */
const mostReported = 100;

const reportOf = ({ unfit }: Imported): string => {
  const lines = unfit.slice(0, mostReported).map((line) => `  ${printable(line)}\n`);
  const more = unfit.length - lines.length;
  return lines.join('') + (more > 0 ? `  … and ${more} more\n` : '');
};

/** The content of a file; empty when it does not exist. */
const readOptional = async (file: string): Promise<string> => {
  try {
    // A pipe such as /dev/stdout would be read to its end, which never comes.
    return (await stat(file)).isFile() ? await readFile(file, 'utf8') : '';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw cannotRead(file, error);
  }
};

/** A diff with more changed lines takes long, and is too long to read. */
const mostChanges = 5_000;

const diffOf = async (file: string, before: string, after: string): Promise<string> => {
  const { createTwoFilesPatch } = await import('diff');
  const patch = createTwoFilesPatch(file, file, before, after, undefined, undefined, {
    maxEditLength: mostChanges,
    headerOptions: { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
  });
  return patch ?? `${file}: more than ${mostChanges} lines differ\n`;
};

/** `ordering.imported.ts`, beside a file that was changed by hand. */
const besideOf = (file: string): string => file.replace(/(\.[cm]?ts)?$/, '.imported$1');

/** Writes the file and shows what differs. A file that was changed outside of the markers stays; one beside it is written. */
const writeOutput = async (file: string, document: string, imported: Imported, io: Io): Promise<string> => {
  const { readExisting, writeFileContent } = await import('../import/keep.ts');
  const before = await readOptional(file);
  const { isEdited, checksum, kept } = readExisting(before);
  const content = writeFileContent({ ...imported, document }, kept);
  // A formatter may have written the same declarations in another way.
  if (!isEdited && checksum === readExisting(content).checksum) return `${file} is up to date`;
  const isOwn = isEdited && before !== '';
  const target = isOwn ? besideOf(file) : file;
  const other = isOwn ? await readOptional(target) : '';
  if (other !== '' && readExisting(other).isEdited)
    throw new UsageError(
      `${file} and ${target} were both changed outside of the markers; rename one of them, or choose another --out`,
    );
  if (before !== '') await io.out.write(await diffOf(file, before, content));
  await writeContent(target, content);
  return isOwn ? `${file} was changed outside of the markers and stays as it is; ${target}` : file;
};

const importFile = async (file: string, options: OptionsOf<typeof command>, io: Io): Promise<void> => {
  const { out, strict, allowRef = [] } = options;
  if (/^https?:\/\//i.test(file))
    throw new UsageError('The document must be a file: save what is at the URL, then import that file');
  if (out !== undefined && resolve(out) === resolve(file))
    throw new UsageError('--out names the document itself; choose another file');
  const { importDocument } = await import('../import/import.ts');
  const { openDocument } = await import('../import/references.ts');
  const imported = await importDocument(await openDocument(file, allowRef, io.signal));
  const report = reportOf(imported);
  const refuse = (reason: string): UsageError => {
    if (report !== '') io.err.say(`Not declared:\n${report}`);
    return new UsageError(`${file}${reason}`);
  };
  if (strict === true && report !== '')
    throw refuse(': with --strict, every part of the document must fit the conventions; nothing is written');
  // Every declaration and every function uses an import.
  if (imported.imports === '')
    throw refuse(
      ' has no operation that can be declared or called, so nothing is written; the document needs `paths` ' +
        'with operations such as GET /v1/orders',
    );
  const document = printable(basename(file));
  const { writeFileContent } = await import('../import/keep.ts');
  if (out === undefined) await io.out.write(writeFileContent({ ...imported, document }, []));
  const written = out === undefined ? file : await writeOutput(out, document, imported, io);
  const heading = report === '' ? '' : 'Not declared, each with a comment in the file:\n';
  io.err.say(`${written}: ${printable(imported.summary)}\n${heading}${report}`);
};

const notes = `
What does not fit the conventions becomes a comment with the reason and, where it can be called,
a function over client.request. A second run shows what changed, and keeps the parts between the
markers "by hand". A file that was changed outside of the markers stays; the new one is written
beside it.`;

const command = () =>
  new Command('import')
    .description('Write the declaration of an OpenAPI 3.0 or 3.1 document, JSON or YAML')
    .argument('<document>')
    .addOption(single('--out <file>', 'the TypeScript file to write; by default it is printed'))
    .addOption(new Option('--strict', 'fail, and write nothing, when something does not fit the conventions'))
    .addOption(several('--allow-ref <name>', 'a file, URL or host (https://…) that references may lead to'))
    .addHelpText('after', notes);

export const importCommand = (io: Io) => command().action((file, options) => importFile(file, options, io));

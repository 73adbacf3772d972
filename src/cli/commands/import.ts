import { basename } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { common, type OptionsOf, several } from '../arguments.ts';
import { UsageError } from '../errors.ts';
import type { Imported } from '../import/import.ts';
import { type Io, printable, writeResult } from '../io.ts';

/** One line for each cause, with its place or the number of its places. */
const reportOf = ({ unfit }: Imported): string => {
  const causes = new Map<string, Set<string>>();
  for (const { where, reason } of unfit) causes.set(reason, (causes.get(reason) ?? new Set()).add(where));
  return Array.from(causes, ([reason, places]) => {
    const [first = ''] = places;
    const isOfOperations = [...places].every((place) => /^[A-Z]+ \//.test(place));
    const all = `${places.size} ${isOfOperations ? 'operations' : 'places'}`;
    return `  ${printable(places.size === 1 ? first : all)}: ${printable(reason)}\n`;
  }).join('');
};

const importFile = async (file: string, options: OptionsOf<typeof command>, io: Io): Promise<void> => {
  const { out, force = false, allowRef = [], family } = options;
  if (/^https?:\/\//i.test(file))
    throw new UsageError('The document must be a file: save what is at the URL, then import that file');
  const { importDocument, writeFileContent } = await import('../import/import.ts');
  const { loadDocument } = await import('../import/load.ts');
  const imported = importDocument(await loadDocument(file, allowRef), family);
  const report = reportOf(imported);
  // Every declaration and every function uses an import.
  if (imported.imports === '') {
    if (report !== '') io.err.say(`Not declared:\n${report}`);
    throw new UsageError(
      `${file} has no operation that can be declared or called, so nothing is written; the document needs ` +
        '`paths` with operations such as GET /v1/orders',
    );
  }
  const content = writeFileContent(imported, printable(basename(file)));
  await writeResult(content, out, force, io);
  const heading = report === '' ? '' : 'Not declared, each with a comment in the file:\n';
  const { summary, lists, sizes, names } = imported;
  const lines = [summary, imported.family, lists, sizes, names].filter((line) => line !== '');
  io.err.say(`${out ?? file}: ${lines.map((line) => `${printable(line)}\n`).join('')}${heading}${report}`);
};

const notes = `
Example: npx restkin import openapi.json --out ordering.ts

Without --family, the family is the one that the lists of the document show.

What is not part of a collection becomes an endpoint of the API. What an endpoint cannot express
becomes a function over client.request, or a comment with the reason. A file that exists is
replaced only with --force: write to a new one, and compare.`;

const command = () =>
  new Command('import')
    .description('Write the declaration of an OpenAPI document, 3.1, 3.0 or 2.0, JSON or YAML')
    .argument('<document>')
    .addOption(common.out)
    .addOption(common.force)
    .option('--family <preset>', 'the preset of restkin/families that the API belongs to')
    .option('--allow-ref <name>', 'a file or a folder that references may lead to', several)
    .addHelpText('after', notes);

export const importCommand = (io: Io) => command().action((file, options) => importFile(file, options, io));

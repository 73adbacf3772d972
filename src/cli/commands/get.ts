import { Command } from '@commander-js/extra-typings';
import type { ApiDeclaration, ItemList, ListOptions } from '../../index.ts';
import { loadApi } from '../api-file.ts';
import { common, integer, names, type OptionsOf, several, single } from '../arguments.ts';
import { UsageError } from '../errors.ts';
import type { Io } from '../io.ts';
import { csv, type Format, json, ndjson, type Row } from '../output/formats.ts';
import { table } from '../output/table.ts';
import { createProgress } from '../progress.ts';
import { findTarget, isFile, readParams, readStrings, resolvePath, type Target } from '../target.ts';

type GetOptions = OptionsOf<typeof command>;

const formats: ReadonlyMap<string, Format> = new Map(Object.entries({ table, json, ndjson, csv }));

const formatOf = (name: string): Format => {
  const format = formats.get(name);
  if (format !== undefined) return format;
  throw new UsageError(
    `--output must be one of ${[...formats.keys()].join(', ')}, or a file such as orders.csv or ./recording`,
  );
};

type Query = Readonly<Record<string, unknown>>;

/** The client of a collection whose declaration is known only at run time. */
interface AnyCollection {
  readonly list?: (request: Query & ListOptions) => ItemList<Row>;
  readonly get?: (id: string, request: Query & { readonly signal: AbortSignal }) => Promise<Row>;
}

const ofLists = ['sort', 'page', 'perPage', 'limit', 'all'] as const;

const flagOf = (name: string): string =>
  `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** @throws {@link UsageError} for an option that makes no sense at a path */
const refuseOptions = (options: GetOptions, names: readonly (keyof GetOptions)[], reason: string): void => {
  const name = names.find((one) => options[one] !== undefined);
  if (name !== undefined) throw new UsageError(`${flagOf(name)} ${reason}`);
};

const getOne = async (
  { get }: AnyCollection,
  id: string,
  format: Format,
  options: GetOptions,
  { out, signal }: Io,
): Promise<void> => {
  const reason = 'is for a list; this path names one resource';
  refuseOptions(options, [...ofLists, 'param'], reason);
  if (get === undefined) throw new UsageError('The API does not declare the operation "get" at this path');
  const { fields, expand } = options;
  await format.one(await get(id, { fields, expand, signal }), out);
};

const getMany = async (
  { list }: AnyCollection,
  params: Query | undefined,
  format: Format,
  options: GetOptions,
  io: Io,
): Promise<void> => {
  if (list === undefined) throw new UsageError('The API does not declare the operation "list" at this path');
  const { sort, fields, expand, page, perPage, limit, all, verbose } = options;
  const progress = createProgress(io, format, verbose ?? false);
  const maxPages = all || limit !== undefined ? undefined : 1;
  const { signal } = io;
  const query = { sort, fields, expand, page, perPage, params };
  const records = list({ ...query, signal, limit, maxPages, onPage: progress.onPage });
  let written = 0;
  const rows = async function* (): AsyncGenerator<Row, void, undefined> {
    try {
      for await (const record of records) {
        written++;
        yield record;
      }
    } finally {
      await progress.clear();
    }
  };
  await format.many(rows(), io.out);
  await progress.end(written);
};

/** The client of a collection, called with the path parameters if it has any. */
const pick = (collections: Readonly<Record<string, unknown>>, { key, parameters }: Target): AnyCollection => {
  // The types of a client come from a declaration that the compiler knows; this one comes from a file.
  const found = collections[key] as AnyCollection | ((parameters: Target['parameters']) => AnyCollection);
  return typeof found === 'function' ? found(parameters) : found;
};

const printRecords = async (
  api: ApiDeclaration,
  target: Target,
  format: Format,
  options: GetOptions,
  io: Io,
): Promise<void> => {
  const declared = api.collections[target.key];
  const params = declared && (await readParams(declared, options.param ?? []));
  const { withClient } = await import('../session.ts');
  await withClient(api, options, io, async (client) => {
    const collection = pick(client.api(api), target);
    if (target.id === undefined) await getMany(collection, params, format, options, io);
    else await getOne(collection, target.id, format, options, io);
  });
};

/** Saves records, or the response of an own endpoint. */
const save = async (
  api: ApiDeclaration,
  path: string,
  file: string,
  options: GetOptions,
  io: Io,
): Promise<void> => {
  const { download, formatOfFile, writeTo } = await import('../download.ts');
  const target = findTarget(api, path);
  if (target !== undefined) {
    const format = formatOf(formatOfFile(file));
    return writeTo(file, (out) => printRecords(api, target, format, options, { ...io, out }), io);
  }
  const reason = `is for a collection; the API ${api.name} declares none at this path`;
  refuseOptions(options, [...ofLists, 'fields', 'expand'], reason);
  const query = readStrings(options.param ?? []);
  const isVerbose = options.verbose ?? false;
  const { withClient } = await import('../session.ts');
  return withClient(api, options, io, (client) =>
    download(client, { api, path, query, file, isVerbose }, io),
  );
};

const print = async (file: string, path: string, options: GetOptions, io: Io): Promise<void> => {
  const output = options.output ?? (io.out.isTerminal ? 'table' : 'json');
  if (isFile(output)) return save(await loadApi(file, options.api, io.signal), path, output, options, io);
  const format = formatOf(output);
  const api = await loadApi(file, options.api, io.signal);
  return printRecords(api, resolvePath(api, path), format, options, io);
};

const notes = `
The path is the one that the API declares, below /v<major>/: orders, orders/7,
companies/3/orders, companies/3/orders/9. Without --all and --limit one page is read.

Formats:
  json    an array for a list, written while it is read; an object for one resource
  ndjson  a line for each record, written while it is read, in constant memory
  csv     RFC 4180; nested objects as dotted columns, lists as JSON; written at the end.
          Cells are not changed: one that begins with = + - @ may run in a spreadsheet,
          so import its columns as text
  table   fits the terminal; control characters are escaped; written at the end

--output=<file>, with a dot or a slash in it, saves the records in the format of its extension
(.json, .ndjson, .csv). At a path that the API does not declare, such as recordings/3, it saves
the response as it comes. The file is written completely or not at all.

Credentials are RESTKIN_USERNAME and RESTKIN_PASSWORD. Without them the login that
"restkin login" keeps is used, or they are asked for on the terminal. They are never arguments.`;

const command = () =>
  new Command('get')
    .description('Print a collection, or one resource of it')
    .argument('<api-file>')
    .argument('<path>')
    .addOption(common.baseUrl)
    .addOption(common.authUrl)
    .addOption(common.api)
    .addOption(names('--sort <fields>', 'sort by these, "-" for descending: --sort=-createdAt,id'))
    .addOption(names('--fields <fields>', 'only these, with id and self: --fields=status,device.model'))
    .addOption(names('--expand <names>', 'nested resources in full'))
    .addOption(integer('--page <number>', 'begin at this page'))
    .addOption(integer('--per-page <number>', 'records per page'))
    .addOption(integer('--limit <number>', 'at most this many records, over as many pages as it takes'))
    .option('--all', 'every record, from the first page or from --page on')
    .addOption(several('--param <name=value>', "one of the endpoint's own query parameters"))
    .addOption(
      single(
        '--output <format>',
        'table, json, ndjson, csv or a file; by default table on a terminal, else json',
      ),
    )
    .addOption(common.store)
    .addOption(common.allowInsecure)
    .addOption(common.verbose)
    .addHelpText('after', notes);

export const getCommand = (io: Io) =>
  command().action((file, path, options) => print(file, path, options, io));

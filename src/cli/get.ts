import type { ItemList, ListOptions } from '../index.ts';
import { type Arguments, isSet, namesOf, numberOf, textOf } from './arguments.ts';
import { type Command, commonOptions } from './command.ts';
import { connect } from './connect.ts';
import type { Io } from './io.ts';
import { loadApi } from './load-api.ts';
import { csv } from './output/csv.ts';
import type { Format, Row } from './output/format.ts';
import { json, ndjson } from './output/json.ts';
import { table } from './output/table.ts';
import { createProgress } from './progress.ts';
import { readParams } from './read-params.ts';
import { resolvePath, type Target } from './resolve-path.ts';
import { UsageError } from './usage-error.ts';

const formats: Readonly<Record<string, Format>> = { table, json, ndjson, csv };

const formatOf = (args: Arguments, { out }: Io): Format => {
  const name = textOf(args, 'output') ?? (out.isTerminal ? 'table' : 'json');
  const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
  if (format !== undefined) return format;
  throw new UsageError(`--output must be one of ${Object.keys(formats).join(', ')}`);
};

type Query = Readonly<Record<string, unknown>>;

/** A collection's client, when only the declaration at run time knows what it has. */
interface AnyCollection {
  readonly list?: (request: Query & ListOptions) => ItemList<Row>;
  readonly get?: (id: string, request: Query & { readonly signal: AbortSignal }) => Promise<Row>;
}

const selectOf = (args: Arguments): Query => {
  const [fields, expand] = [namesOf(args, 'fields'), namesOf(args, 'expand')];
  return { ...(fields && { fields }), ...(expand && { expand }) };
};

const listOnly = ['sort', 'page', 'per-page', 'limit', 'all', 'param'];

const getOne = async (
  { get }: AnyCollection,
  id: string,
  format: Format,
  args: Arguments,
  { out, signal }: Io,
): Promise<void> => {
  const misplaced = listOnly.find((name) => isSet(args, name));
  if (misplaced !== undefined)
    throw new UsageError(`--${misplaced} is for a list; the path leads to one resource`);
  if (get === undefined) throw new UsageError('The API does not declare that one of these can be read');
  await format.one(await get(id, { ...selectOf(args), signal }), out);
};

const listQueryOf = (args: Arguments, params: Query | undefined): Query => {
  const sort = namesOf(args, 'sort');
  const [page, perPage] = [numberOf(args, 'page'), numberOf(args, 'per-page')];
  return {
    ...(sort && { sort }),
    ...selectOf(args),
    ...(page !== undefined && { page }),
    ...(perPage !== undefined && { perPage }),
    ...(params && { params }),
  };
};

const getMany = async (
  { list }: AnyCollection,
  query: Query,
  format: Format,
  args: Arguments,
  io: Io,
): Promise<void> => {
  if (list === undefined) throw new UsageError('The API does not declare that these can be listed');
  const limit = numberOf(args, 'limit');
  const isWhole = isSet(args, 'all') || limit !== undefined;
  const progress = createProgress(io, format, isSet(args, 'verbose'));
  const { signal } = io;
  const maxPages = isWhole ? undefined : 1;
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

const run = async (args: Arguments, io: Io): Promise<void> => {
  const [file = '', path = ''] = args.positionals;
  const format = formatOf(args, io);
  const api = await loadApi(file, textOf(args, 'api'));
  const target = resolvePath(api, path);
  const declared = api.collections[target.key];
  const params = declared && (await readParams(declared, args.options.get('param') ?? []));
  const query = listQueryOf(args, params);
  const { client, close } = await connect(api, args, io);
  try {
    const collection = pick(client.api(api), target);
    if (target.id === undefined) await getMany(collection, query, format, args, io);
    else await getOne(collection, target.id, format, args, io);
  } finally {
    close();
  }
};

/** The collection, with its path parameters where it has some. */
const pick = (collections: Readonly<Record<string, unknown>>, { key, parameters }: Target): AnyCollection => {
  // The types of a client come from a declaration that the compiler knows; this one came from a file.
  const found = collections[key] as AnyCollection | ((parameters: Target['parameters']) => AnyCollection);
  return typeof found === 'function' ? found(parameters) : found;
};

/** Prints a collection or one resource. */
export const get: Command = {
  name: 'get',
  summary: 'Print a collection, or one resource of it',
  positionals: ['api file', 'path'],
  options: {
    'base-url': commonOptions.baseUrl,
    'auth-url': commonOptions.authUrl,
    api: commonOptions.api,
    sort: {
      value: 'fields',
      multiple: true,
      help: 'Sort by these, "-" in front for descending: --sort=-createdAt,id',
    },
    fields: {
      value: 'fields',
      multiple: true,
      help: 'Print only these, with id and self: --fields=status,device.model',
    },
    expand: { value: 'names', multiple: true, help: 'Print these nested resources in full' },
    page: { value: 'number', help: 'Begin at this page' },
    'per-page': { value: 'number', help: 'Records per page' },
    limit: { value: 'number', help: 'At most so many records, over as many pages as it takes' },
    all: { help: 'Every record, from the first page or --page on' },
    param: { value: 'name=value', multiple: true, help: 'A query parameter of the endpoint’s own' },
    output: { value: 'format', help: 'table, json, ndjson or csv; table on a terminal, else json' },
    store: commonOptions.store,
    'allow-insecure': commonOptions.allowInsecure,
    verbose: commonOptions.verbose,
  },
  notes: [
    'The path is the one that the API declares, below /v<major>/: orders, orders/7,',
    'companies/3/orders, companies/3/orders/9. Without --all and --limit one page is read.',
    '',
    'json      an array for a list, written while it is read; an object for one resource',
    'ndjson    a line for each record, written while it is read, in constant memory',
    'csv       RFC 4180; nested objects as dotted columns, lists as JSON; written at the end.',
    '          Cells are not changed: one that begins with = + - @ may run in a spreadsheet,',
    '          so import its columns as text',
    'table     fits the terminal; control characters are escaped; written at the end',
    '',
    'Credentials are RESTKIN_USERNAME and RESTKIN_PASSWORD, else the login that "restkin login"',
    'keeps, else they are asked for on the terminal. They are never arguments.',
  ],
  run,
};

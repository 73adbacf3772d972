import { Command } from '@commander-js/extra-typings';
import { conventions, type ListForm } from '../../families/family.ts';
import {
  type ApiDeclaration,
  basicAuth,
  type CollectionOptions,
  customAuth,
  type ItemList,
  type ListOptions,
  type PagingProgress,
  tokenAuth,
} from '../../index.ts';
import { loadApi } from '../api-file.ts';
import { common, integer, names, type OptionsOf, several } from '../arguments.ts';
import { bindCollection, printEndpoint, splitParameters } from '../endpoint.ts';
import { UsageError } from '../errors.ts';
import type { Io } from '../io.ts';
import { accessOf, baseUrlOf, fieldsOf, schemesOf } from '../login.ts';
import { formatTable, type Row, toJson } from '../output/records.ts';
import { readParameters } from '../parameters.ts';
import { type ApiReader, createApiReader } from '../reader.ts';
import { resolvePath } from '../target.ts';

type GetOptions = OptionsOf<typeof command>;
type Query = Readonly<Record<string, unknown>>;

/** The operations of a collection whose declaration is known only at run time. */
interface AnyCollection {
  readonly list?: (request: Query & ListOptions) => ItemList<Row>;
  readonly get?: (id: string, request: Query & { readonly signal: AbortSignal }) => Promise<Row>;
}

const createReader = (api: ApiDeclaration, options: GetOptions, io: Io): ApiReader => {
  const { allowInsecure = false } = options;
  const fields = fieldsOf(api, options);
  if (fields !== undefined) {
    const scheme = customAuth(() => fields);
    const auth = Object.fromEntries(schemesOf(api).map((name) => [name, scheme]));
    return createApiReader(api, { baseUrl: baseUrlOf(options, io), auth, allowInsecure });
  }
  const { baseUrl, authUrl, hasBasic, credentials, tokenRequest } = accessOf(api, options, io);
  return createApiReader(api, {
    baseUrl,
    auth: {
      ...(authUrl !== undefined && { token: tokenAuth({ authUrl, ...credentials, ...tokenRequest }) }),
      ...(hasBasic && { basic: basicAuth(credentials) }),
    },
    allowInsecure,
  });
};

const ofLists = ['sort', 'page', 'perPage', 'limit', 'all'] as const;

const printOne = async (
  { get }: AnyCollection,
  id: string,
  params: Query | undefined,
  options: GetOptions,
  io: Io,
): Promise<void> => {
  if (params !== undefined || ofLists.some((name) => options[name] !== undefined))
    throw new UsageError('The path names one resource, which takes --fields and --expand only');
  if (get === undefined) throw new UsageError('The API does not declare the operation "get" at this path');
  const { fields, expand } = options;
  const record = await get(id, { fields, expand, signal: io.signal });
  await io.out.write(io.out.isTerminal ? formatTable([record]) : `${toJson(record)}\n`);
};

type Declared = ApiDeclaration['collections'][string];

/** True where a list by its declaration has links and no totals: a last page then has neither. */
const hasLinksAlone = (collection: Declared): boolean => {
  const { next, totalCount, totalPages }: ListForm = (collection.wire?.family ?? conventions).list;
  const { paging }: CollectionOptions = collection.options;
  const hasTotals = typeof paging !== 'object' || paging.totals !== false;
  return next !== 'number' && !(hasTotals && (totalCount ?? totalPages) !== undefined);
};

/** No server is known whose pages are smaller by default. */
const leastUsualSize = 10;

/** The size that no full page is below: by the query, by the declaration, or with links alone as is usual. */
const fullPageOf = (collection: Declared, perPage: number | undefined): number => {
  const { paging }: CollectionOptions = collection.options;
  const declared = typeof paging === 'object' ? paging : undefined;
  if (perPage === undefined)
    return declared?.defaultPerPage ?? (hasLinksAlone(collection) ? leastUsualSize : 0);
  // A server may lower a size, unless the declaration says that it takes it.
  return declared?.maxPerPage === undefined ? Math.min(perPage, leastUsualSize) : perPage;
};

/**
 * A note on a list of a single page whose response does not show whether it is the whole list.
 *
 * @param fullPage - with fewer records than this, it is the whole list
 */
const noteOn = ({ pages, records, totalCount, totalPages }: PagingProgress, fullPage: number): string => {
  const isWhole = records === 0 || records < fullPage || (totalCount ?? totalPages) !== undefined;
  return pages > 1 || isWhole
    ? ''
    : `No total and no next link came with these ${records} records; "restkin doctor" tells whether there are more\n`;
};

const printMany = async (
  { list }: AnyCollection,
  fullPage: number,
  params: Query | undefined,
  { sort, fields, expand, page, perPage, limit, all }: GetOptions,
  { out, err, signal }: Io,
): Promise<void> => {
  if (list === undefined) throw new UsageError('The API does not declare the operation "list" at this path');
  // Rewrites the line of the terminal. Beside the lines of JSON it would be in their way.
  const show = (status: string): void => {
    if (out.isTerminal && err.isTerminal) err.say(`\r${status}\u001b[K`);
  };
  let total = 0;
  let note = '';
  const records = list({
    sort,
    fields,
    expand,
    page,
    perPage,
    params,
    limit,
    signal,
    maxPages: all || limit !== undefined ? undefined : 1,
    onPage: (progress) => {
      const { pages, records, totalCount } = progress;
      total = totalCount ?? 0;
      if (all) note = noteOn(progress, fullPage);
      show(`page ${pages}, ${records}${totalCount === undefined ? '' : ` of ${totalCount}`} records`);
    },
  });
  if (out.isTerminal) {
    const rows = await records.toArray().finally(() => show(''));
    await out.write(formatTable(rows));
    if (err.isTerminal && rows.length < total)
      err.say(`${rows.length} of ${total} records; --all reads the rest\n`);
  } else {
    for await (const record of records) await out.write(`${toJson(record)}\n`);
  }
  err.say(note);
};

const print = async (file: string, path: string, options: GetOptions, io: Io): Promise<void> => {
  const api = await loadApi(file, options.api);
  const target = resolvePath(api, path);
  if (target.kind === 'endpoint') {
    const other = ofLists.find((name) => options[name] !== undefined);
    if (other !== undefined)
      throw new UsageError('The path names an endpoint, which takes --param, --fields and --expand only');
    const { param, fields, expand } = options;
    const request = { target, param, fields, expand };
    return printEndpoint(createReader(api, options, io), api, request, io);
  }
  const { key, id, parameters } = target;
  const declared = api.collections[key];
  const read = await readParameters(declared, options.param);
  const isInPath = Object.keys(parameters).length > 0;
  const { inPath, others: params } = isInPath
    ? { inPath: parameters, others: read }
    : splitParameters(key, declared?.path ?? '', read);
  const reader = createReader(api, options, io);
  const collection = bindCollection(reader, key, inPath) as AnyCollection;
  const fullPage = declared === undefined ? 0 : fullPageOf(declared, options.perPage);
  if (id === undefined) await printMany(collection, fullPage, params, options, io);
  else await printOne(collection, id, params, options, io);
};

const notes = `
Example: npx restkin get ordering.ts orders --limit=5 --base-url=http://127.0.0.1:4010 --auth-url=http://127.0.0.1:4010
(the server of "npx restkin mock ordering.ts", with RESTKIN_USERNAME and RESTKIN_PASSWORD set)

The path is the one that the API declares, below /v<major>/: orders, orders/7,
companies/3/orders, companies/3/orders/9. The key of a collection stands for its path: posts/7
for api/posts/7. Without --all and --limit one page is read.
A GET endpoint or action is read by its path (orders/7/receipt), or by its name (orders.receipt).
Beside a key or a name, --param gives path parameters: companyOrders --param=companyId=3.
Text and bytes are written as they are: restkin get api.ts audio --param=id=3 > file

On a terminal, the records are printed as a table after the last one is read. Elsewhere, each record
is a line of JSON, written when it is read: restkin get api.ts orders --all | jq .status

Credentials come from the environment, see restkin --help, or from --header.`;

const command = () =>
  new Command('get')
    .description('Print a collection, one resource of it, or a GET endpoint or action')
    .argument('<api-file>')
    .argument('<path>')
    .addOption(common.baseUrl)
    .addOption(common.authUrl)
    .addOption(common.api)
    .addOption(common.header)
    .option('--sort <fields>', 'sort by these, "-" for descending: --sort=-createdAt,id', names)
    .option('--fields <fields>', 'only these, with id and self: --fields=status,device.model', names)
    .option('--expand <names>', 'nested resources in full; with --fields, name them there too', names)
    .option('--page <number>', 'begin at this page', integer('--page'))
    .option('--per-page <number>', 'records per page', integer('--per-page'))
    .option('--limit <number>', 'at most this many records, over several pages', integer('--limit'))
    .option('--all', 'every record, from the first page or from --page on')
    .option('--param <name=value>', "a parameter of the endpoint's own query or path; a list: a,b", several)
    .addOption(common.allowInsecure)
    .addHelpText('after', notes);

export const getCommand = (io: Io) =>
  command().action((file, path, options) => print(file, path, options, io));

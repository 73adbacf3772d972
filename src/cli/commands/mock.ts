import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { Command } from '@commander-js/extra-typings';
import type { $ZodObject, $ZodType } from 'zod/v4/core';
import type { Mock, MockOptions } from '../../../mocks/index.ts';
import type { ApiDeclaration, CollectionOptions, DeclaredEndpoint } from '../../index.ts';
import { loadApis, titleOf } from '../api-file.ts';
import { integer, type OptionsOf, readPairs, several } from '../arguments.ts';
import { UsageError } from '../errors.ts';
import { type Io, printable, readJson } from '../io.ts';
import { credentialsOf, knownSchemesOf, readHeaders, tokenPathOf } from '../login.ts';

type MockCommandOptions = OptionsOf<typeof command>;

const readCounts = (values: readonly string[]): MockOptions['generate'] => {
  const [first = ''] = values;
  if (values.length === 1 && /^\d+$/.test(first)) return Number(first);
  const counts = Object.entries(readPairs('--generate', values));
  return Object.fromEntries(counts.map(([key, count]) => [key, integer(`--generate ${key}`, 0)(count)]));
};

const namesIn = (schema: $ZodType | undefined): readonly string[] =>
  // The schema of `params` is an object schema, as that of a resource is.
  Object.keys(((schema as $ZodObject | undefined)?._zod.def.shape ?? {}) as object);

/**
 * The filters of the parameters that no field has the name of: they select every row, and the first request
 * with one says so. A command has no functions that could select.
 */
const filtersOf = (apis: readonly ApiDeclaration[], { err }: Io): MockOptions['filter'] => {
  const warned = new Set<string>();
  const selectEvery = (key: string, name: string) => (): boolean => {
    const shown = printable(
      `${key}: the parameter ${name} selects every row, because no field has this name`,
    );
    if (!warned.has(shown)) err.say(`Warning: ${shown}; createMock({ filter }) can select by it\n`);
    warned.add(shown);
    return true;
  };
  const filters: Record<string, Record<string, () => boolean>> = {};
  // Two majors of an API have the same keys.
  for (const [key, { options, resource }] of apis.flatMap((api) => Object.entries(api.collections))) {
    const { params }: CollectionOptions = options;
    const fields = namesIn(resource);
    const others = namesIn(params).filter((name) => !fields.includes(name));
    const selects = Object.fromEntries(others.map((name) => [name, selectEvery(key, name)]));
    filters[key] = { ...filters[key], ...selects };
  }
  return filters;
};

/** Accepts a request with the fields of `--header`, in place of a login. */
const acceptFields = (given: readonly string[]): MockOptions['authorize'] => {
  const fields = Object.entries(readHeaders(given));
  return ({ headers }) => fields.every(([name, value]) => headers.get(name) === value);
};

const optionsOf = async (
  apis: readonly ApiDeclaration[],
  given: MockCommandOptions,
  io: Io,
): Promise<MockOptions> => {
  const { data, generate, baseUrl, header } = given;
  const user = credentialsOf(io);
  return {
    baseUrl,
    // The mock checks the rows.
    data: data === undefined ? undefined : ((await readJson(data)) as MockOptions['data']),
    generate: generate && readCounts(generate),
    users: user && [user],
    tokens: { path: tokenPathOf(io) },
    authorize: header && acceptFields(header),
    filter: filtersOf(apis, io),
  };
};

/** So many rows take seconds. */
const manyRows = 10_000;

/** How many rows are made, of one collection at least. */
const countOf = (generate: MockOptions['generate']): number => {
  const counts = typeof generate === 'object' ? Object.values(generate) : [generate];
  return counts.reduce<number>((sum, count) => sum + (typeof count === 'number' ? count : 0), 0);
};

const makeMock = async (apis: readonly ApiDeclaration[], options: MockOptions): Promise<Mock> => {
  const { createMock } = await import('../../../mocks/mock.ts');
  try {
    return createMock(apis, options);
  } catch (error) {
    // The mock names the row and the collection that do not fit.
    throw new UsageError((error as Error).message.replace(/^createMock: /, ''));
  }
};

/**
 * Delays responses, and writes a line for each request, without the query of a token request, which may hold
 * a password. The mock outlives the reader of its log.
 */
const withLog =
  ({ respond, tokenPath }: Mock, delay: number, { out }: Io): Mock['respond'] =>
  async (request) => {
    const startedAt = performance.now();
    await setTimeout(delay, undefined, { signal: request.signal });
    const response = await respond(request);
    const { pathname, search } = new URL(request.url);
    const path = printable(pathname.endsWith(`/${tokenPath}`) ? pathname : pathname + search);
    const ms = Math.round(performance.now() - startedAt);
    out.say(`${request.method} ${path} ${response.status || 'cut'} ${ms} ms\n`);
    return response;
  };

interface Started {
  readonly url: string;
  readonly publicUrl: string | undefined;
  readonly tokenPath: string;
  readonly example: string;
  readonly hasUser: boolean;
  /** Whether requests may have the fields of `--header` in place of a login. */
  readonly hasFields: boolean;
}

/** Whether a list of a collection would have records: those of a nested one depend on its path. */
const hasRows = (key: string, { path }: ApiDeclaration['collections'][string], { state }: Mock): boolean =>
  !path.includes(':') && state.rows(key).length > 0;

/** A GET without path parameters, which `get` reads by its name alone. */
const isPlainGet = ({ method, path }: Pick<DeclaredEndpoint, 'method' | 'path'>): boolean =>
  method === 'GET' && !path.includes(':');

/**
 * The arguments of a `get` of the first collection that has rows, or else of the first one or of an endpoint;
 * with `--api` where the file may export several APIs.
 */
const exampleOf = (
  apis: ReadonlyMap<ApiDeclaration, string>,
  file: string,
  { api }: MockCommandOptions,
  mock: Mock,
): string => {
  const [[first, name] = []] = apis;
  const collections = Object.entries(first?.collections ?? {});
  const [, shown] = collections.find(([key, one]) => hasRows(key, one, mock)) ?? collections[0] ?? [];
  const endpoint = Object.entries(first?.endpoints ?? {}).find(([, one]) => isPlainGet(one));
  const path = shown?.path.replace(/:\w+/g, '1') ?? endpoint?.[0] ?? '';
  const isOnly = api === undefined && apis.size === 1;
  const argument = /\s/.test(file) ? `"${file}"` : file;
  return isOnly ? `${argument} ${path}` : `${argument} ${path} --api=${name}`;
};

/** An imported API may have a thousand endpoints. */
const mostNames = 20;

/** A line with names, of many with the first ones; none where there are none. */
const describeNames = (what: string, all: readonly string[]): readonly string[] => {
  // Two majors of an API have the same.
  const names = [...new Set(all)];
  const shown = names.slice(0, mostNames).join(', ');
  const rest = names.length > mostNames ? `, and ${names.length - mostNames} more` : '';
  return names.length === 0 ? [] : [`${what}: ${printable(shown)}${rest}`];
};

/** What is served: the collections, and the declared endpoints and actions. */
const describeParts = (apis: readonly ApiDeclaration[]): readonly string[] => {
  const endpoints = apis.flatMap(({ endpoints = {}, collections }) => {
    const actions = Object.entries(collections).flatMap(([key, collection]) => {
      const options: CollectionOptions = collection.options;
      return Object.keys(options.actions ?? {}).map((name) => `${key}.${name}`);
    });
    return [...Object.keys(endpoints), ...actions];
  });
  return [
    ...describeNames(
      'Collections',
      apis.flatMap((api) => Object.keys(api.collections)),
    ),
    ...describeNames('Endpoints', endpoints),
  ];
};

const describeUsers = (hasLogin: boolean, hasUser: boolean, hasFields: boolean): string => {
  if (!hasLogin) return hasFields ? 'Credentials: the fields of --header' : 'Credentials: any, or none';
  const user = hasUser
    ? 'User: the one of RESTKIN_USERNAME and RESTKIN_PASSWORD'
    : 'User: any, for example RESTKIN_USERNAME=ada RESTKIN_PASSWORD=lovelace in the environment';
  return hasFields ? `${user}; or the fields of --header` : user;
};

/** What a started mock says. `publicUrl` is that of `--base-url`. */
const describe = (
  apis: readonly ApiDeclaration[],
  { url, publicUrl, tokenPath, example, hasUser, hasFields }: Started,
): string => {
  const schemes = apis.map(knownSchemesOf);
  const hasToken = schemes.some((one) => one.hasToken);
  const hasBasic = schemes.some((one) => one.hasBasic);
  const hasLogin = hasToken || hasBasic;
  const login = hasToken ? ` --auth-url=${url}` : '';
  const fields = hasFields && !hasLogin ? ' --header="…"' : '';
  return [
    `${printable(apis.map(titleOf).join(', '))} at ${url}`,
    ...(publicUrl === undefined ? [] : [`Public URL, which links and \`self\` begin with: ${publicUrl}`]),
    ...describeParts(apis),
    '',
    ...(hasToken ? [`Token endpoint: POST ${url}/${tokenPath}`] : []),
    describeUsers(hasLogin, hasUser, hasFields),
    `Try: npx restkin get ${example} --base-url=${url}${login}${fields}`,
    'Stop with Ctrl-C.',
    '',
  ].join('\n');
};

const serveMock = async (file: string, given: MockCommandOptions, io: Io): Promise<void> => {
  const { api, port = 4_010, host, delay = 0 } = given;
  const named = await loadApis(file, api);
  const apis = [...named.keys()];
  const options = await optionsOf(apis, given, io);
  const rows = countOf(options.generate);
  if (rows >= manyRows) io.err.say(`Making ${rows} rows …\n`);
  const mock = await makeMock(apis, options);
  const { serve } = await import('../../../mocks/serve.ts');
  const served = { ...mock, respond: withLog(mock, delay, io) };
  const server = await serve(served, { port, host }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new Error(`${error.message}; choose another port with --port`);
  });
  try {
    const example = exampleOf(named, file, given, mock);
    const hasUser = options.users !== undefined;
    const hasFields = options.authorize !== undefined;
    const publicUrl = given.baseUrl;
    const { tokenPath } = mock;
    io.out.say(describe(apis, { url: server.url, publicUrl, tokenPath, example, hasUser, hasFields }));
    if (!io.signal.aborted) await once(io.signal, 'abort');
  } finally {
    await server.close();
  }
};

const notes = `
Example: npx restkin mock ordering.ts --generate orders=50 --generate companies=3

If RESTKIN_USERNAME and RESTKIN_PASSWORD are both set, they are the only user. Otherwise any
username and password can log in. RESTKIN_TOKEN_PATH is the path of the token endpoint, by
default auth/token. Each request is logged on a line of its own.
SIGHUP, SIGINT and SIGTERM stop the mock, with exit code 0.`;

const command = () =>
  new Command('mock')
    .description('Serve a mock of the API over HTTP')
    .argument('<api-file>')
    .option('--port <number>', 'the port; 4010 by default, 0 for any free one', integer('--port', 0))
    .option('--host <name>', 'the address; 127.0.0.1, this machine only, by default')
    .option('--base-url <url>', 'the public URL of a mock behind a proxy, for its links')
    .option('--data <file>', 'a JSON file: {"orders": [{…}], …}, rows by collection key')
    .option('--generate <key=count>', 'rows: --generate orders=500, or --generate 500 for all', several)
    .option('--header <field>', 'a fixed token to accept: --header "Authorization: Bearer …"', several)
    .option('--delay <ms>', 'delay each response by this many milliseconds', integer('--delay', 0))
    .option('--api <name>', 'the export to serve; by default every declaration of the file')
    .addHelpText('after', notes);

/** Serves a mock of an API until a signal stops it, which is its normal end. */
export const mockCommand = (io: Io) => command().action((file, options) => serveMock(file, options, io));

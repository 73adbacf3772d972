// Imports run one way, and each outside package has one place.
// conventions < errors, headers < options < families < schema < query < http < auth < client < index, and
// families < paging < client.

/** What each folder or top-level file of src/ may import from src/, besides itself. */
const order = {
  conventions: [],
  errors: ['conventions'],
  headers: ['conventions'],
  options: ['errors'],
  runtime: ['errors'],
  families: ['conventions', 'errors', 'headers', 'options'],
  schema: ['conventions', 'errors', 'families', 'options'],
  query: ['conventions', 'errors', 'families', 'options', 'schema'],
  http: ['conventions', 'errors', 'families', 'headers', 'options', 'query', 'runtime', 'schema'],
  auth: ['conventions', 'errors', 'families', 'headers', 'options', 'query', 'schema', 'http'],
  paging: ['conventions', 'errors', 'families', 'headers', 'options'],
  client: [
    'conventions',
    'errors',
    'families',
    'headers',
    'options',
    'query',
    'runtime',
    'schema',
    'http',
    'auth',
    'paging',
  ],
  // `./query` is made of the types of the main entry.
  adapters: ['errors', 'options', 'schema', 'auth', 'client', 'index'],
  // The doctor reads responses itself; of the places below it takes what is no judgement of a server.
  doctor: ['conventions', 'families', 'headers', 'options', 'schema', 'http', 'auth', 'index'],
  openapi: ['conventions', 'families', 'options', 'schema', 'index'],
};

/** Outside packages, each with the only files that may import it. */
const places = {
  '@opentelemetry/api': '^src/adapters/otel\\.ts$',
  ky: '^src/adapters/ky\\.ts$',
  'p-retry': '^src/http/retry\\.ts$',
  jose: '^src/adapters/sealed\\.ts$',
  msw: '^mocks/msw\\.ts$',
  undici: '^src/adapters/undici',
  '@tanstack/query-core': '^src/adapters/query/options\\.ts$',
  '@commander-js/extra-typings': '^src/cli/(arguments|program|commands/[a-z]+)\\.ts$',
  'js-yaml': '^src/cli/(commands/openapi|import/load)\\.ts$',
  '@scalar/json-magic': '^src/cli/import/(json|load)\\.ts$',
  '@scalar/openapi-upgrader': '^src/cli/import/load\\.ts$',
  'node:http': '^mocks/serve[./]',
};

const folderRules = Object.entries(order).map(([folder, below]) => ({
  name: `${folder}-looks-down-only`,
  severity: 'error',
  from: { path: `^src/${folder}[./]` },
  to: { path: '^(src|mocks)/', pathNot: `^src/(${[folder, ...below].join('|')})[./]` },
}));

const placeRules = Object.entries(places).map(([name, place]) => ({
  name: `${name}-has-one-place`,
  severity: 'error',
  from: { path: '^(src|mocks)/', pathNot: place },
  // A package whose files have no types is not resolved, and keeps its name.
  to: { path: name.startsWith('node:') ? '^http$' : `(?:^|node_modules/)${name}/` },
}));

module.exports = {
  forbidden: [
    ...folderRules,
    ...placeRules,
    {
      name: 'mocks-read-words-not-behaviour',
      comment:
        'The mock shares names, tables and declarations with the client, so that it catches its errors.',
      severity: 'error',
      from: { path: '^mocks/' },
      to: {
        path: '^src/',
        pathNot: '^src/(conventions|options|schema|families/(family|list-form|path))[./]',
      },
    },
    {
      name: 'cli-uses-public-entries-only',
      comment:
        'The command is a user of the library: what it needs, others need too. An import writes the names of the ' +
        'conventions, and names things as an export does. A path on the command line is read as the mock reads one. ' +
        'No program needs values as they were sent; what `get` prints does, so its reader is made of parts of the client.',
      severity: 'error',
      from: { path: '^src/cli/', pathNot: '^src/cli/reader\\.ts$' },
      to: {
        path: '^(src|mocks)/',
        pathNot:
          '^(src/cli/|src/index\\.ts$|src/(conventions|options)\\.ts$|src/families/[a-z-]+\\.ts$|src/headers/(media-type|paging)\\.ts$|src/openapi/(forms|names|openapi)\\.ts$|src/schema/(endpoints-of|match-path)\\.ts$|src/doctor/doctor\\.ts$|mocks/(index|mock|serve)\\.ts$)',
      },
    },
    {
      name: 'cli-is-imported-by-nobody',
      severity: 'error',
      from: { path: '^(src|mocks)/', pathNot: '^src/cli/' },
      to: { path: '^src/cli/' },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-index-inside-folders',
      severity: 'error',
      from: {},
      to: { path: '^src/.+/index\\.ts$' },
    },
    {
      name: 'query-adapter-holds-no-copy-of-the-client',
      comment: 'It gets the client from the application, and needs the types of it alone.',
      severity: 'error',
      from: { path: '^src/adapters/query[./]' },
      to: {
        path: '^src/',
        pathNot: '^src/adapters/query[./]',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'src-uses-web-apis-only',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(adapters|cli)/' },
      to: { dependencyTypes: ['core'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
  },
};

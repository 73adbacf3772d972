import type { ApiDeclaration, Collection, Operation } from '../index.ts';

const ofCollection: readonly (readonly [Operation, string])[] = [
  ['list', 'GET'],
  ['create', 'POST'],
];
const ofOne: readonly (readonly [Operation, string])[] = [
  ['get', 'GET'],
  ['replace', 'PUT'],
  ['update', 'PATCH'],
  ['delete', 'DELETE'],
];

const methodsOf = ({ options }: Collection, methods: typeof ofOne): string =>
  methods
    .filter(([operation]) => options.operations?.includes(operation) ?? true)
    .map(([, method]) => method)
    .join(' ');

const queryOf = ({ sort, fields, expand, paging, params }: Collection['options'], isList: boolean): string =>
  [
    isList && sort && 'sort',
    fields && 'fields',
    expand && 'expand',
    isList && paging && 'page perPage',
    isList && params && 'and its own',
  ]
    .filter(Boolean)
    .join(' ');

/** The routes of an API, each with its methods, its path and its query parameters (§4.2, §4.4). */
export const routesOf = ({ version, collections }: ApiDeclaration): readonly (readonly string[])[] =>
  Object.values(collections)
    .flatMap((collection) => {
      const path = `/v${version}/${collection.path}`;
      return [
        [methodsOf(collection, ofCollection), path, queryOf(collection.options, true)],
        [methodsOf(collection, ofOne), `${path}/:id`, queryOf(collection.options, false)],
      ];
    })
    .filter(([methods]) => methods !== '');

// Which operations of a document an import leaves out.
import type { ApiDeclaration, Collection, CollectionOptions } from 'restkin';
import { methodRules, operationMethods, tokenPath } from '../../src/conventions.ts';

type Part = Readonly<Record<string, unknown>>;

/** A path without the names of its parameters and without a slash at its end. */
const shapeOf = (path: string): string => path.replaceAll(/\{[^{}]+\}|:\w+/g, '{}').replace(/(?<=.)\/$/, '');

/** The operations of a collection and its actions: `GET orders/{}`. */
const operationsOf = ({ path, options }: Collection): readonly string[] => {
  const { operations, actions = {}, bulk }: CollectionOptions = options;
  const kinds = operations ?? (Object.keys(operationMethods) as readonly (keyof typeof operationMethods)[]);
  return [
    ...kinds.map((kind) => {
      const isOfAll = kind === 'list' || kind === 'create';
      return `${operationMethods[kind]} ${path}${isOfAll ? '' : '/{}'}`;
    }),
    ...(bulk === undefined ? [] : [`PATCH ${path}`]),
    ...Object.values(actions).map((action) => `${action.method} ${path}/{}/${action.path}`),
  ];
};

/** The operations that APIs declare. */
const declaredIn = (apis: readonly ApiDeclaration[]): readonly string[] =>
  apis.flatMap(({ collections, endpoints = {} }) => [
    ...Object.values(collections).flatMap((one) => operationsOf(one as Collection)),
    ...Object.values(endpoints).map(({ method, path }) => `${method} ${path}`),
  ]);

/**
 * The operations of a document that the APIs made of it do not declare, and that no report names.
 *
 * @param reported - what the reports are about
 */
export const lostOperations = (
  { paths, servers }: Part,
  apis: readonly ApiDeclaration[],
  reported: readonly string[],
): readonly string[] => {
  const [{ url: server }] = (servers ?? [{ url: '' }]) as readonly [{ readonly url: string }];
  const declared = declaredIn(apis).map(shapeOf);
  const isDeclared = (method: string, path: string): boolean =>
    declared.some((one) => {
      const [ownMethod = '', own = ''] = one.split(' ');
      return ownMethod === method && shapeOf(server + path).endsWith(`/${own}`);
    });
  return Object.entries((paths ?? {}) as Part).flatMap(([path, item]) =>
    Object.keys(methodRules)
      .filter((method) => Object.hasOwn(Object(item), method.toLowerCase()) && method !== 'OPTIONS')
      .filter((method) => !isDeclared(method, path))
      .map((method) => `${method} ${path}`)
      .filter((title) => !reported.includes(title) && !title.endsWith(`/${tokenPath}`)),
  );
};

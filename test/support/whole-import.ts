// Which operations of a document an import leaves out.
import type { ApiDeclaration, Collection, CollectionOptions } from 'restkin';
import { targetOf } from '../../src/cli/import/json.ts';
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

/** The operations of the paths of a document: `GET /orders/{id}`. A client asks for its tokens by itself. */
const operationsIn = (document: Part): readonly string[] =>
  Object.entries(Object(document.paths)).flatMap(([path, item]) =>
    Object.keys(methodRules)
      .filter((method) => method !== 'OPTIONS')
      .filter((method) => Object.hasOwn(targetOf(document, item), method.toLowerCase()))
      .filter(() => !path.endsWith(`/${tokenPath}`))
      .map((method) => `${method} ${path}`),
  );

const byLength = (all: readonly string[]): string[] => all.toSorted((a, b) => b.length - a.length);

/**
 * The operations of a document that the APIs made of it do not declare, and that no report names. Each
 * declaration stands for one operation.
 *
 * @param reported - what the reports are about
 */
export const lostOperations = (
  document: Part,
  apis: readonly ApiDeclaration[],
  reported: readonly string[],
): readonly string[] => {
  const [{ url: server }] = (document.servers ?? [{ url: '' }]) as readonly [{ readonly url: string }];
  const declared = byLength(declaredIn(apis).map(shapeOf));
  const unreported = operationsIn(document).filter((title) => !reported.includes(title));
  return byLength(unreported).filter((title) => {
    const [method = '', path = ''] = title.split(/ (.*)/s);
    const isThis = (one: string): boolean => {
      const [ownMethod, own] = one.split(' ');
      return ownMethod === method && shapeOf(server + path).endsWith(`/${own}`);
    };
    const index = declared.findIndex(isThis);
    if (index >= 0) declared.splice(index, 1);
    return index < 0;
  });
};

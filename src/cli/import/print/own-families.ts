// The families of collections that have their records elsewhere than the family of their API says.
import type { Family, ListForm, WholeFamily } from '../../../families/family.ts';
import { differencesOf } from '../../../families/read-family.ts';
import type { Claim } from '../../../openapi/names.ts';
import type { Found } from '../api/api.ts';
import type { ChosenFamily } from '../families/choose.ts';
import { braces, literal, literals, membersOf, quote } from './code.ts';
import { toCamelIdentifier } from './identifiers.ts';

type FoundCollection = Found['collections'][number];

/** How the families of collections are written. */
export interface OwnFamilies {
  /** What the `collection` of a collection is taken of; undefined for the family of the API. */
  readonly ownerOf: (collection: FoundCollection) => string | undefined;
  /** The name of the parts that all families start with; undefined where no collection has its own family. */
  readonly base: string | undefined;
  /** The statements that follow that of the family of the API. */
  readonly statements: readonly string[];
}

/** What the families of collections start with. */
interface Base {
  readonly name: string;
  readonly family: WholeFamily;
  /** Whether it names `list`: what is left out is that of the conventions. */
  readonly hasList: boolean;
}

/** The paths in which a family differs from its base. */
interface Paths {
  readonly items: string;
  readonly item: string;
  readonly body: string;
}

/** So many families that differ in their paths alone are made by a function. */
const fewestForFunction = 3;

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** A list without the path of its records. */
const withoutItems = (list: ListForm): object => ({ ...list, items: undefined });

const hasSameRest = (one: ListForm, other: ListForm): boolean =>
  isSame(withoutItems(one), withoutItems(other));

/** The paths of a family that differs from its base in nothing else; undefined for any other. */
const pathsOf = ({ family, options }: FoundCollection, base: Base): Paths | undefined => {
  const { operations = ['list'] } = options;
  const { items = '' }: ListForm = family.list;
  const { item, body } = family;
  const others = Object.keys(differencesOf(family, base.family)).filter(
    (part) => !['list', 'item', 'body'].includes(part),
  );
  const hasList = operations.includes('list') && items !== '' && hasSameRest(family.list, base.family.list);
  return hasList && typeof item === 'string' && others.length === 0 ? { items, item, body } : undefined;
};

/** A list in which the path of the records is another one than in the base. */
const printListAt = (items: string, { name, family, hasList }: Base): string =>
  braces([...(hasList ? [`...${name}.list`] : membersOf(literals(withoutItems(family.list)))), items]);

/** A function that makes families by their paths, and how it is called. */
const printFunction = (all: readonly Paths[], name: string, base: Base) => {
  const { family } = base;
  // A path of a base that is read at two is none of a parameter.
  const usualItem = typeof family.item === 'string' ? family.item : undefined;
  const isItemGiven = all.some(({ item }) => item !== usualItem);
  const isBodyGiven = all.some(({ body }) => body !== family.body);
  const isBodyItem = isBodyGiven && all.every(({ item, body }) => item === body);
  const isBodyParameter = isBodyGiven && !isBodyItem;
  const parameters = [
    'items: string',
    ...(isItemGiven ? [usualItem === undefined ? 'item: string' : `item = ${quote(usualItem)}`] : []),
    ...(isBodyParameter ? [`body = ${quote(family.body)}`] : []),
  ];
  const parts = [
    `...${base.name}`,
    `list: ${printListAt('items', base)}`,
    ...(isItemGiven ? ['item'] : []),
    ...(isBodyGiven ? [isBodyItem ? 'body: item' : 'body'] : []),
  ];
  const statement = [
    '// The family of a collection, by the paths that its records have in bodies.',
    `const ${name} = (${parameters.join(', ')}) => family(${braces(parts)});`,
  ].join('\n');
  const call = ({ items, item, body }: Paths): string => {
    const isBodySaid = isBodyParameter && body !== family.body;
    const isItemSaid = isItemGiven && (isBodySaid || item !== usualItem);
    const given = [items, ...(isItemSaid ? [item] : []), ...(isBodySaid ? [body] : [])];
    return `${name}(${given.map(quote).join(', ')})`;
  };
  return { statement, call };
};

/** A constant that is one family. */
const printConstant = (name: string, { list, ...others }: Family, base: Base): string => {
  const isMoved = list?.items !== undefined && hasSameRest(list, base.family.list);
  const code = isMoved ? printListAt(`items: ${quote(list.items ?? '')}`, base) : literal(list);
  const members = [`...${base.name}`, ...membersOf({ list: code, ...literals(others) })];
  return `const ${name} = family(${braces(members)});`;
};

/** Plans how the families of collections are written, and claims their names. */
export const planOwnFamilies = (
  collections: readonly FoundCollection[],
  { family, preset, differences }: ChosenFamily,
  claim: Claim,
): OwnFamilies => {
  const own = collections.filter((one) => Object.keys(differencesOf(one.family, family)).length > 0);
  if (own.length === 0) return { ownerOf: () => undefined, base: undefined, statements: [] };
  const name = Object.keys(differences).length === 0 ? preset : claim('base');
  const base = { name, family, hasList: preset !== 'conventions' || differences.list !== undefined };

  const owners = new Map<string, string>();
  const statements: string[] = [];
  const moved = own.flatMap((one) => {
    const paths = pathsOf(one, base);
    return paths === undefined ? [] : [{ key: one.key, paths }];
  });
  if (new Set(moved.map(({ paths }) => JSON.stringify(paths))).size >= fewestForFunction) {
    const all = moved.map(({ paths }) => paths);
    const { statement, call } = printFunction(all, claim('familyAt'), base);
    statements.push(statement);
    for (const { key, paths } of moved) owners.set(key, call(paths));
  }

  /** The names of constants by what they differ in. */
  const constants = new Map<string, string>();
  for (const { key, family: given } of own.filter((one) => !owners.has(one.key))) {
    const parts = differencesOf(given, family);
    const id = JSON.stringify(parts);
    const constant = constants.get(id) ?? claim(toCamelIdentifier(key, 'own'));
    if (!constants.has(id)) statements.push(printConstant(constant, parts, base));
    constants.set(id, constant);
    owners.set(key, constant);
  }
  return { ownerOf: ({ key }) => owners.get(key), base: name, statements };
};

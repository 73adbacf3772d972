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

const itemsOf = ({ list }: WholeFamily): string => {
  const { items = '' }: ListForm = list;
  return items;
};

/** The paths of a family that differs from its base in nothing else; undefined for any other. */
const pathsOf = (family: WholeFamily, base: WholeFamily): Paths | undefined => {
  const { item, body } = family;
  const others = Object.keys(differencesOf(family, base)).filter(
    (part) => !['list', 'item', 'body'].includes(part),
  );
  const isMoved = others.length === 0 && hasSameRest(family.list, base.list);
  return isMoved && typeof item === 'string' ? { items: itemsOf(family), item, body } : undefined;
};

/** The collections whose families differ in their paths alone: in that of a list, or in none of these. */
const movedIn = (own: readonly FoundCollection[], base: WholeFamily) => {
  const all = own.flatMap(({ key, family, options }) => {
    const paths = pathsOf(family, base);
    const { operations = ['list'] } = options;
    const hasItems = operations.includes('list') && itemsOf(family) !== '';
    return paths === undefined ? [] : [{ key, paths, hasItems }];
  });
  const usual = itemsOf(base);
  const withItems = all.filter(({ hasItems }) => hasItems);
  return withItems.some(({ paths }) => paths.items !== usual)
    ? withItems
    : all.filter(({ paths }) => paths.items === usual);
};

/** A list in which the path of the records is another one than in the base. */
const printListAt = (items: string, { name, family, hasList }: Base): string =>
  braces([...(hasList ? [`...${name}.list`] : membersOf(literals(withoutItems(family.list)))), items]);

/** A function that makes families by their paths, and how it is called. */
const printFunction = (all: readonly Paths[], name: string, base: Base) => {
  const { item, body } = base.family;
  const usual = { items: itemsOf(base.family), item: typeof item === 'string' ? item : undefined, body };
  const isGiven = (part: keyof Paths): boolean => all.some((paths) => paths[part] !== usual[part]);
  const isBodyItem = isGiven('item') && isGiven('body') && all.every((paths) => paths.item === paths.body);
  const names = (['items', 'item', 'body'] as const).filter(isGiven);
  const parameters = names.filter((part) => part !== 'body' || !isBodyItem);
  const printed = parameters.map((part, index) => {
    const value = usual[part];
    return index === 0 || value === undefined ? `${part}: string` : `${part} = ${quote(value)}`;
  });
  const parts = names.map((part) => {
    if (part === 'items') return `list: ${printListAt('items', base)}`;
    return part === 'body' && isBodyItem ? 'body: item' : part;
  });
  const statement = [
    '// The family of a collection, by the paths that its records have in bodies.',
    `const ${name} = (${printed.join(', ')}) => family(${braces([`...${base.name}`, ...parts])});`,
  ].join('\n');
  const call = (paths: Paths): string => {
    const last = parameters.findLastIndex((part, index) => index === 0 || paths[part] !== usual[part]);
    const given = parameters.slice(0, last + 1).map((part) => quote(paths[part]));
    return `${name}(${given.join(', ')})`;
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
  const moved = movedIn(own, family);
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

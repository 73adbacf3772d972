// A program while it is printed: what all of its parts share.
import { createClaim } from '../../../openapi/names.ts';
import type { Found } from '../api/api.ts';
import type { Note } from '../api/collections.ts';
import { idOf, type Operation } from '../api/operations.ts';
import { type ChosenFamily, isConventional } from '../families/choose.ts';
import type { Model } from '../model.ts';
import type { Renamed } from '../renamed.ts';
import { lossesOf } from '../schemas/losses.ts';
import type { Direction, Schema } from '../schemas/schema.ts';
import { type Arranged, arrange } from './arrange.ts';
import { toComment } from './code.ts';
import { reserved, toIdentifier, toTitleIdentifier } from './identifiers.ts';
import { planOwnFamilies } from './own-families.ts';
import { createPrinter } from './schema.ts';

/** The names, imports and constants of a program, and what it does not declare. */
export type Program = ReturnType<typeof createProgram>;

/** A part of the document that is not declared. */
export interface Undeclared {
  readonly where: string;
  readonly reason: string;
}

/** What the document calls a component; its own name for one that was made from another. */
const schemaNameOf = (key: string, name: string): string =>
  /^#\/\S+$/.test(key) ? (key.split('/').at(-1) ?? '') : name;

/** Names the constant of each component, by its key. */
const nameComponents = (
  { order }: Arranged,
  claim: (name: string) => string,
): ReadonlyMap<string, string> => {
  const names = new Map<string, string>();
  for (const [key, { name }] of order) {
    // A body has a name of its own only beside the form that responses have.
    const isAlone = /^#.* body$/.test(key) && !order.has(key.replace(/ body$/, ''));
    names.set(key, claim(toIdentifier(isAlone ? name.replace(/Body$/, '') : name, 'Schema')));
  }
  return names;
};

/** So long is a comment at most that says what to declare: a part of it would not do. */
const mostOfNote = 300;

/** What a program does not declare, and the comments that say so. */
const createLosses = () => {
  const undeclared: Undeclared[] = [];

  /** Reports a part that is not declared. */
  const report = (where: string, reason: string): void => {
    undeclared.push({ where, reason });
  };

  /** Reports a part that is not declared, and comments on it. */
  const comment = (where: string, reason: string, shown = reason): string => {
    report(where, reason);
    return `// Not declared: ${toComment(shown)}.`;
  };

  /** Reports what operations of a collection do not declare, and comments on it. */
  const commentNote = (where: string, { kinds, text }: Note): string => {
    if (kinds.length === 0) return comment(where, text);
    for (const kind of kinds) report(`${where}.${kind}`, text);
    return `// Not declared in ${kinds.map((kind) => `\`${kind}\``).join(', ')}: ${toComment(text, mostOfNote)}.`;
  };

  /** Comments on what a schema does not say of the document. */
  const commentLosses = (schema: Schema, owner: string): readonly string[] =>
    lossesOf(schema).map(({ path, reason }) =>
      path === '' ? comment(owner, reason) : comment(`${owner}.${path}`, reason, `\`${path}\`: ${reason}`),
    );

  return { undeclared, report, comment, commentNote, commentLosses };
};

/** What has another name in a program than in the document: components, and operations that are added. */
const createRenames = (names: ReadonlyMap<string, string>) => {
  const renamed: Renamed[] = Array.from(names, ([key, to]) => ({
    what: 'schema',
    from: schemaNameOf(key, to),
    to,
  }));

  const renameOperation = (operation: Operation, to: string): void => {
    renamed.push({ what: 'operation', from: idOf(operation) ?? to, to });
  };

  return { renamed, renameOperation };
};

/** Starts a program with a constant for each component, after those that it names. */
export const createProgram = (found: Found, model: Model, chosen: ChosenFamily) => {
  /** The name that the program imports its family by; undefined for the conventions. */
  const preset = isConventional(chosen.family) ? undefined : chosen.preset;
  const claim = createClaim(preset === undefined ? reserved : [...reserved, preset]);
  /** The name of the API. */
  const api = claim(toTitleIdentifier(found.name));
  const imports = new Set<string>();
  const constants: string[] = [];
  const { undeclared, report, comment, commentNote, commentLosses } = createLosses();

  /** Names an import, which the program then has. */
  const use = (name: string): string => {
    imports.add(name);
    return name;
  };

  const arranged = arrange(found, model);
  const names = nameComponents(arranged, claim);
  const { print, canExpand } = createPrinter(arranged, model, names, use);

  const { renamed, renameOperation } = createRenames(names);

  const addConstant = (name: string, schema: Schema, value: string): void => {
    constants.push([...commentLosses(schema, name), `export const ${name} = ${value};`].join('\n'));
  };

  for (const [key, { schema, direction }] of arranged.order) {
    const code = print(schema, direction, arranged.loose.has(key));
    const value = arranged.late.has(schema) ? `${use('z')}.lazy((): z.core.$ZodType => ${code})` : code;
    addConstant(names.get(key) ?? '', schema, value);
  }

  /** Names the constant of a schema, which gets one unless it is a component. */
  const declare = (schema: Schema, name: string, direction: Direction): string => {
    if (schema.$ref !== undefined) return names.get(model.keyOf(schema.$ref)) ?? '';
    const claimed = claim(toIdentifier(name, 'Schema'));
    addConstant(claimed, schema, print(schema, direction));
    return claimed;
  };

  const ownFamilies = planOwnFamilies(found.collections, chosen, claim);

  return {
    found,
    model,
    chosen,
    preset,
    ownFamilies,
    api,
    imports,
    constants,
    undeclared,
    renamed,
    claim,
    use,
    print,
    canExpand,
    renameOperation,
    report,
    comment,
    commentNote,
    commentLosses,
    declare,
  };
};

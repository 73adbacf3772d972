// The families of a document that was made from a declaration.
import type { Family, WholeFamily } from '../../../families/family.ts';
import * as presets from '../../../families/presets.ts';
import { differencesOf, readFamily } from '../../../families/read-family.ts';
import { InvalidRequestError } from '../../../index.ts';
import { isObject } from '../../../options.ts';
import { UsageError } from '../../errors.ts';
import { type Json, objectAt, stringAt, stringsAt } from '../json.ts';
import type { FamilyOfCollection } from './own-places.ts';

/** What an export writes of the API of an operation: `ordering v1: orders`. */
const tagPattern = /^.+ v\d+: (.+)$/;

/** Whether an export wrote an operation: its id begins with the key in its tag. */
const isWritten = (operation: Json): boolean => {
  const id = stringAt(operation, 'operationId');
  const keys = stringsAt(operation, 'tags').flatMap((tag) => tagPattern.exec(tag)?.slice(1) ?? []);
  return id !== undefined && keys.some((key) => key === 'endpoints' || id.startsWith(key));
};

/** Whether a document was made from a declaration, by `restkin openapi`. */
export const isOfDeclaration = (document: Json): boolean =>
  document['x-restkin-family'] !== undefined ||
  Object.values(objectAt(document, 'paths'))
    .filter(isObject)
    .some((item) => Object.values(item).filter(isObject).some(isWritten));

/** A family as a preset with differences. */
export interface DeclaredFamily {
  readonly preset: string;
  readonly family: WholeFamily;
  readonly differences: Family;
}

/** The preset that differs from a family in the fewest parts. */
const findBase = (family: WholeFamily): DeclaredFamily => {
  const all = Object.entries(presets).map(([preset, given]) => {
    // A part that no preset gives is that of the conventions, but for their name.
    const base = readFamily(preset === 'conventions' ? {} : given);
    return { preset, family, differences: differencesOf(family, base) };
  });
  const sizeOf = ({ differences }: DeclaredFamily): number => Object.keys(differences).length;
  return all.reduce((best, other) => (sizeOf(other) < sizeOf(best) ? other : best));
};

/** @throws {@link UsageError} for a family that is not valid */
const readAt = (where: string, given: Family): WholeFamily => {
  try {
    return readFamily(given);
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error;
    throw new UsageError(`x-restkin-family of ${where}: ${error.message}`);
  }
};

/**
 * Reads the family that an export wrote; undefined for a document without one.
 *
 * @throws {@link UsageError} for one that is not valid
 */
export const readDeclaredFamily = (document: Json): DeclaredFamily | undefined => {
  const { 'x-restkin-family': given } = document;
  // What it is, is checked.
  return given === undefined ? undefined : findBase(readAt('the document', given as Family));
};

/** Reads what an export wrote of the families of collections. */
export const readOwnFamilies =
  (family: WholeFamily): FamilyOfCollection =>
  (operations) => {
    const own = operations.find(({ ownFamily }) => isObject(ownFamily));
    // What it is, is checked.
    return own === undefined ? family : readAt(own.path, { ...family, ...(own.ownFamily as Family) });
  };

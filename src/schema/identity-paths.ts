// What `fields` names where a server does not imply the identity of resources (§4.4).
import { pathSeparator } from '../conventions.ts';
import type { Wire } from '../families/wire.ts';
import { schemaAt } from './field-paths.ts';
import { isIdentified } from './resource.ts';
import type { Schema } from './types/shape.ts';

/**
 * The paths of `fields` with the identity of each resource that they lead through, for a server that does not
 * imply it.
 *
 * @param identity - the fields that each resource has
 */
export const withIdentityPaths = (
  resource: Schema,
  fields: readonly string[],
  identity: readonly string[],
): readonly string[] => {
  const paths = new Set<string>();
  for (const field of fields) {
    const names = field.split(pathSeparator);
    for (const depth of names.keys()) {
      const parent = names.slice(0, depth).join(pathSeparator);
      const schema = parent === '' ? resource : schemaAt(resource, parent);
      if (schema === undefined || !isIdentified(schema)) continue;
      for (const name of identity) paths.add(parent === '' ? name : `${parent}${pathSeparator}${name}`);
    }
    paths.add(field);
  }
  return [...paths];
};

/** A wire that names the identity among `fields`, where its family does not imply it. */
export const withIdentity = (wire: Wire): Wire => {
  const { impliesIdentity, identity } = wire.family;
  if (impliesIdentity) return wire;
  return {
    ...wire,
    formatQuery: (query, isList, resource) => {
      const { fields } = query;
      const named = resource && fields && withIdentityPaths(resource, fields, identity);
      return wire.formatQuery({ ...query, fields: named ?? fields }, isList, resource);
    },
  };
};

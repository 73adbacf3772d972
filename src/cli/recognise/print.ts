import { conventions } from '../../families/family.ts';
import { isResourceJson } from '../../openapi/forms.ts';
import { toSingular } from '../../openapi/names.ts';
import {
  braces,
  indent,
  literal,
  literals,
  memberName,
  members,
  membersOf,
  quote,
} from '../import/print/code.ts';
import { keyOf, toIdentifier } from '../import/print/identifiers.ts';
import type { Schema } from '../import/schemas/schema.ts';
import { printEndpoint } from './print-endpoint.ts';
import { createSamplePrinter } from './print-sample.ts';
import type { Recognised } from './recognise.ts';
import { schemaOf } from './sample.ts';

/** The schemas below one, and itself. */
const schemasIn = (schema: Schema): readonly Schema[] => {
  const { properties = {}, items = [], anyOf = [] } = schema;
  return [schema, ...[Object.values(properties), items, anyOf].flat().flatMap(schemasIn)];
};

/** The references, with `id` and `self` alone: each expands to a resource whose fields were not seen. */
const referencesIn = (schema: Schema): ReadonlyMap<Schema, Schema> => {
  const isReference = (one: Schema): boolean =>
    isResourceJson(one, conventions) && Object.keys(one.properties ?? {}).length === 2;
  return new Map(
    schemasIn(schema)
      .filter(isReference)
      .map((one) => [one, one]),
  );
};

/** @param use - is given each name of `restkin` that the fields need */
const printFields = ({ rows, hasSelf }: Recognised, use: (name: string) => string): string => {
  const schema = schemaOf(rows);
  const print = createSamplePrinter(referencesIn(schema), use);
  const { properties = {}, required = [] } = schema;
  const fields = Object.entries(properties)
    // The identity, which `resource` adds.
    .filter(([name, { type }]) => !(name === 'id' && type === 'number') && !(name === 'self' && hasSelf))
    .map(([name, field]) => {
      const code = print(field);
      return `${memberName(name)}: ${required.includes(name) ? code : `z.optional(${code})`}`;
    });
  return braces(fields);
};

/**
 * The program that declares what was seen.
 *
 * @param scheme - that the API takes
 */
export const printRecognised = (seen: Recognised, scheme: string): string => {
  const { preset, differences, path, version, params, isListSlashed, endpoint } = seen;
  if (endpoint !== undefined) return printEndpoint(seen, endpoint, scheme);
  const parts = membersOf(literals(differences));
  const given =
    parts.length === 0
      ? preset
      : ['{', indent([`...${preset}`, ...parts].map((part) => `${part},`).join('\n')), '}'].join('\n');
  const used = new Set(['resource']);
  const use = (one: string): string => {
    used.add(one);
    return one;
  };
  const fields = printFields(seen, use);
  const builders = ['resource', 'expandable'].filter((one) => used.has(one));
  // What stands in front is the prefix of the API, or the place of a nested collection.
  const key = keyOf(path.slice(path.lastIndexOf('/') + 1));
  const name = toIdentifier(toSingular(key), 'Resource');
  const parameters = params.map((one) => `${memberName(one)}: z.string()`);
  const options = members({
    paging: 'true',
    trailingSlash: isListSlashed ? 'true' : undefined,
    params: params.length === 0 ? undefined : `z.object(${braces(parameters)})`,
  });
  const api = members({
    name: quote(key),
    version: literal(version),
    auth: quote(scheme),
    collections: braces([`${memberName(key)}: collection(${quote(path)}, ${name}, ${options})`]),
  });
  return [
    "import { family } from 'restkin';",
    `import { ${preset} } from 'restkin/families';`,
    "import * as z from 'zod';\n",
    ...(parts.length === 0 ? [] : ['// The nearest preset, with what differs from it.']),
    `const { ${[...builders, 'collection', 'defineApi'].join(', ')} } = family(${given});\n`,
    `export const ${name} = resource(${fields});\n`,
    `export const api = defineApi(${api});\n`,
  ].join('\n');
};

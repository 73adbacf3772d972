import { toSingular } from '../../openapi/names.ts';
import { braces, indent, literal, literals, memberName, members, membersOf, quote } from '../import/code.ts';
import { keyOf, toIdentifier } from '../import/identifiers.ts';
import { createModel } from '../import/model.ts';
import { createPrinter } from '../import/print-schema.ts';
import type { Recognised } from './recognise.ts';
import { schemaOf } from './sample.ts';

const printFields = ({ rows, hasSelf }: Recognised): string => {
  const arranged = { order: new Map(), loose: new Set<string>(), targets: new Map(), late: new Set<never>() };
  const { print } = createPrinter(arranged, createModel({}), new Map(), (name) => name);
  const { properties = {}, required = [] } = schemaOf(rows);
  const fields = Object.entries(properties)
    // The identity, which `resource` adds.
    .filter(([name, { type }]) => !(name === 'id' && type === 'number') && !(name === 'self' && hasSelf))
    .map(([name, field]) => {
      const code = print(field, 'response');
      return `${memberName(name)}: ${required.includes(name) ? code : `z.optional(${code})`}`;
    });
  return braces(fields);
};

/** The program that declares what was seen. */
export const printRecognised = (seen: Recognised): string => {
  const { preset, differences, path, version } = seen;
  const parts = membersOf(literals(differences));
  const given =
    parts.length === 0
      ? preset
      : ['{', indent([`...${preset}`, ...parts].map((part) => `${part},`).join('\n')), '}'].join('\n');
  const key = keyOf(path);
  const name = toIdentifier(toSingular(key), 'Resource');
  const api = members({
    name: quote(preset),
    version: literal(version),
    auth: quote('custom'),
    collections: braces([`${memberName(key)}: collection(${quote(path)}, ${name}, { paging: true })`]),
  });
  return [
    "import { family } from 'restkin';",
    `import { ${preset} } from 'restkin/families';`,
    "import * as z from 'zod';\n",
    `const { resource, collection, defineApi } = family(${given});\n`,
    `export const ${name} = resource(${printFields(seen)});\n`,
    `export const api = defineApi(${api});\n`,
  ].join('\n');
};

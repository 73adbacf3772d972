import { braces, memberName, members, quote } from '../import/print/code.ts';
import { keyOf } from '../import/print/identifiers.ts';
import type { SeenEndpoint } from './endpoint.ts';
import { createSamplePrinter } from './print-sample.ts';
import type { Recognised } from './recognise.ts';
import { schemaOf } from './sample.ts';

/** The program that declares a list of records without an `id`, as an endpoint. */
export const printEndpoint = (
  { path, params, isListSlashed }: Recognised,
  { bodies, pageParameters }: SeenEndpoint,
  scheme: string,
): string => {
  const print = createSamplePrinter(new Map(), (name) => name);
  const key = keyOf(path.slice(path.lastIndexOf('/') + 1));
  const parameters = [
    ...pageParameters.map(
      ({ name, type }) => `${memberName(name)}: z.optional(z.${type === 'integer' ? 'int' : 'string'}())`,
    ),
    ...params.map((name) => `${memberName(name)}: z.string()`),
  ];
  const options = members({
    query: parameters.length === 0 ? undefined : `z.object(${braces(parameters)})`,
    trailingSlash: isListSlashed ? 'true' : undefined,
    response: print(schemaOf(bodies)),
  });
  const api = members({
    name: quote(key),
    auth: quote(scheme),
    collections: '{}',
    endpoints: braces([`${memberName(key)}: endpoint('GET', ${quote(path)}, ${options})`]),
  });
  return [
    "import { endpoint, family } from 'restkin';",
    "import * as z from 'zod';\n",
    "const { defineApi } = family({ path: '' });\n",
    `export const api = defineApi(${api});\n`,
  ].join('\n');
};

import { type Found, findApi } from './api.ts';
import { toComment } from './code.ts';
import { type Json, objectAt } from './json.ts';
import { createModel } from './model.ts';
import { readOperations, toYou } from './operations.ts';
import { printProgram } from './print-program.ts';

/** The TypeScript of a document. */
export interface Imported {
  readonly imports: string;
  readonly declarations: string;
  readonly summary: string;
  /** The parts of the document that are not declared, and why. */
  readonly unfit: readonly { readonly where: string; readonly reason: string }[];
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;

const summaryOf = ({ collections, unfit, baseUrl }: Found): string =>
  [
    count(collections.length, 'collection'),
    count(unfit.length, 'other operation'),
    ...(baseUrl === '' ? [] : [toComment(`base URL ${baseUrl}`)]),
  ].join(', ');

/** Writes the declarations of a document that {@link loadDocument} read. */
export const importDocument = (document: Json): Imported => {
  const model = createModel(document);
  const found = findApi(readOperations(document), model);
  const unfit: { where: string; reason: string }[] = [];
  const program = printProgram(found, model, (where, reason) => void unfit.push({ where, reason }));
  for (const name of Object.keys(objectAt(document, 'webhooks')))
    unfit.push({ where: `webhook ${name}`, reason: toYou });
  return { ...program, unfit, summary: summaryOf(found) };
};

/** The content of the file. `document` is the name of the document. */
export const writeFileContent = ({ imports, declarations }: Imported, document: string): string =>
  `// Made by \`restkin import ${document}\`.\n${imports}\n\n${declarations}\n`;

import { toComment } from './code.ts';
import { type Found, findCollections } from './collections.ts';
import { writeReferences } from './expand.ts';
import { type Json, objectAt } from './json.ts';
import { createModel } from './model.ts';
import { readOperations, serverOf } from './operations.ts';
import { originOfServer } from './place.ts';
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

const summaryOf = ({ apis, unfit, prefix }: Found, server: string | undefined): string => {
  const collections = apis.flatMap((api) => api.collections);
  const hasServer = server !== undefined && server !== '/';
  return [
    count(apis.length, 'API'),
    count(collections.length, 'collection'),
    count(unfit.length, 'other operation'),
    ...(hasServer ? [toComment(`base URL ${originOfServer(server)}${prefix || '/'}`)] : []),
  ].join(', ');
};

/** Writes the declarations of a document that {@link loadDocument} read. */
export const importDocument = (document: Json): Imported => {
  const operations = readOperations(document);
  writeReferences(document, operations);
  const model = createModel(document);
  const found = findCollections(operations, model);
  const unfit: { where: string; reason: string }[] = [];
  const program = printProgram(found, model, (where, reason) => void unfit.push({ where, reason }));
  const webhooks = Object.keys(objectAt(document, 'webhooks')).join(', ');
  if (webhooks !== '') {
    const reason = 'requests of the server to you are no part of a client';
    unfit.push({ where: `webhooks ${webhooks}`, reason });
  }
  return { ...program, unfit, summary: summaryOf(found, serverOf(document)) };
};

/** The content of the file. `document` is the name of the document. */
export const writeFileContent = ({ imports, declarations }: Imported, document: string): string =>
  `// Made by \`restkin import ${document}\`.\n${imports}\n\n${declarations}\n`;

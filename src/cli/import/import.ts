import type { ListForm } from '../../families/family.ts';
import { differencesOf } from '../../families/read-family.ts';
import { countOf } from '../output/count.ts';
import { findItems } from '../recognise/evidence.ts';
import { describeLargestSize } from '../recognise/names.ts';
import { type Found, findApi } from './api/api.ts';
import { toYou } from './api/notes.ts';
import { type Operation, placeIn, readOperations, readOthers, renamedParameters } from './api/operations.ts';
import { isOfOne } from './api/urls.ts';
import { type ChosenFamily, chooseFamily } from './families/choose.ts';
import { exampleResponseOf } from './families/example.ts';
import { type Json, objectAt } from './json.ts';
import { createModel } from './model.ts';
import { toComment } from './print/code.ts';
import { printProgram } from './print/print-program.ts';
import { describeRenamed } from './renamed.ts';

/** The TypeScript of a document, and the parts of the document that are not declared. */
export type Imported = ReturnType<typeof importDocument>;

const summaryOf = ({ collections, endpoints, unfit, baseUrl }: Found): string => {
  const base = baseUrl === '' ? '' : toComment(`, base URL ${baseUrl}`);
  const actions = endpoints.filter(({ collection }) => collection !== undefined);
  const counts = [
    countOf(collections.length, 'collection'),
    ...(actions.length > 0 ? [countOf(actions.length, 'action')] : []),
    countOf(endpoints.length - actions.length, 'endpoint'),
    countOf(unfit.length, 'other operation'),
  ];
  return counts.join(', ') + base;
};

/** What the report says of lists that the document does not say the next page of. */
const describeNext = ({ family, undocumented, saysNext }: ChosenFamily, { collections }: Found): string => {
  const { next = 'link' }: ListForm = family.list;
  const hasPages = collections.some(({ options }) => options.paging !== undefined);
  if (saysNext !== false || !hasPages || undocumented.length > 0) return '';
  const start = '. Nothing in the document says how a list continues';
  if (next !== 'link')
    return `${start}: where a response lacks what \`list\` of the family names, reading it is a PagingError`;
  return `${start}: the client follows \`Link\`, and where the server sends none, a list ends after its first page without an error. Compare a list with its server: \`restkin recognise URL\` says how it continues`;
};

/** In what the families of collections differ from that of their API. */
const describeOwn = ({ family }: ChosenFamily, { collections }: Found): string => {
  const own = collections
    .map((one) => Object.keys(differencesOf(one.family, family)))
    .filter(({ length }) => length > 0);
  const parts = [...new Set(own.flat())].toSorted().map((part) => `\`${part}\``);
  return own.length === 0 ? '' : `. Another ${parts.join(', ')} in ${countOf(own.length, 'collection')}`;
};

/** Which family the document is of, why, and what it does not say of it. */
const describeFamily = (of: ChosenFamily, found: Found): string => {
  const { preset, differences, reason, undocumented } = of;
  const others = Object.keys(differences).filter((part) => part !== 'path');
  const path = differences.path === '' ? ', without its path' : '';
  const parts = others.length === 0 ? '' : `, with another ${others.map((part) => `\`${part}\``).join(', ')}`;
  const chosen = `Family: ${preset}${path}${parts}, ${reason}${describeOwn(of, found)}${describeNext(of, found)}`;
  if (undocumented.length === 0) return chosen;
  const headers = undocumented.length === 1 ? 'the header' : 'the headers';
  return `${chosen}. Each list must have ${headers} ${undocumented.join(', ')}, which the document does not name; declare one without it with \`paging: { totals: false }\``;
};

/** Why no list of a document is a collection; empty where one is, and where it has none. */
const describeLists = (document: Json, { collections, endpoints, unfit }: Found): string => {
  const isList = (operation: Operation): boolean =>
    operation.method === 'GET' &&
    !isOfOne(operation) &&
    findItems(exampleResponseOf(document, operation)?.body) !== undefined;
  const reasons = [...endpoints, ...unfit]
    .filter(({ operation }) => isList(operation))
    .map(({ reason }) => reason);
  return collections.length > 0 || reasons.length === 0
    ? ''
    : `No list is a collection: ${[...new Set(reasons)].join('; ')}`;
};

/** What the document does not say of the largest page; empty where each list says it, or need not. */
const describeSizes = ({ family }: ChosenFamily, { collections }: Found): string => {
  const [largest] = describeLargestSize(family);
  const isOpen = collections.some(({ options: { paging } }) => {
    return paging !== undefined && (typeof paging !== 'object' || paging.maxPerPage === undefined);
  });
  return largest !== undefined && isOpen ? `Not in the document: ${largest}` : '';
};

/**
 * Writes the declarations of a document that {@link loadDocument} read.
 *
 * @param preset - the name of its family; undefined for the one that its lists show
 */
export const importDocument = (document: Json, preset?: string) => {
  const operations = readOperations(document);
  const chosen = chooseFamily(document, operations, preset);
  const model = createModel(document, chosen.family, chosen.saysNext, chosen.familyOf);
  const found = findApi(placeIn(operations, chosen.family), model);
  const { imports, declarations, undeclared, renamed } = printProgram(found, model, chosen);
  const webhooks = Object.keys(objectAt(document, 'webhooks')).map((name) => `webhook ${name}`);
  const ofWebhooks = webhooks.map((where) => ({ where, reason: toYou }));
  return {
    imports,
    declarations,
    unfit: [...undeclared, ...readOthers(document), ...ofWebhooks],
    summary: summaryOf(found),
    family: describeFamily(chosen, found),
    lists: describeLists(document, found),
    sizes: describeSizes(chosen, found),
    names: describeRenamed([...renamed, ...renamedParameters(operations)]),
  };
};

/** The content of the file. `document` is the name of the document. */
export const writeFileContent = ({ imports, declarations }: Imported, document: string): string =>
  `// Made by \`restkin import ${document}\`.\n${imports}\n\n${declarations}\n`;

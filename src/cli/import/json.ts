import { UsageError } from '../errors.ts';

/** An object of a document. */
export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const memberOf = (of: Json, name: string): unknown => (Object.hasOwn(of, name) ? of[name] : undefined);

/** A member that is an object; an empty one when it is missing or something else. */
export const objectAt = (of: Json, name: string): Json => {
  const value = memberOf(of, name);
  return isObject(value) ? value : {};
};

/** A member that is a list; an empty one when it is missing or something else. */
export const listAt = (of: Json, name: string): readonly unknown[] => {
  const value = memberOf(of, name);
  return Array.isArray(value) ? value : [];
};

export const stringsAt = (of: Json, name: string): readonly string[] =>
  listAt(of, name).filter((value) => typeof value === 'string');

export const stringAt = (of: Json, name: string): string | undefined => {
  const value = memberOf(of, name);
  return typeof value === 'string' ? value : undefined;
};

/** True for an integer from 1. */
export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;

/** The bounds of what is read. The largest documents that npm packages ship have a third of the size and 40 levels. */
export const limits = {
  /** Bytes of a document. */
  bytes: 32 * 1024 * 1024,
  /** Levels of objects and lists in a document, and of schemas through references. */
  levels: 200,
  /** Values in a document: aliases of YAML count wherever they are used. */
  values: 10_000_000,
  /** Fields that are searched for those that a resource can expand. */
  fields: 10_000,
  /** Documents that references lead to. */
  documents: 100,
} as const;

/** Refuses a document that a recursive function cannot walk through. An alias of YAML may even contain itself. */
const checkBounds = (name: string, document: unknown): void => {
  const waiting: [value: unknown, level: number][] = [[document, 0]];
  let count = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [value, level] = next;
    count += 1;
    if (level > limits.levels)
      throw new UsageError(`${name} is nested more than ${limits.levels} levels deep`);
    if (count > limits.values) throw new UsageError(`${name} holds more than ${limits.values} values`);
    if (typeof value !== 'object' || value === null) continue;
    for (const member of Object.values(value)) waiting.push([member, level + 1]);
  }
};

const parse = async (content: string): Promise<unknown> => {
  // JSON is also YAML, but the parser of YAML takes twenty times as long.
  if (/^\s*\{/.test(content)) {
    try {
      return JSON.parse(content);
    } catch {
      // A flow mapping of YAML begins in the same way.
    }
  }
  const { isScalar, parseDocument, visit } = await import('yaml');
  // The parser would compare each key with all before it. For fifty thousand keys that takes minutes and blocks Ctrl-C.
  const document = parseDocument(content, { logLevel: 'error', uniqueKeys: false });
  const [error] = document.errors;
  if (error !== undefined) throw error;
  visit(document, {
    Map: (_key, { items }) => {
      const keys = new Set<unknown>();
      for (const { key } of items) {
        const name = isScalar(key) ? key.value : key;
        if (keys.has(name)) throw new Error(`the key ${JSON.stringify(name)} is a duplicate`);
        keys.add(name);
      }
    },
  });
  return document.toJS();
};

/**
 * Parses a document of JSON or YAML.
 *
 * @param name - its file, for messages
 * @throws {@link UsageError} for one that is neither, and for one that is too large or too deep
 */
export const parseDocument = async (name: string, content: string): Promise<Json> => {
  let document: unknown;
  try {
    document = await parse(content);
  } catch (error) {
    // The rest of the message quotes the document.
    const [reason = ''] = error instanceof Error ? error.message.split('\n') : [];
    throw new UsageError(`${name} is neither JSON nor YAML: ${reason.replace(/:$/, '')}`);
  }
  if (!isObject(document))
    throw new UsageError(`${name} is not an OpenAPI document: it does not contain an object`);
  checkBounds(name, document);
  return document;
};

import type { ApiDeclaration } from '../index.ts';
import { UsageError } from './errors.ts';
import type { Io } from './io.ts';
import { formatTable, isRow, toJson } from './output/records.ts';
import { readParameters } from './parameters.ts';
import type { ApiReader } from './reader.ts';
import type { EndpointTarget } from './target.ts';

/** What `get` prints of an endpoint. */
interface EndpointRequest {
  readonly target: EndpointTarget;
  readonly param: readonly string[] | undefined;
  readonly fields: readonly string[] | undefined;
  readonly expand: readonly string[] | undefined;
}

type Values = Readonly<Record<string, unknown>>;
type Functions = Readonly<Record<string, (...given: readonly unknown[]) => Promise<unknown>>>;

/** A collection, which is called with its path parameters if it has any. */
export const bindCollection = (reader: ApiReader, key: string, parameters: Values) => {
  const found = reader[key];
  return typeof found === 'function' ? (found(parameters) as unknown) : found;
};

const parameterNamesOf = (path: string): readonly string[] =>
  path.split('/').flatMap((part) => (part.startsWith(':') ? [part.slice(1)] : []));

/** Those of the values whose names are parameters of a path. */
const valuesIn = (path: string, values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => parameterNamesOf(path).includes(name)));

/**
 * The path parameters of what a name stands for, and the other values of `--param`; undefined without any.
 *
 * @throws {@link UsageError} for a path parameter without a value, which the name leaves out
 */
export const splitParameters = (
  key: string,
  path: string,
  read: Values = {},
): { readonly inPath: Values; readonly others: Values | undefined } => {
  const names = parameterNamesOf(path);
  const missing = names.filter((name) => read[name] === undefined);
  if (missing.length > 0)
    throw new UsageError(`${key} is ${path}; give ${missing.map((name) => `--param=${name}=…`).join(' ')}`);
  const others = Object.entries(read).filter(([name]) => !names.includes(name));
  return {
    inPath: valuesIn(path, read),
    others: others.length > 0 ? Object.fromEntries(others) : undefined,
  };
};

/** Calls an endpoint, or an action with its id and with the path parameters of its collection. */
const callEndpoint = (
  reader: ApiReader,
  api: ApiDeclaration,
  { endpoint }: EndpointTarget,
  parameters: Values,
  selection: Values,
): Promise<unknown> | undefined => {
  const { name, declared, collection, idName = 'id' } = endpoint;
  const given = { ...valuesIn(declared.path, parameters), ...selection };
  if (collection === undefined) return (reader as Functions)[name]?.(given);
  const above = valuesIn(api.collections[collection]?.path ?? '', parameters);
  const actions = bindCollection(reader, collection, above) as Functions;
  return actions[name]?.(parameters[idName], given);
};

/** Prints the response of an endpoint: JSON, or text and bytes as they are. */
export const printEndpoint = async (
  reader: ApiReader,
  api: ApiDeclaration,
  { target, param, ...selection }: EndpointRequest,
  { out, signal }: Io,
): Promise<void> => {
  const { key, path, declared } = target.endpoint;
  const { query, repeated = [], response } = declared.options;
  const read = await readParameters({ options: { repeated, ...(query && { params: query }) } }, param);
  const { inPath, others } = splitParameters(key, path, { ...read, ...target.parameters });
  const given = {
    ...(others && { query: others }),
    ...Object.fromEntries(Object.entries(selection).filter(([, value]) => value !== undefined)),
    signal,
  };
  const result = await callEndpoint(reader, api, target, inPath, given);
  const rows = [result].flat();
  if (result instanceof Response) for await (const part of result.body ?? []) await out.write(part);
  else if (result instanceof Uint8Array || (typeof result === 'string' && response === undefined))
    await out.write(result);
  else if (out.isTerminal && rows.every(isRow)) await out.write(formatTable(rows));
  else await out.write(`${toJson(result)}\n`);
};

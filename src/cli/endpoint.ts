import type { ApiDeclaration, Client, DeclaredEndpoint } from '../index.ts';
import { UsageError } from './errors.ts';
import type { Io } from './io.ts';
import { formatTable, type Row, toJson } from './output/records.ts';
import { readParameters } from './parameters.ts';

/** What `get` prints of an endpoint. */
interface EndpointRequest {
  readonly name: string;
  readonly declared: DeclaredEndpoint;
  readonly param: readonly string[] | undefined;
  readonly fields: readonly string[] | undefined;
  readonly expand: readonly string[] | undefined;
}

type Call = (given: Readonly<Record<string, unknown>>) => Promise<unknown>;

/**
 * The endpoint of a name; undefined where there is none, or a collection has it as its path.
 *
 * @throws {@link UsageError} for one that is not read with GET
 */
export const findEndpoint = (
  { endpoints = {}, collections }: ApiDeclaration,
  name: string,
): DeclaredEndpoint | undefined => {
  const isPath = Object.values(collections).some(({ path }) => path === name);
  const declared = Object.hasOwn(endpoints, name) && !isPath ? endpoints[name] : undefined;
  if (declared === undefined || declared.method === 'GET') return declared;
  throw new UsageError(
    `The endpoint ${name} is ${declared.method} ${declared.path}, and restkin get sends GET alone; call it in a program`,
  );
};

/** Prints the response of an endpoint: JSON, or text and bytes as they are. */
export const printEndpoint = async (
  client: Client,
  api: ApiDeclaration,
  { name, declared, param, ...selection }: EndpointRequest,
  { out, signal }: Io,
): Promise<void> => {
  const { query, repeated = [], response } = declared.options;
  const read = await readParameters({ options: { repeated, ...(query && { params: query }) } }, param);
  const inPath = declared.path.split('/').filter((part) => part.startsWith(':'));
  const isInPath = ([key]: readonly [string, unknown]): boolean => inPath.includes(`:${key}`);
  const entries = Object.entries(read ?? {});
  const others = entries.filter((entry) => !isInPath(entry));
  const given = {
    ...Object.fromEntries(entries.filter(isInPath)),
    ...(others.length > 0 && { query: Object.fromEntries(others) }),
    ...Object.fromEntries(Object.entries(selection).filter(([, value]) => value !== undefined)),
    signal,
  };
  // The types of a client come from a declaration that the compiler knows; this one comes from a file.
  const call = (client.api(api) as Readonly<Record<string, unknown>>)[name] as Call;
  const result = await call(given);
  if (result instanceof Response) for await (const part of result.body ?? []) await out.write(part);
  else if (result instanceof Uint8Array || (typeof result === 'string' && response === undefined))
    await out.write(result);
  else if (out.isTerminal && typeof result === 'object' && result !== null)
    await out.write(formatTable([result].flat() as readonly Row[]));
  else await out.write(`${toJson(result)}\n`);
};

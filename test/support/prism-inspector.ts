import { createRequire } from 'node:module';
import type { OpenApiDocument } from 'restkin/openapi';
import type { Inspect } from './documented.ts';

interface Violation {
  readonly path?: readonly (string | number)[];
  readonly message: string;
}

interface Exchange {
  readonly validations: { readonly input: readonly Violation[]; readonly output: readonly Violation[] };
}

/** A result of fp-ts. */
type Outcome =
  | { readonly _tag: 'Right'; readonly right: Exchange }
  | { readonly _tag: 'Left'; readonly left: Error };

/** What is used of `@stoplight/prism-http`. */
interface PrismHttp {
  getHttpOperationsFromSpec(document: object): Promise<readonly object[]>;
  createInstance(
    config: object,
    components: object,
  ): { request(input: object, operations: readonly object[]): () => Promise<Outcome> };
}

type Message = Pick<Response, 'headers' | 'text'>;

/** As Prism's own server reads a body: JSON by its type, any other as a string. */
const readBody = async (message: Message): Promise<unknown> => {
  const content = await message.text();
  const isJson = message.headers.get('content-type')?.startsWith('application/json') === true;
  return isJson && content !== '' ? JSON.parse(content) : content;
};

const readQuery = ({ searchParams }: URL) =>
  Object.fromEntries(
    [...searchParams.keys()].map((name) => {
      const values = searchParams.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );

/** Prism refuses a password with a colon, which RFC 7617 §2 allows. */
const withoutColons = (authorization: string): string =>
  authorization.replace(/(?<=^Basic )\S+$/, (credentials) =>
    btoa(atob(credentials).replace(/(?<=:.*):/gs, '')),
  );

const readHeaders = (headers: Headers) => ({
  ...Object.fromEntries(headers),
  authorization: withoutColons(headers.get('authorization') ?? ''),
});

const describe = (where: string, { path = [], message }: Violation): string =>
  `${[where, ...path].join('.')}: ${message}`;

/** `npm run openapi` installs it beside the other tools. */
const loadPrism = (): PrismHttp =>
  createRequire(new URL('../openapi/package.json', import.meta.url))('@stoplight/prism-http');

/**
 * Sends exchanges through Prism's validating proxy, which gets the response of the mock in place of a server behind it. A
 * request that the mock refuses with 4xx may violate the document, a response never.
 */
export const prismInspector = (document: OpenApiDocument): Inspect => {
  const { createInstance, getHttpOperationsFromSpec } = loadPrism();
  // Prism changes the document that it is given.
  const reading = getHttpOperationsFromSpec(structuredClone(document));
  const config = { isProxy: true, upstream: new URL('http://127.0.0.1'), errors: false };
  const checks = { checkSecurity: true, validateRequest: true, validateResponse: true };
  return async (request, response) => {
    const isRefused = response.status >= 400 && response.status < 500;
    const url = new URL(request.url);
    const input = {
      method: request.method.toLowerCase(),
      url: { path: url.pathname, query: readQuery(url) },
      headers: readHeaders(request.headers),
      // A refused body may be no JSON. Prism takes an empty body for none.
      body: isRefused ? null : (await readBody(request)) || null,
    };
    const right = {
      statusCode: response.status,
      headers: Object.fromEntries(response.headers),
      body: await readBody(response),
    };
    const components = {
      logger: { child: () => undefined },
      forward: () => () => async () => ({ _tag: 'Right', right }),
    };
    const prism = createInstance({ ...config, ...checks }, components);
    const outcome = await prism.request(input, await reading)();
    const at = `${request.method} ${url.pathname}${url.search}: ${response.status}`;
    if (outcome._tag === 'Left') return [`${at}: ${outcome.left.message}`];
    const { validations } = outcome.right;
    return [
      ...(isRefused ? [] : validations.input.map((one) => describe('request', one))),
      ...validations.output.map((one) => describe('response', one)),
    ].map((problem) => `${at}: ${problem}`);
  };
};

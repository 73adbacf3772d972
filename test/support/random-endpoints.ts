import { endpoint, family, type Method } from 'restkin';
import { conventions, type Family } from 'restkin/families';
import * as z from 'zod';
import fc from './random.ts';

// Declarations with endpoints and actions, made up at random.

const bodies = {
  json: z.object({ title: z.string() }),
  optional: z.optional(z.object({ title: z.string() })),
  form: z.instanceof(FormData),
  encoded: z.instanceof(URLSearchParams),
  bytes: z.instanceof(Blob),
} as const;
const buildersOf = (given: Family) => family(given as typeof conventions);

const makeResponses = ({ resource, expandable }: ReturnType<typeof buildersOf>, canExpand: boolean) => {
  const Note = resource({ text: z.string(), size: z.optional(z.int()) });
  return {
    resource: Note,
    object: z.object({ name: z.string(), at: z.iso.datetime() }),
    list: z.array(z.object({ count: z.int().check(z.gte(0)) })),
    notes: z.array(Note),
    number: z.number(),
    linked: resource({ title: z.string(), note: canExpand ? expandable(Note) : Note }),
    nullable: z.nullable(z.string()),
  };
};
type Responses = ReturnType<typeof makeResponses>;

const responseNames = [
  'resource',
  'object',
  'list',
  'notes',
  'number',
  'linked',
  'nullable',
] as const satisfies readonly (keyof Responses)[];

const drawn = fc.record({
  method: fc.constantFrom<Method>('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
  path: fc.constantFrom(
    'alpha',
    'alpha/:key',
    'beta/:key/gamma',
    'notes/search',
    'notes/:key/delta',
    'delta/:one/:two',
  ),
  response: fc.option(fc.constantFrom(...responseNames)),
  as: fc.option(fc.constantFrom('text' as const, 'bytes' as const, 'response' as const)),
  body: fc.option(fc.constantFrom(...(Object.keys(bodies) as (keyof typeof bodies)[]))),
  selects: fc.boolean(),
  hasQuery: fc.boolean(),
  isAction: fc.boolean(),
  accepts: fc.boolean(),
  trailingSlash: fc.option(fc.boolean()),
  /** That of the notes, in the first endpoint. */
  key: fc.constantFrom('id', 'text', 'size'),
});
export type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

/** The form of the body of an endpoint whose method takes one. */
export const bodyOf = ({ method, body }: Drawn): keyof typeof bodies | undefined =>
  method === 'GET' || method === 'DELETE' || body === null ? undefined : body;

const declare = (one: Drawn, responses: Responses, { query }: Family) => {
  const body = bodyOf(one);
  const isResource = one.response === 'resource' || one.response === 'linked';
  const form =
    one.response === null ? one.as !== null && { as: one.as } : { response: responses[one.response] };
  return endpoint(one.method, one.path, {
    ...form,
    ...(one.accepts && { accepts: true }),
    ...(one.trailingSlash !== null && { trailingSlash: one.trailingSlash }),
    ...(one.hasQuery && { query: z.object({ from: z.iso.date(), tags: z.optional(z.array(z.string())) }) }),
    ...(one.hasQuery && { repeated: ['tags'] }),
    ...(one.selects && isResource && query?.fields !== undefined && { fields: true }),
    ...(one.selects && one.response === 'linked' && query?.expand !== undefined && { expand: ['note'] }),
    ...(body && { body: bodies[body] }),
  } as object);
};

/** A declaration's endpoints, each at a place of its own. */
export const drawnEndpoints = fc.uniqueArray(drawn, {
  minLength: 1,
  maxLength: 4,
  selector: ({ method, path, isAction }) => `${method} ${isAction} ${path}`,
});

/** An API of made-up endpoints, in a family, and each by its name. */
export const declareEndpoints = (all: readonly Drawn[], given: Family = conventions) => {
  const builders = buildersOf(given);
  const responses = makeResponses(builders, given.query?.expand !== undefined);
  const named = all.map((one, index) => [`e${index}`, one] as const);
  const declaredOf = (isAction: boolean) =>
    Object.fromEntries(
      named
        .filter(([, one]) => one.isAction === isAction)
        .map(([name, one]) => [name, declare(one, responses, given)]),
    );
  const key = (all[0]?.key ?? 'id') as 'text';
  const notes = builders.collection('notes', responses.resource, { key, actions: declaredOf(true) });
  const api = builders.defineApi({
    name: 'x',
    version: 1,
    auth: 'basic',
    collections: { notes },
    endpoints: declaredOf(false),
  });
  return { api, named, key };
};

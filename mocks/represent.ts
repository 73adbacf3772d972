import { type Endpoint, isView } from './endpoints.ts';
import { type Described, describe, isObject, type Json } from './fields.ts';
import { type Names, noNames } from './names.ts';
import type { CollectionRoute, RouteValues } from './routes.ts';
import type { Row } from './store.ts';

/** What of a resource returns (§4.4). */
export interface Limits {
  readonly fields: Names | undefined;
  readonly expand: Names;
}

/** Everything, nothing expanded. */
export const wholeResource: Limits = { fields: undefined, expand: noNames };

/** Where an answer is made, which its links begin with. */
export interface Place {
  readonly endpoint: Endpoint;
  readonly base: string;
  /** Of the endpoint, with what the request has for its parameters. */
  readonly path: string;
}

/** The place of a request. */
export const placeOf = ({ endpoint, base }: CollectionRoute, { parameters }: RouteValues): Place => {
  const encoded = (name: string): string => encodeURIComponent(parameters.get(name) ?? '');
  const path = isView(endpoint)
    ? endpoint.segments.map((part) => (part.startsWith(':') ? encoded(part.slice(1)) : part)).join('/')
    : endpoint.path;
  return { endpoint, base, path };
};

/** The absolute URI of a resource (§2.1); undefined when it cannot be fetched on its own. */
export const selfOf = (home: Endpoint | undefined, id: unknown, place: Place): string | undefined =>
  home &&
  `${place.base}/${home === place.endpoint ? place.path : home.path}/${encodeURIComponent(String(id))}`;

const homeOf = ({ endpoint }: Place, described: Described): Endpoint | undefined => {
  const holder = endpoint.related(described.core);
  return holder?.operations.has('get') === true ? holder : undefined;
};

/** `id` and `self` always return (§2.1); a link that the mock does not know stays as it was given. */
const identity = (value: Json, self: string | undefined): Record<string, unknown> => {
  const link = self ?? value.self;
  return link === undefined ? { id: value.id } : { id: value.id, self: link };
};

const representFields = (
  value: Json,
  described: Described,
  limits: Limits,
  place: Place,
  into: Record<string, unknown>,
) => {
  for (const [name, inner] of Object.entries(value)) {
    if (Object.hasOwn(into, name)) continue;
    const fields = limits.fields?.below.get(name);
    if (limits.fields !== undefined && fields === undefined && name !== 'id') continue;
    const field = described.fields?.get(name);
    const below = fields?.whole === false ? fields : undefined;
    const expand = limits.expand.below.get(name);
    into[name] =
      field?.fields === undefined
        ? inner
        : representField(
            inner,
            field,
            { fields: below, expand: expand ?? noNames },
            place,
            expand !== undefined,
          );
  }
  return into;
};

const representField = (
  value: unknown,
  described: Described,
  limits: Limits,
  place: Place,
  isExpanded: boolean,
): unknown => {
  if (Array.isArray(value)) {
    return value.map((item) => representField(item, described, limits, place, isExpanded));
  }
  if (!isObject(value)) return value;
  const { target, isResource } = described;
  if (target !== undefined) return representRelation(value, describe(target), limits, place, isExpanded);
  const start = isResource ? identity(value, selfOf(homeOf(place, described), value.id, place)) : {};
  return representFields(value, described, limits, place, start);
};

const representRelation = (
  value: Json,
  target: Described,
  limits: Limits,
  place: Place,
  isExpanded: boolean,
): unknown => {
  const start = identity(value, selfOf(homeOf(place, target), value.id, place));
  if (!isExpanded) return start;
  const related = place.endpoint.related(target.core)?.table.rows.get(String(value.id))?.value;
  return representFields(related ?? value, target, limits, place, start);
};

/** A row as it is answered: with `self`, limited by `fields` and expanded by `expand` (§2.1, §4.4). */
const representRow = ({ id, value }: Row, limits: Limits, place: Place): Json => {
  const { endpoint } = place;
  const start = identity(value, selfOf(endpoint.home, id, place));
  return representFields(value, endpoint.resource, limits, place, start);
};

interface Text {
  readonly place: Place;
  readonly text: string;
}

const isSame = (a: Place, b: Place): boolean =>
  a === b || (a.endpoint === b.endpoint && a.base === b.base && a.path === b.path);

/** A row never changes, it is replaced: its text holds as long as it is there. */
const texts = new WeakMap<Row, Text>();

/** A row as it is answered, as JSON; the text of a whole resource is remembered. */
export const formatRow = (row: Row, limits: Limits, place: Place): string => {
  if (limits.fields !== undefined || limits.expand.below.size > 0) {
    return JSON.stringify(representRow(row, limits, place));
  }
  const known = texts.get(row);
  if (known !== undefined && isSame(known.place, place)) return known.text;
  const text = JSON.stringify(representRow(row, limits, place));
  texts.set(row, { place, text });
  return text;
};

const newest = (value: unknown, described: Described, expand: Names, endpoint: Endpoint): number => {
  if (Array.isArray(value))
    return Math.max(0, ...value.map((item) => newest(item, described, expand, endpoint)));
  if (!isObject(value)) return 0;
  const related = described.target && endpoint.related(described.target)?.table.rows.get(String(value.id));
  return Math.max(related?.changedAt ?? 0, newestBelow(related?.value ?? value, described, expand, endpoint));
};

const newestBelow = (value: Json, described: Described, expand: Names, endpoint: Endpoint): number =>
  Math.max(
    0,
    ...[...expand.below].map(([name, below]) => {
      const field = described.fields?.get(name);
      return field === undefined ? 0 : newest(value[name], field, below, endpoint);
    }),
  );

/** When a representation last changed: with it, a related resource that it holds in full. */
export const changedAt = ({ value, changedAt }: Row, endpoint: Endpoint, expand: Names): number =>
  Math.max(changedAt, newestBelow(value, endpoint.resource, expand, endpoint));

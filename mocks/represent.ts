import type { Endpoint } from './endpoints.ts';
import { type Described, describe, isObject, type Json } from './fields.ts';
import { type Names, noNames } from './names.ts';
import type { Row } from './store.ts';

/** What of a resource returns (§4.4). */
export interface Limits {
  readonly fields: Names | undefined;
  readonly expand: Names;
}

/** Everything, nothing expanded. */
export const wholeResource: Limits = { fields: undefined, expand: noNames };

interface Place {
  readonly endpoint: Endpoint;
  readonly base: string;
}

/** The absolute URI of a resource (§2.1); undefined when it cannot be fetched on its own. */
export const selfOf = (home: Endpoint | undefined, id: unknown, base: string): string | undefined =>
  home && `${base}/${home.path}/${encodeURIComponent(String(id))}`;

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
  const start = isResource ? identity(value, selfOf(homeOf(place, described), value.id, place.base)) : {};
  return representFields(value, described, limits, place, start);
};

const representRelation = (
  value: Json,
  target: Described,
  limits: Limits,
  place: Place,
  isExpanded: boolean,
): unknown => {
  const start = identity(value, selfOf(homeOf(place, target), value.id, place.base));
  if (!isExpanded) return start;
  const related = place.endpoint.related(target.core)?.table.rows.get(String(value.id))?.value;
  return representFields(related ?? value, target, limits, place, start);
};

/** A row as it is answered: with `self`, limited by `fields` and expanded by `expand` (§2.1, §4.4). */
const representRow = ({ id, value }: Row, endpoint: Endpoint, limits: Limits, base: string): Json => {
  const start = identity(value, selfOf(endpoint.home, id, base));
  return representFields(value, endpoint.resource, limits, { endpoint, base }, start);
};

interface Text {
  readonly endpoint: Endpoint;
  readonly base: string;
  readonly text: string;
}

/** A row never changes, it is replaced: its text holds as long as it is there. */
const texts = new WeakMap<Row, Text>();

/** A row as it is answered, as JSON; the text of a whole resource is remembered. */
export const formatRow = (row: Row, endpoint: Endpoint, limits: Limits, base: string): string => {
  if (limits.fields !== undefined || limits.expand.below.size > 0) {
    return JSON.stringify(representRow(row, endpoint, limits, base));
  }
  const known = texts.get(row);
  if (known?.endpoint === endpoint && known.base === base) return known.text;
  const text = JSON.stringify(representRow(row, endpoint, limits, base));
  texts.set(row, { endpoint, base, text });
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

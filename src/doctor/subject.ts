import type { Operation } from '../conventions.ts';
import { basePathOf, type WholeFamily } from '../families/family.ts';
import type { Collection } from '../index.ts';
import { keyOf, operationsOf } from '../schema/collection.ts';
import { familyOf } from '../schema/define-api.ts';
import type { Schema } from '../schema/types/shape.ts';
import { type Address, createAddress } from './address.ts';
import { createBorder } from './border.ts';
import { fits } from './data.ts';
import { once, type Parameters } from './exchange.ts';
import type { Examination } from './options.ts';
import { createReading, type Reading } from './reading.ts';
import { createRequests, type Requests } from './requests.ts';
import type { Session } from './session.ts';
import type { Wire } from './wire.ts';

const options = ['sort', 'fields', 'expand', 'paging'] as const;

/** What a collection must have for a rule to be judged there. */
export type Need = Operation | (typeof options)[number] | 'token' | 'basic';

export const reasonOf = (need: Need): string => {
  if (need === 'token' || need === 'basic') return `the API is not examined with ${need}`;
  return `\`${need}\` is not declared${need === 'list' ? ', or needs a parameter' : ''}`;
};

/** A collection of the API under examination. */
export interface Subject extends Address, Requests, Reading {
  readonly key: string;
  readonly resource: Collection['resource'];
  readonly options: Collection['options'];
  /** Undefined for the conventions. */
  readonly family: WholeFamily | undefined;
  has(need: Need): boolean;
  /** False for an API with a style of its own that is examined without header fields. */
  readonly hasCredentials: boolean;
  /** True when a page of its list can be asked for by its number. */
  readonly isNumbered: boolean;
  /** True when its pages can be asked for in a size. */
  readonly isSized: boolean;
  /** True for a resource that some collection of the API fetches on its own (§2.1). */
  isFetchable(target: Schema): boolean;
}

const needsMetBy = (collection: Collection, scheme: 'token' | 'basic' | undefined): ReadonlySet<Need> => {
  const { options: declared } = collection;
  const isListed = declared.params === undefined || fits(declared.params, {});
  return new Set([
    ...operationsOf(collection).filter((operation) => operation !== 'list' || isListed),
    ...options.filter((name) => [declared[name] ?? []].flat().length > 0),
    ...(scheme === undefined ? [] : [scheme]),
  ]);
};

/** Makes the subject of a collection, with values for the parameters of its path; each is made once. */
export type CreateSubject = (key: string, parameters: Parameters | undefined) => Subject;

export const createSubjects = (
  { api, base, headers: own }: Examination,
  wire: Wire,
  session: Session,
): CreateSubject => {
  // A declaration's collections were checked when they were declared.
  const collections = api.collections as Readonly<Record<string, Collection>>;
  const root = new URL(`${base.href}${basePathOf(familyOf(api), api.version)}/`);
  const scheme = session.takesTokens ? 'token' : 'basic';

  return once((key, parameters) => {
    const collection = collections[key] as Collection;
    const { path, resource, options: declared } = collection;
    const { query } = familyOf(collection);
    const met = needsMetBy(collection, own === undefined ? scheme : undefined);
    const border = createBorder(collection.wire, resource, declared.paging);
    const place = { path, keyField: keyOf(collection) };
    const address = createAddress(root, place, parameters, border, declared.trailingSlash);
    const requests = createRequests(address, border, session, wire);
    const reading = createReading(address, requests);
    return {
      key,
      resource,
      options: declared,
      family: collection.wire?.family,
      ...address,
      ...requests,
      ...reading,
      has: (need) => met.has(need),
      hasCredentials: own === undefined || Object.keys(own).length > 0,
      isNumbered: met.has('paging') && query.page !== undefined,
      isSized: met.has('paging') && query.perPage !== undefined,
      hasChanged: async () => met.has('list') && reading.hasChanged(),
      isFetchable: (target) =>
        Object.values(collections).some(
          (other) => other.resource === target && operationsOf(other).includes('get'),
        ),
    };
  });
};

import { createClaim } from '../../openapi/names.ts';
import { type About, readAbout } from './about.ts';
import { findCollection } from './collections.ts';
import { belowOne, createPlaces } from './endpoints.ts';
import { expandNamesOf, findExpandable, joinNames, notesOfSelections } from './expansions.ts';
import { groupOperations } from './groups.ts';
import { keyOf } from './identifiers.ts';
import type { Model } from './model.ts';
import type { Operation } from './operations.ts';
import { namesNoField } from './query-parts.ts';
import { readRequest } from './requests.ts';

/** The API of a document, and the base URL of a client. */
export type Found = ReturnType<typeof findApi>;

/** An operation that is an endpoint or an action of a collection, and why it is no operation of one. */
export type FoundEndpoint = Found['endpoints'][number];

/** An operation that is not declared, why, and whether it takes the scheme of the API. */
export type Unfit = Found['unfit'][number];

/** The collections of an API, each with its key. `refused` gets the operations of the others. */
const describeCollections = (about: About, model: Model, refused: Map<Operation, string>) => {
  const fitting = groupOperations(about, model.family, refused).flatMap((group) => {
    const found = findCollection(group, model, refused);
    const [first] = group;
    return found === undefined || first === undefined ? [] : [{ ...found, first, path: first.collection }];
  });
  const claimKey = createClaim();
  return fitting.flatMap(({ first, ...found }) => {
    const [, , tagged] = about.tagOf(first);
    const key = tagged ?? keyOf(found.path);
    // Below one resource, what only creates is an action.
    const mayBeAction = found.options.operations?.join() === 'create' && tagged === undefined;
    const isAction =
      mayBeAction && fitting.some((one) => belowOne(first, found.path, one, model) !== undefined);
    if (!isAction) return [{ ...found, key: claimKey(key) }];
    refused.set(first, 'what it returns is not listed below its path');
    return [];
  });
};

type Described = ReturnType<typeof describeCollections>;

/** The operations of no collection, each with its place in the API; without one it cannot be declared. */
const placeOthers = (
  about: About,
  described: Described,
  model: Model,
  refused: ReadonlyMap<Operation, string>,
) => {
  // A PATCH of a collection is its bulk request.
  const bulkPatches = described.flatMap(({ path, options }) =>
    options.bulk ? [{ method: 'PATCH', path }] : [],
  );
  const findPlace = createPlaces(about, bulkPatches, described, model);
  return about.operations.flatMap((operation) => {
    const reason = refused.get(operation);
    if (reason === undefined) return [];
    const isInside = about.isBare ? operation.version === undefined : operation.version === about.major;
    const isOfApi = about.isAllowed(operation.auth) && isInside && !operation.isOtherSlash;
    const request = readRequest(operation, about.baseUrl, model);
    const place = isOfApi && typeof request !== 'string' ? findPlace(operation, request.path) : undefined;
    return [{ operation, reason, isOfApi, request, place }];
  });
};

/** Finds the collections of the newest major version, and the operations that fit none. */
export const findApi = (all: readonly Operation[], model: Model) => {
  const about = readAbout(all, model);
  const refused = new Map<Operation, string>();
  const described = describeCollections(about, model, refused);
  const others = placeOthers(about, described, model, refused);
  const placed = others.flatMap(({ operation, reason, request, place }) =>
    place === undefined || typeof request === 'string' ? [] : [{ operation, reason, request, ...place }],
  );
  const expandable = findExpandable(
    [
      ...described.flatMap(({ response, selections }) =>
        selections.map(({ expand }) => ({ response, expand })),
      ),
      ...placed.map(({ request: { response = {}, expand } }) => ({ response, expand })),
    ],
    model,
  );
  const collections = described.map((collection) => {
    const { response, options, selections, notes } = collection;
    const expanding = selections.map(({ expand, ...selection }) => ({
      ...selection,
      expand: expandNamesOf({ response, expand }, expandable, model),
    }));
    const expand = joinNames(expanding.map((one) => one.expand));
    const isUseless = expand !== true && expand?.length === 0;
    return {
      ...collection,
      options: { ...options, expand: expand === true ? undefined : expand },
      notes: [
        ...notes,
        ...(isUseless
          ? [namesNoField('expand')]
          : notesOfSelections(expanding, 'expand', model.family.query)),
      ],
    };
  });
  const endpoints = placed.map((one) => {
    const { response = {}, expand } = one.request;
    return { ...one, expand: expandNamesOf({ response, expand }, expandable, model) };
  });
  const { name, version, isBare, auth, baseUrl } = about;
  return {
    name,
    version,
    isBare,
    auth: auth.length > 0 ? auth : ['custom'],
    notes: auth.length > 0 ? [] : ['the scheme that it takes (§5), because the document names none'],
    collections,
    endpoints,
    unfit: others.filter(({ place }) => place === undefined),
    baseUrl,
    expandable,
  };
};

import { createClaim } from '../../../openapi/names.ts';
import type { Model } from '../model.ts';
import { keyOf } from '../print/identifiers.ts';
import { describeClient } from '../security.ts';
import { type About, readAbout } from './about.ts';
import { findCollection, ofAll } from './collections.ts';
import { belowOne, createPlaces, isElsewhere } from './endpoints.ts';
import { expandNamesOf, findExpandable, joinNames, notesOfSelections } from './expansions.ts';
import { groupOperations } from './groups.ts';
import type { Operation, Refused } from './operations.ts';
import { namesNoField } from './query-parts.ts';
import { readRequest } from './requests.ts';

/** The API of a document, and the base URL of a client. */
export type Found = ReturnType<typeof findApi>;

/** An operation that is an endpoint or an action of a collection, and why it is no operation of one. */
export type FoundEndpoint = Found['endpoints'][number];

/** An operation that is not declared, why, and whether it takes the scheme of the API. */
export type Unfit = Found['unfit'][number];

/** The collections of an API, each with its key, and the operations that belong to none. */
const describeCollections = (about: About, model: Model) => {
  const { groups, refused } = groupOperations(about, model.family);
  const found = groups.map((group) => ({ group, ...findCollection(group, model) }));
  const described = found.flatMap(({ group: [first], collection, fitting }) =>
    collection === undefined || first === undefined
      ? []
      : [{ collection: { ...collection, path: first.collection }, first, fitting }],
  );
  /** Below one resource, what only creates is an action. */
  const isAction = ({ collection, first, fitting: [own = first] }: (typeof described)[number]): boolean =>
    collection.options.operations?.join() === 'create' &&
    about.tagOf(own).length === 0 &&
    described.some((one) => belowOne(own, collection.path, one.collection, model) !== undefined);
  const actions = described
    .filter(isAction)
    .flatMap(({ fitting }) => fitting)
    .map((own) => [own, 'what it returns is not listed below its path'] as const);
  const claimKey = createClaim();
  const collections = described
    .filter((one) => !isAction(one))
    .map(({ first, collection }) => {
      const [, , tagged] = about.tagOf(first);
      return { ...collection, key: claimKey(tagged ?? keyOf(collection.path)) };
    });
  const misfits = found.flatMap((one) => [...one.refused]);
  return { collections, refused: new Map([...refused, ...misfits, ...actions]) };
};

/** Why an operation that returns a resource is no endpoint. */
const bareResource = 'it returns a resource elsewhere than `item` of the family says';

type Described = ReturnType<typeof describeCollections>['collections'];

/** The operations of no collection, each with its place in the API; without one it cannot be declared. */
const placeOthers = (about: About, described: Described, model: Model, refused: Refused) => {
  // A PATCH of a collection is its bulk request.
  const bulkPatches = described.flatMap(({ path, options }) =>
    options.bulk ? [{ method: 'PATCH', path }] : [],
  );
  const fitting = about.operations
    .filter((operation) => !refused.has(operation))
    .map(({ method, collection, endsWithId }) => ({
      method,
      path: endsWithId ? `${collection}/:id` : collection,
    }));
  const findPlace = createPlaces(about, [...bulkPatches, ...fitting], described, model);
  return about.operations.flatMap((operation) => {
    const reason = refused.get(operation);
    if (reason === undefined) return [];
    const isOfApi = about.isAllowed(operation.auth) && operation.version === about.major;
    const request = readRequest(operation, about.baseUrl, model);
    const canBePlaced = isOfApi && typeof request !== 'string';
    const place = canBePlaced ? findPlace(operation, request.path) : undefined;
    const isRefused = canBePlaced && place === undefined;
    const whyNot = isElsewhere(operation, model.family, model)
      ? bareResource
      : 'no endpoint can have its path';
    // A resource is where the family of its collection has it.
    const { family } = described.find(({ key }) => key === place?.collection) ?? model;
    return [
      {
        operation,
        reason: isRefused ? whyNot : reason,
        isOfApi,
        scheme: isOfApi ? undefined : about.schemeOf(operation.auth),
        request:
          place === undefined ? request : readRequest(operation, about.baseUrl, { ...model, family }, true),
        place,
      },
    ];
  });
};

/** Finds the collections of the newest major version, and the operations that fit none. */
export const findApi = (all: readonly Operation[], model: Model) => {
  const about = readAbout(all, model);
  const { collections: described, refused } = describeCollections(about, model);
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
    const { family, response, options, selections, notes } = collection;
    const expanding = selections.map(({ expand, ...selection }) => ({
      ...selection,
      expand: expandNamesOf({ response, expand }, expandable, model),
    }));
    const expand = joinNames(expanding.map((one) => one.expand));
    const expandingKinds = expanding.filter((one) => one.expand !== undefined).map(({ kind }) => kind);
    const isUseless = expand !== true && expand?.length === 0;
    return {
      ...collection,
      options: { ...options, expand: expand === true ? undefined : expand },
      notes: [
        ...notes,
        ...(isUseless
          ? [{ kinds: expandingKinds, text: namesNoField('expand') }]
          : notesOfSelections(expanding, 'expand', family.query).map(ofAll)),
      ],
    };
  });
  const endpoints = placed.map((one) => {
    const { response = {}, expand } = one.request;
    return { ...one, expand: expandNamesOf({ response, expand }, expandable, model) };
  });
  const { name, version, auth, baseUrl } = about;
  return {
    name,
    version,
    auth: auth.length > 0 ? auth : ['custom'],
    notes: auth.length > 0 ? [] : ['the scheme that it takes (§5), because the document names none'],
    client: describeClient(model.document, auth, baseUrl),
    collections,
    endpoints,
    unfit: others.filter(({ place }) => place === undefined),
    baseUrl,
    expandable,
  };
};

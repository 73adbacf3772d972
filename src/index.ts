/**
 * The client of an API, from its declaration. The names are in the order of the conventions.
 *
 * @module restkin
 */

// §2 Resources and their fields

export { type OpenEnum, openEnum } from './schema/open-enum.ts';
export {
  type AnyResource,
  type Expandable,
  type ExpandableAbsent,
  type ExpandableId,
  expandable,
  type Fields,
  type Identity,
  type ImpliedSelf,
  type Resource,
  resource,
  type WithIdentity,
} from './schema/resource.ts';
export type { IdOf, PathParameters } from './schema/types/declared.ts';
export type { CollectionBuilder, ExpandableIn, FamilyCollection, ResourceIn } from './schema/types/family.ts';
export type { AnySchema, Exact } from './schema/types/shape.ts';

// §4 Endpoints

export type { Call, ResponseInfo } from './client/call.ts';
export { type CheckedApi, type CheckedRequest, type Client, createClient } from './client/client.ts';
export { endpoint } from './client/endpoint.ts';
export type { WebFetch } from './client/fetch.ts';
export type { Logger } from './client/log.ts';
export type { Events, Observers } from './client/observers.ts';
export type { CallOptions, ClientOptions, ConditionalOptions } from './client/options.ts';
export type { OwnRequest } from './client/own-request.ts';
export { type Accepted, type Done, isAccepted, isNotModified, type NotModified } from './client/results.ts';
export type {
  ApiClient,
  ClientOf,
  CollectionClient,
  DeclaredBy,
  ListWithRequiredParams,
  Operations,
  WriteResult,
} from './client/types/collection.ts';
export type { Action, Actions, EndpointClient, EndpointResult, Endpoints } from './client/types/endpoint.ts';
export type { ReadResult, Selected } from './client/types/selected.ts';
export type { Body, Fake, Id, Item, Query } from './client/types/short.ts';
export { waitFor } from './client/wait-for.ts';
export type { ErrorItem, Method, Operation } from './conventions.ts';
export type { Fetch, FetchInit, FetchResponse } from './http/fetch.ts';
export type { RetryPolicy } from './http/message.ts';
export type { Trace, TracedOperation } from './http/trace.ts';
export {
  type Collection,
  type CollectionOptions,
  collection,
  type ExpandPath,
  type FieldPath,
} from './schema/collection.ts';
export { type ApiDeclaration, defineApi } from './schema/define-api.ts';
export type { DeclaredEndpoint, EndpointOptions } from './schema/endpoint.ts';
export { type FamilyBuilders, type FamilyDeclaration, family } from './schema/family.ts';

// §4.4 Query parameters. Most of these types are exported because the declaration files of programs name
// them.

export type { OptionalQueryArguments, RequiredQueryArguments } from './client/types/arguments.ts';
export type { QueryBuilder, QueryStepArguments } from './client/types/builder.ts';
export type { GetQuery, ListQuery, ResourceAsCollection } from './client/types/query.ts';

// §4.5 Paging

export type { ItemList, ListOptions } from './client/item-list.ts';
export type { PagingProgress } from './paging/list.ts';
export type { Page } from './paging/page.ts';

// §5 Authentication

export type { AuthScheme } from './auth/authorize.ts';
export { basicAuth, type Credentials } from './auth/basic.ts';
export { type CustomAuthRequest, customAuth } from './auth/custom.ts';
export { memoryStore, type StoredRecord, type TokenStore } from './auth/token/store.ts';
export { type TokenAuth, type TokenAuthOptions, tokenAuth } from './auth/token/token-auth.ts';

// §7 Errors

export {
  ApiError,
  BadRequestError,
  ContentTooLargeError,
  ForbiddenError,
  InternalServerError,
  MethodNotAllowedError,
  NotAcceptableError,
  NotFoundError,
  ServiceUnavailableError,
  TooManyRequestsError,
  UnauthorizedError,
  UnsupportedMediaTypeError,
  ValidationError,
} from './errors/api-error.ts';
export {
  AmbiguousOutcomeError,
  ConnectionError,
  isConnectionError,
  TimeoutError,
} from './errors/connection-error.ts';
export { type AnyApiError, isApiError, isValidationError } from './errors/is-api-error.ts';
export {
  CrossOriginUrlError,
  type Issue,
  RedirectRefusedError,
  ResponseTooLargeError,
  UnexpectedResponseError,
} from './errors/response-error.ts';
export {
  type Attempt,
  InvalidRequestError,
  isRestkinError,
  PagingError,
  RequestError,
  RestkinError,
} from './errors/restkin-error.ts';
export {
  InvalidCredentialsError,
  ReauthenticationRequiredError,
  TokenRequestError,
} from './errors/token-error.ts';

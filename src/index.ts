/**
 * The client of an API, from its declaration. The names are in the order of the conventions.
 *
 * @module restkin
 */

// §5 Authentication
export type { Credentials } from './auth/basic.ts';
export { basicAuth } from './auth/basic.ts';
export type { CustomAuthRequest } from './auth/custom.ts';
export { customAuth } from './auth/custom.ts';
export type { HandedTokens, TokenLogin } from './auth/token/login.ts';
export { sealed, type WebCryptoKey } from './auth/token/sealed.ts';
export type { StoredRecord, TokenStore, TokenStoreEvents } from './auth/token/store.ts';
export { memoryStore } from './auth/token/store.ts';
export type { TokenAuth, TokenAuthOptions } from './auth/token/token-auth.ts';
export { tokenAuth } from './auth/token/token-auth.ts';
export type { AuthScheme, SchemeKind, TokenEvent } from './auth/with-authorization.ts';
export type { BulkPart, BulkResult } from './client/bulk.ts';
export type { Call, ResponseInfo, WithResponse } from './client/call.ts';
export type { CallOptions, ConditionalOptions, Unconditional } from './client/call-options.ts';
export type { Client, OwnResult, Served } from './client/client.ts';
// §4 Endpoints
export { createClient } from './client/client.ts';
export type { AuthSchemes, ClientOptions, SchemeName } from './client/client-options.ts';
export type { LinkTo } from './client/follow.ts';
// §4.5 Paging
export type { ItemList, ListOptions } from './client/item-list.ts';
export type { Line, LinesRequest } from './client/lines.ts';
export type {
  DeprecationEvent,
  FailureEvent,
  Observers,
  ValidationEvent,
} from './client/observers.ts';
export type { Accepted, Done, NotModified } from './client/outcome.ts';
export { isAccepted, isNotModified } from './client/outcome.ts';
export type { BodyForm, OwnRequest } from './client/own-request.ts';
export type { BodyStream, ResumePoint, StreamOptions } from './client/streamed.ts';
export type { BuiltQuery, QueryBuilder, QuerySteps } from './client/types/builder.ts';
export type {
  ApiClient,
  BulkOperation,
  CollectionClient,
  CollectionOf,
  CommonOperations,
  Creation,
  DeclaredBy,
  IdOf,
  ListByParams,
  Operations,
} from './client/types/collection.ts';
// The types that signatures name: so does a declaration file of what a program exports of them.
export type { EveryName, NotInferred, SortName, StepNames } from './client/types/names.ts';
export type {
  AnyNames,
  Argument,
  Declarable,
  FollowArguments,
  FollowOptions,
  GetArguments,
  GetQuery,
  GivenQuery,
  IsReady,
  ListArguments,
  ListQuery,
  Misplaced,
  QueryIn,
  RequiredListArguments,
} from './client/types/query.ts';
export type { Fetched, Followed, Selected, Unchanged } from './client/types/selected.ts';
export type { Body, CollectionLike, DeclarationOf, Fake, Id, Item, Query } from './client/types/short.ts';
export type { Validation } from './client/validation.ts';
export { type WaitForOptions, waitFor } from './client/wait-for.ts';
export type { ErrorItem, ErrorStatus, Method, Operation } from './conventions.ts';
export type { AnyApiError } from './errors/api-error.ts';
export {
  ApiError,
  BadRequestError,
  ContentTooLargeError,
  ForbiddenError,
  InternalServerError,
  isApiError,
  MethodNotAllowedError,
  NotAcceptableError,
  NotFoundError,
  ServiceUnavailableError,
  TooManyRequestsError,
  UnauthorizedError,
  UnsupportedMediaTypeError,
  ValidationError,
} from './errors/api-error.ts';
export type { AnyConnectionError, FailureCause } from './errors/connection-error.ts';
export {
  AmbiguousOutcomeError,
  ConnectionError,
  isConnectionError,
  TimeoutError,
} from './errors/connection-error.ts';
// §7 Errors
export type { Issue } from './errors/response-error.ts';
export {
  AcceptedError,
  CrossOriginUrlError,
  RedirectRefusedError,
  ResponseTooLargeError,
  UnexpectedResponseError,
} from './errors/response-error.ts';
export type { Attempt, RequestContext } from './errors/restkin-error.ts';
export {
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
// §9 Versioning
export type { Deprecation } from './headers/dates.ts';
export type { CacheOptions } from './http/cache.ts';
export type { BodyProgress, HeaderFields } from './http/message.ts';
export type { RetryPolicy } from './http/retry.ts';
export type { RequestEvent, ResponseEvent, RetryEvent } from './http/tracing.ts';
export type { Fetch } from './http/transport.ts';
export type { PagingProgress } from './paging/list.ts';
export type { Page } from './paging/page.ts';
export type { DriftEvent } from './paging/reconcile.ts';
export type {
  BodySchemas,
  BulkOptions,
  Collection,
  CollectionOptions,
  DeclaredCollection,
  ExpandPath,
  FieldPath,
  PagingOptions,
} from './schema/collection.ts';
export { collection } from './schema/collection.ts';
export type { ApiDeclaration, AuthName, RateLimit } from './schema/define-api.ts';
export { defineApi } from './schema/define-api.ts';
export type {
  AnyResource,
  BodyPath,
  Expandable,
  FieldErrors,
  Resource,
  ValidationErrorOf,
  WithIdentity,
} from './schema/resource.ts';
// §2 Resources and their fields
export { expandable, isValidationError, resource, shapeOf } from './schema/resource.ts';
// §4.4 Query parameters
export type { OwnBody, PartialBody, ResourceBody } from './schema/types/body.ts';
export type {
  BodiesOf,
  ExpandPathOf,
  FieldsPathOf,
  OperationOf,
  ParamsOf,
  PathParameterName,
  PathParameters,
  SortPathOf,
} from './schema/types/declared.ts';
export type { HasPath, ValuePathsOf } from './schema/types/field-path.ts';
export type { Result, UnknownResult } from './schema/types/result.ts';
export type {
  AnySchema,
  ExpansionTarget,
  GivenValue,
  IsAny,
  IsKnown,
  Mistake,
  NoOtherKeys,
  Schema,
  Shape,
} from './schema/types/shape.ts';

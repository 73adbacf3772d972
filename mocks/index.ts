/**
 * A mock of an API, made from the same declaration as the client.
 *
 * @module restkin/mocks
 */

export type { MockTokenOptions } from './auth/tokens.ts';
export type { MockUser } from './auth/users.ts';
export type { Duration, MockClock } from './clock.ts';
export type { Fault, MockFaults } from './faults/waiting.ts';
export type { DeclaredHandler, EndpointKey, EndpointRequest } from './handlers.ts';
export type { MockRequest } from './log.ts';
export { createMock, type Mock } from './mock.ts';
export type {
  AcceptedMethod,
  EndpointHandler,
  EndpointHandlers,
  GeneratedRows,
  MockDeprecation,
  MockOptions,
  ParameterFilters,
  RowFilter,
} from './options.ts';
export type { Apis, CollectionKey, MockRow, MockRowOf, MockState, RequestMethod } from './row.ts';
export { type AsyncClose, type MockServer, type ServeOptions, serve } from './serve.ts';

/**
 * The mock of an API, from the declaration that the client is made from. Needs msw, for its handlers.
 *
 * @module restkin/mocks
 */

export { assertFaultsMet } from './assert-faults-met.ts';
export { assertNothingUnhandled } from './assert-nothing-unhandled.ts';
export { assertRequests, type ExpectedRequest } from './assert-requests.ts';
export { assertTokenGrants, type ExpectedGrants } from './assert-token-grants.ts';
export type { CheckedTokenStore } from './check-token-store.ts';
export { checkTokenStore } from './check-token-store.ts';
export type { Duration, MockClock } from './clock.ts';
export { createMock, type Mock } from './create-mock.ts';
export type { Fault, FaultScope, Outage, RandomFault } from './fault.ts';
export type { MockFaults } from './faults.ts';
export type { FakerInstance } from './generate/faker.ts';
export type { MockHandlers } from './handlers.ts';
export type {
  AcceptedMethod,
  Apis,
  CollectionKey,
  MockDeprecation,
  MockOptions,
  MockRow,
  MockTokenOptions,
  RowFilter,
} from './options.ts';
export type { MockRequest } from './request-log.ts';
export { type AsyncClose, type MockServer, type ServeOptions, serve } from './serve.ts';
export type { MockState } from './state.ts';
export type { MockUser, PermissionRequest } from './user.ts';

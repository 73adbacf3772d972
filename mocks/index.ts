export type { CheckedTokenStore } from './check-token-store.ts';
export { checkTokenStore } from './check-token-store.ts';
export type { Duration, MockClock } from './clock.ts';
export { createMock, type Mock } from './create-mock.ts';
export type { Fault, MockFaults } from './faults.ts';
export type { MockHandlers } from './handlers.ts';
export type {
  AcceptedMethod,
  Apis,
  CollectionKey,
  MockOptions,
  MockRow,
  MockTokenOptions,
  MockUser,
  PermissionRequest,
  RowFilter,
} from './options.ts';
export type { MockRequest } from './request-log.ts';
export { type MockServer, type ServeOptions, serve } from './serve.ts';

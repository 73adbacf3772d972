// What a test page has: the sources, bundled, as the global `restkin`.
export { checkTokenStore } from '../../mocks/assertions/token-store.ts';
export { indexedDbStore } from '../../src/adapters/indexeddb.ts';
export * from '../../src/index.ts';

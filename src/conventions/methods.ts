/** What one method answers when it succeeds (§4.2), and whether sending it twice is the same as once. */
export interface MethodRule {
  readonly success: readonly number[];
  /** Whether a request has a body. */
  readonly body: boolean;
  /** RFC 9110 §9.2.1: the method changes nothing. */
  readonly safe: boolean;
  /** RFC 9110 §9.2.2: sent twice, the method leaves the server as if sent once. */
  readonly idempotent: boolean;
}

export const methodRules = {
  GET: { success: [200, 304], body: false, safe: true, idempotent: true },
  POST: { success: [201, 202], body: true, safe: false, idempotent: false },
  PUT: { success: [204, 202], body: true, safe: false, idempotent: true },
  PATCH: { success: [204, 202], body: true, safe: false, idempotent: false },
  DELETE: { success: [204, 202], body: false, safe: false, idempotent: true },
  OPTIONS: { success: [200], body: false, safe: true, idempotent: true },
} as const satisfies Readonly<Record<string, MethodRule>>;

/** A method that the conventions allow (§4.2). */
export type Method = keyof typeof methodRules;

/** Methods that every resource answers with 405 (§4.2, §7.1). */
export const disallowedMethods = ['HEAD', 'TRACE', 'TRACK'] as const;

/** The operations of a collection, each with its method (§4.2). */
export const operationMethods = {
  list: 'GET',
  get: 'GET',
  create: 'POST',
  replace: 'PUT',
  update: 'PATCH',
  delete: 'DELETE',
} as const satisfies Readonly<Record<string, Method>>;

/** An operation of a collection. */
export type Operation = keyof typeof operationMethods;

/** Every operation, which is what a collection has when its declaration names none. */
export const operations = [
  'list',
  'get',
  'create',
  'replace',
  'update',
  'delete',
] as const satisfies Operation[];

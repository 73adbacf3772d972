import type { RateLimit } from '../src/schema/define-api.ts';
import { checkNames, checkSpan, checkType, checkWhole, type NamesOf } from './check.ts';
import { isObject } from './fields.ts';
import {
  type AcceptedMethod,
  acceptedMethods,
  type MockDeprecation,
  type MockOptions,
  type MockTokenOptions,
} from './options.ts';
import type { MockUser } from './user.ts';

const taker = 'createMock';

const optionNames: NamesOf<MockOptions> = {
  data: true,
  generate: true,
  seed: true,
  faker: true,
  users: true,
  baseUrl: true,
  authUrl: true,
  defaultPerPage: true,
  accepted: true,
  finishesAfterMs: true,
  rateLimit: true,
  deprecated: true,
  tokens: true,
  authorize: true,
  filter: true,
  keepRequests: true,
  maxBodyBytes: true,
};
const none = Object.fromEntries(Object.keys(optionNames).map((name) => [name, undefined]));
const tokenNames: NamesOf<MockTokenOptions> = {
  accessLifetimeS: true,
  refreshLifetimeS: true,
  reuseRevokesChain: true,
  refusedRefreshStatus: true,
  singleSession: true,
};
const deprecationNames: NamesOf<MockDeprecation> = { since: true, sunset: true, link: true, version: true };
const rateLimitNames: NamesOf<RateLimit> = { requests: true, perMs: true };
const userNames: NamesOf<MockUser> = { username: true, password: true, permissions: true };

const checkUsers = (users: readonly MockUser[] = []): void => {
  if (!Array.isArray(users)) throw new TypeError('users is a list');
  const names = new Set<string>();
  for (const [index, user] of users.entries()) {
    const place = `users[${index}]`;
    checkNames(taker, user, userNames, place);
    if (typeof user.username !== 'string' || typeof user.password !== 'string') {
      throw new TypeError(`${place} needs a username and a password`);
    }
    checkType(`${place}.permissions`, user.permissions, 'function');
    if (names.has(user.username)) throw new TypeError(`${place} has a username that another user has`);
    names.add(user.username);
  }
};

const isAcceptable = (method: unknown): boolean => acceptedMethods.includes(method as AcceptedMethod);

const checkAccepted = ({ accepted, finishesAfterMs }: MockOptions): void => {
  const isList = Array.isArray(accepted) && accepted.every(isAcceptable);
  if (accepted !== undefined && typeof accepted !== 'boolean' && !isList) {
    throw new TypeError(`accepted is true, false or a list of ${acceptedMethods.join(', ')}`);
  }
  checkSpan('finishesAfterMs', finishesAfterMs);
  if (accepted === undefined && (finishesAfterMs ?? 0) > 0) {
    throw new TypeError('finishesAfterMs needs accepted: the methods that answer 202');
  }
};

const checkTokens = (tokens: MockTokenOptions = {}): void => {
  checkNames(taker, tokens, tokenNames, 'tokens');
  for (const name of ['accessLifetimeS', 'refreshLifetimeS'] as const)
    checkWhole(`tokens.${name}`, tokens[name], 0, ' of seconds');
  for (const name of ['reuseRevokesChain', 'singleSession'] as const)
    checkType(`tokens.${name}`, tokens[name], 'boolean');
  const { refusedRefreshStatus: status } = tokens;
  if (status !== undefined && status !== 400 && status !== 401)
    throw new RangeError('tokens.refusedRefreshStatus must be 400 or 401');
};

const checkFilter = (filter: MockOptions['filter'] = {}): void => {
  if (!isObject(filter)) throw new TypeError('filter is an object with a function for each collection key');
  for (const [key, select] of Object.entries(filter)) checkType(`filter.${key}`, select, 'function');
};

const checkRows = ({ data = {}, generate, seed, faker = false }: MockOptions): void => {
  if (!isObject(data)) throw new TypeError('data is an object with a list of rows for each collection key');
  for (const [key, rows] of Object.entries(data)) {
    if (rows !== undefined && !Array.isArray(rows)) throw new TypeError(`data.${key} is a list of rows`);
  }
  if (generate !== undefined && typeof generate !== 'number' && !isObject(generate)) {
    throw new TypeError('generate is a number of rows, or an object with one for each collection key');
  }
  checkType('seed', seed, 'number');
  if (faker !== false && !isObject(faker?.rawDefinitions)) {
    throw new TypeError('faker must be an instance of Faker from @faker-js/faker, or false');
  }
};

/**
 * Checks the options of a mock, but for what the parts check that read them: URLs, limits, dates, keys, rows.
 *
 * @returns the options, each of them the object's own, so that nothing on `Object.prototype` is taken for one
 * @throws TypeError for an option that there is not, or of another type, RangeError for a number out of its range
 */
export const readMockOptions = (given: MockOptions): MockOptions => {
  checkNames(taker, given, optionNames);
  const options: MockOptions = { ...none, ...given };
  checkRows(options);
  checkUsers(options.users);
  checkAccepted(options);
  checkTokens(options.tokens);
  checkFilter(options.filter);
  checkType('authorize', options.authorize, 'function');
  if (options.rateLimit !== undefined) checkNames(taker, options.rateLimit, rateLimitNames, 'rateLimit');
  if (options.deprecated !== undefined) checkNames(taker, options.deprecated, deprecationNames, 'deprecated');
  checkWhole('defaultPerPage', options.defaultPerPage, 1);
  checkWhole('maxBodyBytes', options.maxBodyBytes, 1);
  if (options.keepRequests !== Number.POSITIVE_INFINITY) checkWhole('keepRequests', options.keepRequests, 0);
  return options;
};

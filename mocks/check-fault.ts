import {
  checkCollection,
  checkDate,
  checkMethod,
  checkNames,
  checkSpan,
  checkType,
  type NamesOf,
} from './check.ts';
import type { Fault, FaultScope, Outage, RandomFault } from './fault.ts';
import { isObject } from './fields.ts';

const scopeNames: NamesOf<FaultScope> = { collection: true, method: true, token: true };
const faultNames: NamesOf<Fault> = {
  ...scopeNames,
  status: true,
  times: true,
  headers: true,
  retryAfterS: true,
  body: true,
  contentType: true,
  delayMs: true,
  cut: true,
  badJson: true,
  wrongShape: true,
  without: true,
};
const randomNames: NamesOf<RandomFault> = { ...faultNames, rate: true, seed: true };
const outageNames: NamesOf<Outage> = { ...scopeNames, forMs: true, until: true, retryAfter: true };

/** What a request notices; `contentType` alone is of a body that nobody gave. */
const effects: readonly (keyof Fault)[] = [
  'status',
  'headers',
  'retryAfterS',
  'body',
  'delayMs',
  'cut',
  'badJson',
  'wrongShape',
  'without',
];

const cuts: readonly unknown[] = [undefined, 'request', 'answer', 'body'];

const checkScope = ({ collection, method, token }: FaultScope, keys: ReadonlySet<string>): void => {
  checkCollection(collection, keys);
  checkMethod(method);
  checkType('token', token, 'boolean');
  if (token === true && collection !== undefined) {
    throw new RangeError('token and collection: no request is to both');
  }
};

const checkFields = (headers: Fault['headers'] = {}): void => {
  if (!isObject(headers)) throw new TypeError('headers is an object of header fields');
  try {
    new Headers(headers);
  } catch (cause) {
    throw new TypeError('headers: not a name or a value of a header field', { cause });
  }
};

const checkAnswer = ({ status, headers, retryAfterS, body, contentType, without }: Fault): void => {
  if (status !== undefined && !(Number.isInteger(status) && status >= 200 && status <= 599)) {
    throw new RangeError('status is a whole number from 200 to 599');
  }
  checkFields(headers);
  // RFC 9110 §10.2.3: whole seconds, which the field can hold.
  if (retryAfterS !== undefined && !(Number.isSafeInteger(retryAfterS) && retryAfterS >= 0)) {
    throw new RangeError('retryAfterS is a whole number of seconds from 0');
  }
  checkType('body', body, 'string');
  checkType('contentType', contentType, 'string');
  if (
    without !== undefined &&
    !(Array.isArray(without) && without.every((name) => typeof name === 'string'))
  ) {
    throw new TypeError('without is a list of names of header fields');
  }
};

const checkFault = (fault: Fault, keys: ReadonlySet<string>): void => {
  checkScope(fault, keys);
  checkAnswer(fault);
  const { times = 1, delayMs, cut, badJson, wrongShape } = fault;
  if (times !== Number.POSITIVE_INFINITY && !(Number.isSafeInteger(times) && times >= 1)) {
    throw new RangeError('times is a whole number from 1');
  }
  checkSpan('delayMs', delayMs);
  if (!cuts.includes(cut)) throw new RangeError('cut is "request", "answer" or "body"');
  checkType('badJson', badJson, 'boolean');
  if (!['undefined', 'boolean', 'function'].includes(typeof wrongShape)) {
    throw new TypeError('wrongShape is true, false or a function');
  }
};

const checkEffect = (fault: Fault): void => {
  if (effects.every((name) => fault[name] === undefined || fault[name] === false)) {
    throw new RangeError(`this fault changes nothing: it needs one of ${effects.join(', ')}`);
  }
};

/** @throws TypeError, RangeError for a fault that no request can meet, or that none would notice */
export const checkNextFault = (fault: Fault, keys: ReadonlySet<string>): void => {
  checkNames('mock.faults.next', fault, faultNames);
  checkFault(fault, keys);
  // With a number it lets so many requests pass before the fault behind it.
  if (fault.times === undefined) checkEffect(fault);
};

/** @throws TypeError, RangeError as {@link checkNextFault}, and for a rate that is none */
export const checkRandomFault = (fault: RandomFault, keys: ReadonlySet<string>): void => {
  checkNames('mock.faults.random', fault, randomNames);
  const { rate, seed } = fault;
  if (!(typeof rate === 'number' && rate >= 0 && rate <= 1)) {
    throw new RangeError('rate is a number from 0 to 1');
  }
  checkType('seed', seed, 'number');
  checkFault(fault, keys);
  checkEffect(fault);
};

/** @throws TypeError, RangeError for an outage of nothing, or one that is over before it begins */
export const checkOutage = (outage: Outage, keys: ReadonlySet<string>, now: number): void => {
  checkNames('mock.faults.outage', outage, outageNames);
  checkScope(outage, keys);
  const { forMs, until, retryAfter } = outage;
  checkType('retryAfter', retryAfter, 'boolean');
  if ((forMs === undefined) === (until === undefined)) {
    throw new RangeError('an outage needs forMs or until, one of them: when it ends');
  }
  checkDate('until', until);
  if (until !== undefined && until.getTime() <= now) {
    throw new RangeError('until is over: it is a time after the one of mock.clock');
  }
  if (forMs !== undefined && !(typeof forMs === 'number' && forMs > 0)) {
    throw new RangeError('forMs is a number above 0');
  }
  if (retryAfter === true && forMs === Number.POSITIVE_INFINITY) {
    throw new RangeError('retryAfter needs an outage that ends');
  }
};

import { disallowedMethods, methodRules } from '../src/conventions/methods.ts';
import { isObject } from './fields.ts';

/** Every name of a type, for a look-up at run time: the compiler says when one is missing, or is none. */
export type NamesOf<T> = Readonly<Record<keyof T, true>>;

/**
 * Checks the names of options; who writes JavaScript hears of a misspelt one from nobody else.
 *
 * @param taker - who takes the options, for example `createMock`
 * @param part - which of its options holds these, when it is not the taker itself
 * @throws TypeError for what is no object, and for a name that there is not
 */
export const checkNames = (taker: string, given: unknown, names: object, part = ''): void => {
  if (!isObject(given)) throw new TypeError(`${part || taker} takes an object`);
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(names, name));
  if (unknown === undefined) return;
  const name = part === '' ? unknown : `${part}.${unknown}`;
  throw new TypeError(`${taker} does not know the option ${JSON.stringify(name)}`);
};

const kinds = { boolean: 'true or false', string: 'a text', function: 'a function', number: 'a number' };

/** @throws TypeError for another type; what is undefined was not given */
export const checkType = (name: string, value: unknown, type: keyof typeof kinds): void => {
  if (value !== undefined && typeof value !== type) throw new TypeError(`${name} is ${kinds[type]}`);
};

/** @throws RangeError for what is no whole number from a least one; what is undefined was not given */
export const checkWhole = (name: string, value: number | undefined, least: number, unit = ''): void => {
  if (value !== undefined && !(Number.isSafeInteger(value) && value >= least)) {
    throw new RangeError(`${name} is a whole number${unit} from ${least}`);
  }
};

/** @throws RangeError for what is no number from 0; what is undefined was not given */
export const checkSpan = (name: string, value: number | undefined): void => {
  if (value !== undefined && !(typeof value === 'number' && value >= 0)) {
    throw new RangeError(`${name} is a number from 0`);
  }
};

/** @throws TypeError for what is no date, RangeError for a date that is none; what is undefined was not given */
export const checkDate = (name: string, value: unknown): void => {
  if (value === undefined) return;
  if (!(value instanceof Date)) throw new TypeError(`${name} is a Date`);
  if (Number.isNaN(value.getTime())) throw new RangeError(`${name} is not a date`);
};

const methods: readonly string[] = [...Object.keys(methodRules), ...disallowedMethods];

/** @throws TypeError for no text, RangeError for a method that the conventions do not name, in any case of letters */
export const checkMethod = (method: string | undefined): void => {
  checkType('method', method, 'string');
  if (method !== undefined && !methods.includes(method.toUpperCase())) {
    throw new RangeError(`method is one of ${methods.join(', ')}, and not ${JSON.stringify(method)}`);
  }
};

/** @throws RangeError for a key that no collection of the mock has; what is undefined was not given */
export const checkCollection = (key: string | undefined, keys: ReadonlySet<string>): void => {
  if (key !== undefined && !keys.has(key))
    throw new RangeError(`collection: there is no collection ${JSON.stringify(key)}`);
};

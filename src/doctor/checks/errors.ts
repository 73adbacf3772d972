import { isObject } from '../../options.ts';
import { type Exchange, errorItemsOf, nameOf, valueIn } from '../exchange.ts';
import { type Checks, cannotTell, demand, some } from '../judgement.ts';
import type { Wire } from '../wire.ts';

/** The responses with an error; HEAD has no body to judge. */
const errorsIn = ({ exchanges }: Wire): readonly Exchange[] =>
  some(
    exchanges.filter(({ request, status }) => status >= 400 && request.method !== 'HEAD'),
    'no response was an error',
  );

/** The items of all validation failures. */
const itemsIn = (wire: Wire) =>
  some(
    errorsIn(wire).flatMap((exchange) => errorItemsOf(exchange).map((item) => ({ exchange, item }))),
    'no response had `errors`',
  );

const isFilled = (value: unknown): boolean => typeof value === 'string' && value !== '';

const checkItems = (name: string, expected: string, isRight: (value: unknown) => boolean) => (wire: Wire) => {
  for (const { exchange, item } of itemsIn(wire)) {
    const found = item[name] === undefined ? 'it is missing' : 'another value';
    demand(isRight(item[name]), exchange, `\`errors[].${name}\` is ${expected}`, found);
  }
};

const isOptional =
  (isRight: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === undefined || isRight(value);

const isUri = (value: unknown): boolean => typeof value === 'string' && URL.canParse(value);

/** The responses to input that no server may accept. */
const refusalsIn = ({ exchanges }: Wire): readonly Exchange[] =>
  some(
    exchanges.filter(({ request, status }) => request.isInvalid === true && status >= 400),
    'no invalid input was refused',
  );

/** The statuses that may refuse invalid input: 404 for an id, 405, 413 and 415 in the cases of §7.1. */
const refusals: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 406, 410, 413, 415, 429]);

/** The rules of error bodies, over every response of the run (§2.3, §7). */
export const errorChecks = {
  '§2.3 message': (wire) => {
    for (const exchange of errorsIn(wire)) {
      const found = isObject(exchange.json) ? 'no `message`' : 'a body that is not a JSON object';
      demand(isFilled(valueIn(exchange, 'message')), exchange, 'an error body with a `message`', found);
    }
  },
  '§2.3 errors': (wire) => {
    for (const exchange of errorsIn(wire)) {
      const errors = valueIn(exchange, 'errors');
      if (errors === undefined) continue;
      // A validation failure with 422 is judged by §7.2.1.
      const isValidation = [400, 413, 422].includes(exchange.status);
      const found = `\`errors\` in a ${exchange.status}`;
      demand(isValidation, exchange, '`errors` for validation failures only', found);
      const isList = Array.isArray(errors) && errors.length > 0 && errors.every(isObject);
      demand(isList, exchange, '`errors` with one item for each field', 'another value');
    }
  },
  '§2.3 errors[].field': checkItems('field', 'the name of a field', isFilled),
  '§2.3 errors[].code': checkItems('code', 'a code', isFilled),
  '§2.3 errors[].message': checkItems('message', 'a string, or missing', isOptional(isFilled)),
  '§2.3 errors[].reference': checkItems('reference', 'a URI, or missing', isOptional(isUri)),
  '§7.1 403': ({ exchanges }) => {
    if (!exchanges.some(({ status }) => status === 403)) cannotTell('no request of this user was forbidden');
  },
  '§7.1 500': (wire) => {
    for (const exchange of refusalsIn(wire)) {
      const { request, status } = exchange;
      const found = `${status} for ${nameOf(request)}`;
      demand(status < 500, exchange, 'an error of the client for invalid input', found);
    }
  },
  '§7.2.1': (wire) => {
    for (const exchange of refusalsIn(wire)) {
      const { status } = exchange;
      demand(status >= 500 || refusals.has(status), exchange, '400 for invalid input', `${status}`);
    }
  },
} as const satisfies Checks<Wire>;

import { isObject } from '../../schema/read-options.ts';
import { type Exchange, nameOf } from '../exchange.ts';
import { type Checks, cannotTell, demand } from '../judgement.ts';
import type { Json } from '../subject.ts';

/** Everything that was sent, once nothing more will be. */
export interface ErrorSubject {
  readonly exchanges: readonly Exchange[];
}

/** The responses with an error; HEAD has no body to judge. */
const errorsIn = ({ exchanges }: ErrorSubject): readonly Exchange[] => {
  const found = exchanges.filter(({ request, status }) => status >= 400 && request.method !== 'HEAD');
  return found.length === 0 ? cannotTell('no response was an error') : found;
};

const messageOf = ({ json }: Exchange): unknown => (isObject(json) ? json.message : undefined);

/** What `errors` of an error body is; undefined where there is none. */
const errorsOf = ({ json }: Exchange): unknown => (isObject(json) ? json.errors : undefined);

interface Item {
  readonly exchange: Exchange;
  readonly item: Json;
}

/** The items of all validation failures. */
const itemsIn = (subject: ErrorSubject): readonly Item[] => {
  const found = errorsIn(subject).flatMap((exchange) => {
    const errors = errorsOf(exchange);
    return Array.isArray(errors) ? errors.filter(isObject).map((item) => ({ exchange, item })) : [];
  });
  return found.length === 0 ? cannotTell('no response had `errors`') : found;
};

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

const checkItems =
  (name: string, expected: string, isRight: (value: unknown) => boolean) => (subject: ErrorSubject) => {
    for (const { exchange, item } of itemsIn(subject)) {
      demand(isRight(item[name]), exchange, `\`errors[].${name}\` is ${expected}`, () =>
        item[name] === undefined ? 'it is missing' : 'another value',
      );
    }
  };

const isOptional =
  (isRight: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === undefined || isRight(value);

const isUri = (value: unknown): boolean => typeof value === 'string' && URL.canParse(value);

/** The responses to input that no server may accept. */
const refusalsIn = ({ exchanges }: ErrorSubject): readonly Exchange[] => {
  const found = exchanges.filter(({ request, status }) => request.isInvalid === true && status >= 400);
  return found.length === 0 ? cannotTell('no invalid input was refused') : found;
};

/** What a refusal of invalid input may be: 404 for an id, 405, 413 and 415 for what they name (§7.1). */
const refusals: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 406, 410, 413, 415, 429]);

/** The rules of error bodies, over every response of the run (§2.3, §7). */
export const errorChecks = {
  '§2.3 message': (subject) => {
    for (const exchange of errorsIn(subject)) {
      demand(isText(messageOf(exchange)), exchange, 'an error body with a `message`', () =>
        isObject(exchange.json) ? 'no `message`' : 'a body that is no JSON object',
      );
    }
  },
  '§2.3 errors': (subject) => {
    for (const exchange of errorsIn(subject)) {
      const errors = errorsOf(exchange);
      if (errors === undefined) continue;
      const isValidation = exchange.status === 400 || exchange.status === 413;
      const found = `\`errors\` in a ${exchange.status}`;
      demand(isValidation, exchange, '`errors` for validation failures only', found);
      const isList = Array.isArray(errors) && errors.length > 0 && errors.every(isObject);
      demand(isList, exchange, '`errors` with one item for each field', 'another value');
    }
  },
  '§2.3 errors[].field': checkItems('field', 'the name of a field', isText),
  '§2.3 errors[].code': checkItems('code', 'a code', isText),
  '§2.3 errors[].message': checkItems('message', 'a string, or missing', isOptional(isText)),
  '§2.3 errors[].reference': checkItems('reference', 'a URI, or missing', isOptional(isUri)),
  '§7.1 403': ({ exchanges }) => {
    if (!exchanges.some(({ status }) => status === 403)) cannotTell('nothing was forbidden to this user');
  },
  '§7.1 500': (subject) => {
    for (const exchange of refusalsIn(subject)) {
      const { request, status } = exchange;
      const found = `${status} for ${nameOf(request)}`;
      demand(status < 500, exchange, 'an error of the client for invalid input', found);
    }
  },
  '§7.2.1': (subject) => {
    for (const exchange of refusalsIn(subject)) {
      const { status } = exchange;
      demand(status >= 500 || refusals.has(status), exchange, '400 for invalid input', `${status}`);
    }
  },
} as const satisfies Checks<ErrorSubject>;

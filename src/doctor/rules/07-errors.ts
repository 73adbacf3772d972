import { isObject } from '../../options.ts';
import { describeStatuses, type Exchange, errorItemsOf, sentStatus, valueIn } from '../exchange.ts';
import { demand, described, some } from '../judgement.ts';
import { by, rule } from '../rule.ts';

const isFilled = (value: unknown): boolean => typeof value === 'string' && value !== '';

const isUri = (value: unknown): boolean => typeof value === 'string' && URL.canParse(value);

const checkItems =
  (name: string, expected: string, isRight: (value: unknown) => boolean, isOptional = false) =>
  (errors: readonly Exchange[]) => {
    const items = errors.flatMap((exchange) => errorItemsOf(exchange).map((item) => ({ exchange, item })));
    for (const { exchange, item } of some(items, 'no response had `errors`')) {
      const isKept = isRight(item[name]) || (isOptional && item[name] === undefined);
      demand(isKept, exchange, `${expected} in \`errors[].${name}\``, described(item[name]));
    }
  };

const refusalsIn = (errors: readonly Exchange[]): readonly Exchange[] => {
  const refused = errors.filter(({ request }) => request.isInvalid === true);
  return some(refused, 'no invalid input was refused');
};

/** The statuses that may refuse invalid input: 404 for an id, 405, 413 and 415 in the cases of §7.1. */
const refusals: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 406, 410, 413, 415, 429]);

/** §2.3 Error body, and the statuses of refusals, over every response of the run. */
export const errors = [
  rule('§2.3 message', 'A summary for humans; in every error body.', by.errors, (errors) => {
    for (const exchange of some(errors, 'no response was an error')) {
      const found = isObject(exchange.json) ? 'no `message`' : 'a body that is not a JSON object';
      demand(isFilled(valueIn(exchange, 'message')), exchange, 'an error body with a `message`', found);
    }
  }),
  rule('§2.3 errors', 'One item per field in error; for validation failures only.', by.errors, (errors) => {
    for (const exchange of some(errors, 'no response was an error')) {
      const items = valueIn(exchange, 'errors');
      if (items === undefined) continue;
      // A validation failure with 422 is judged by §7.2.1.
      const isValidation = [400, 413, 422].includes(exchange.status);
      const found = `\`errors\` in a ${exchange.status}`;
      demand(isValidation, exchange, '`errors` for validation failures only', found);
      const isList = Array.isArray(items) && items.length > 0 && items.every(isObject);
      demand(isList, exchange, '`errors` with one item for each field', 'another value');
    }
  }),
  rule('§2.3 errors[].field', 'Its path.', by.errors, checkItems('field', 'the name of a field', isFilled)),
  rule('§2.3 errors[].code', 'A machine code.', by.errors, checkItems('code', 'a code', isFilled)),
  rule('§2.3 errors[].message', 'Optional.', by.errors, checkItems('message', 'a string', isFilled, true)),
  rule('§2.3 errors[].reference', 'Optional.', by.errors, checkItems('reference', 'a URI', isUri, true)),
  rule('§7.1 500', 'Not for invalid input.', by.errors, (errors) => {
    for (const exchange of refusalsIn(errors))
      demand(exchange.status < 500, exchange, 'a 4xx for invalid input', `${exchange.status}`);
  }),
  rule('§7.2.1', 'Errors that the input causes are 400.', by.errors, (errors) => {
    for (const exchange of refusalsIn(errors)) {
      const { status } = exchange;
      const expected = `${describeStatuses(exchange, [400])} for invalid input`;
      demand(status >= 500 || refusals.has(status), exchange, expected, `${sentStatus(exchange)}`);
    }
  }),
] as const;

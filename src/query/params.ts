import { InvalidRequestError } from '../errors/restkin-error.ts';
import { isObject } from '../options.ts';
import { encoderOf, parse, requireSynchronous } from '../schema/codec.ts';
import { coreOf, definitionOf, fieldsOf } from '../schema/zod.ts';
import type { Query, QueryRules } from './query.ts';

/** The query with the endpoint's own parameters as they are sent: checked, and with the defaults of their schema. */
export const withCheckedParams = ({ name, params }: QueryRules, query: Query): Query => {
  if (params === undefined) return query;
  requireSynchronous(params);
  const given = query.params ?? {};
  if (!isObject(given) || Symbol.iterator in given)
    throw new InvalidRequestError(`${name}: \`params\` must be a plain object`);
  const declared = definitionOf(coreOf(params)).catchall === undefined ? fieldsOf(params) : undefined;
  // A schema drops misspelt parameters, and the list would be longer than intended.
  const unknown = declared && Object.keys(given).find((key) => !Object.hasOwn(declared, key));
  if (declared !== undefined && unknown !== undefined) {
    const known = Object.keys(declared).join(', ');
    throw new InvalidRequestError(
      `${name}: \`params\` has no ${JSON.stringify(unknown.slice(0, 100))}; the collection() declares ${known}`,
    );
  }
  const encode = encoderOf(params);
  const parsed = parse(params, encode(given, 'params'));
  if (parsed.ok) return { ...query, params: encode(parsed.value, 'params') as Query['params'] };
  const [issue] = parsed.issues;
  throw new InvalidRequestError(
    `${name}: \`params\` does not match its declaration at \`${issue?.path}\`: ${issue?.message}`,
  );
};

import { header } from '../conventions.ts';
import { InvalidRequestError } from '../errors/restkin-error.ts';
import { isFieldValue, isPlain } from '../options.ts';

/** Header fields by name, as {@link customAuth} returns them. */
export type HeaderFields = Readonly<Record<string, string>>;

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * Checks headers before they are used: some runtimes quote an invalid value in their error, and a value may
 * be secret.
 *
 * @returns the headers with names in lower case
 * @throws {@link InvalidRequestError} naming the header, never its value
 */
export const checkFields = (option: string, fields: HeaderFields): HeaderFields => {
  if (!isPlain(fields))
    throw new InvalidRequestError(`${option} must be an object of headers, such as { 'x-tenant': 'acme' }`);
  const checked: Record<string, string> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (!token.test(name))
      throw new InvalidRequestError(`${option} has a header whose name is not an HTTP token`);
    if (!isFieldValue(value))
      throw new InvalidRequestError(`${option}: ${name} must be a string of visible ASCII characters`);
    checked[name.toLowerCase()] = value.trim();
  }
  return checked;
};

/** {@link checkFields} for headers that do not authenticate, for which there is an option. */
export const checkOwnFields = (option: string, fields: HeaderFields): HeaderFields => {
  const checked = checkFields(option, fields);
  if (checked[header.authorization] === undefined) return checked;
  throw new InvalidRequestError(`${option} cannot set ${header.authorization}; use auth`);
};

/** {@link checkOwnFields} for headers that do not make a request conditional either. */
export const checkHeaderFields = (option: string, fields: HeaderFields): HeaderFields => {
  const checked = checkOwnFields(option, fields);
  if (isConditional(checked))
    throw new InvalidRequestError(`${option} cannot set a condition; use ifNoneMatch or modifiedSince`);
  return checked;
};

/** True for a conditional request, of which a 304 is a result (§7.1). Names are in lower case. */
export const isConditional = (fields: HeaderFields): boolean =>
  fields[header.ifNoneMatch] !== undefined ||
  fields[header.modifiedSince] !== undefined ||
  fields[header.ifModifiedSince] !== undefined;

// A shorter value is more likely a word, such as the name of a tenant, than a secret.
const shortestSecret = 8;

/**
 * The secrets in a header value: all of it, and the parts that a server may echo alone, `abc=` of
 * `Token abc=`, and `abc` of `id=abc` and of `id:abc`.
 */
export const secretsOf = (value: string): readonly string[] =>
  [value, ...value.split(' '), ...value.split(/[\s:;,="]+/)].filter(({ length }) => length >= shortestSecret);

// Only its name tells whether a value is secret: a tenant's name may be as long as a key.
const secretName =
  /^(?!idempotency-key$|.*_type$).*(?:assertion|auth|cookie|credential|key|passw|secret|session|signature|token)|^code|otp$/i;

/**
 * The values of a request's headers, or of the parameters of a token request, that are secret by their names,
 * and must be masked when a server echoes them.
 */
export const secretsIn = (fields: HeaderFields = {}): string[] =>
  Object.entries(fields).flatMap(([name, value]) =>
    secretName.test(name) ? [value, ...secretsOf(value)] : [],
  );

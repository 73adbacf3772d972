import { header } from '../conventions.ts';
import { InvalidRequestError } from '../errors/restkin-error.ts';

/** Header fields by name. */
export type HeaderFields = Readonly<Record<string, string>>;

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
// Field values are visible ASCII, spaces and tabs (RFC 9110 §5.5); what a runtime does with other text differs.
const fieldValue = /^[\t\x20-\x7e]*$/;

/** True for a name of a header field (RFC 9110 §5.1). */
export const isFieldName = (name: unknown): name is string => typeof name === 'string' && token.test(name);

/** True for a string that can stand in a header field. */
export const isFieldValue = (value: unknown): value is string =>
  typeof value === 'string' && fieldValue.test(value);

/**
 * Checks header fields before they are used: some runtimes quote a bad value in their error, and a value may be secret.
 *
 * @returns the fields with names in lower case
 * @throws {@link InvalidRequestError} naming the field, never its value
 */
export const checkFields = (option: string, fields: HeaderFields): HeaderFields => {
  const checked: Record<string, string> = {};
  if (typeof fields !== 'object' || fields === null)
    throw new InvalidRequestError(`${option} must be an object`);
  for (const [name, value] of fields instanceof Headers ? fields : Object.entries(fields)) {
    if (!isFieldName(name))
      throw new InvalidRequestError(`${option} has a field whose name is not an HTTP token`);
    if (!isFieldValue(value)) {
      throw new InvalidRequestError(`${option} has a value for ${name} that cannot stand in a header field`);
    }
    checked[name.toLowerCase()] = value.trim();
  }
  return checked;
};

/** True for a request that asks whether something has changed: a 304 is a result of it (§7.1). Names are in lower case. */
export const isConditional = (fields: HeaderFields): boolean =>
  fields[header.ifNoneMatch] !== undefined ||
  fields[header.modifiedSince] !== undefined ||
  fields[header.ifModifiedSince] !== undefined;

// Of other fields the value tells nothing: the name of a tenant is as long as a key, and an error that hides it helps
// nobody. What authenticates under another name belongs to `auth`.
const secretName =
  /^(?!idempotency-key$).*(?:auth|cookie|credential|key|passw|secret|session|signature|token)/;

/** What of the fields a request was given is secret, by their names: it must not be shown when a server echoes it. */
export const secretsIn = (fields: HeaderFields): readonly string[] =>
  Object.entries(fields).flatMap(([name, value]) => (secretName.test(name) ? [value] : []));

/** {@link checkFields} for fields that do not authenticate: that is what `auth` is for. */
export const checkHeaderFields = (option: string, fields: HeaderFields): HeaderFields => {
  const checked = checkFields(option, fields);
  if (Object.hasOwn(checked, header.authorization)) {
    throw new InvalidRequestError(`${option} cannot set ${header.authorization}; use auth`);
  }
  return checked;
};

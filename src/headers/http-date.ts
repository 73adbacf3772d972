const imfFixdate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const rfc850Date = /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/;
const asctimeDate = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/** Reads an HTTP date in any of its three forms (RFC 9110 §5.6.7), as milliseconds since the epoch. */
export const parseHttpDate = (value: string): number | undefined => {
  // `Date.parse` takes asctime as local time; HTTP means UTC.
  const text = asctimeDate.test(value) ? `${value} GMT` : value;
  if (text === value && !imfFixdate.test(value) && !rfc850Date.test(value)) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
};

/** Writes an HTTP date in the form that is preferred (RFC 9110 §5.6.7). */
export const formatHttpDate = (date: Date): string => date.toUTCString();

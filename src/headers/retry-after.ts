import { parseHttpDate } from './http-date.ts';

/**
 * Reads `Retry-After` (RFC 9110 §10.2.3), in milliseconds from `now`. A date in the past is 0; what is neither
 * seconds nor a date is undefined.
 */
export const parseRetryAfter = (value: string | null, now: number): number | undefined => {
  if (value === null) return undefined;
  const trimmed = value.trim();
  if (/^\d+$/.test(trimmed)) return Number(trimmed) * 1000;
  const date = parseHttpDate(trimmed);
  return date === undefined ? undefined : Math.max(0, date - now);
};

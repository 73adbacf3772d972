import { queryParameters } from '../conventions.ts';
import type { Mask } from '../errors/error-body.ts';
import { InvalidRequestError } from '../errors/restkin-error.ts';
import { minLengthInKnownText } from './secrets.ts';

/** A configured URL, checked: requests go to no other origin. */
export interface BaseUrl {
  readonly origin: string;
  /** The origin and the path, without a slash at the end. */
  readonly href: string;
}

/** A URL, resolved against another one; undefined for an invalid one. */
export const parseUrl = (url: string, from?: string): URL | undefined =>
  URL.canParse(url, from) ? new URL(url, from) : undefined;

const isHttp = ({ protocol }: URL): boolean => protocol === 'https:' || protocol === 'http:';

const loopback = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Reads a configured URL. Plain `http:` exposes credentials to the network, so it is for loopback only,
 * unless `allowInsecure` is true.
 *
 * @throws {@link InvalidRequestError} naming the option, never the whole value: a URL may hold a password
 */
export const parseBaseUrl = (option: string, value: unknown, allowInsecure: boolean): BaseUrl => {
  const url = parseUrl(String(value));
  if (url === undefined || !isHttp(url))
    throw new InvalidRequestError(
      `${option} must be an absolute URL such as https://api.example.com${value === undefined ? ', not undefined' : ''}; on a page, new URL('/api', location.href).href`,
    );
  if (url.username + url.password + url.search + url.hash !== '')
    throw new InvalidRequestError(`${option} must not have credentials, a query or a fragment`);
  if (url.protocol === 'http:' && !allowInsecure && !loopback.test(url.hostname))
    throw new InvalidRequestError(
      `${option} is plain http: to ${url.host}; use https:, or pass allowInsecure: true to createClient or diagnose`,
    );
  return { origin: url.origin, href: url.origin + url.pathname.replace(/\/+$/, '') };
};

/**
 * A link against the URL it came with; undefined for an invalid one. A server behind a proxy that ends TLS
 * writes `http:` in its links: with the host of an origin with `https:`, such a link means that origin.
 */
export const parseLinkUrl = (origin: string, link: string, from: string): URL | undefined => {
  const url = parseUrl(link, from);
  if (url?.protocol === 'http:' && origin === `https://${url.host}`) url.protocol = 'https:';
  return url;
};

/**
 * Resolves a link, self link or `Location` against the URL it came with.
 *
 * @returns the absolute URL; undefined for a link with a {@link linkProblem}
 */
export const resolveWithin = (base: BaseUrl, link: string, from: string): string | undefined => {
  // Nothing after the slash can change the origin, and most links have this form: ASCII without `#`.
  if (link.startsWith(`${base.origin}/`) && /^[ -"$-~]+$/.test(link)) return link;
  const url = parseLinkUrl(base.origin, link, from);
  if (url === undefined) return undefined;
  // The origin of a blob: URL is that of the page that made it.
  const isWithin = isHttp(url) && url.origin === base.origin;
  if (!isWithin || url.username + url.password !== '') return undefined;
  url.hash = '';
  return url.href;
};

/** The hint in an error whose URL has twice what restkin adds: a configured URL or a path has it already. */
export const repetitionNote = (url: string): string => {
  const [, part] = /(\/v\d+|\/auth\/token)\1\b/.exec(url) ?? [];
  return part === undefined ? '' : `; restkin adds ${part} itself: leave it out`;
};

/** Why {@link resolveWithin} has no URL for a link, for an error message. */
export const linkProblem = (base: BaseUrl, link: string, from: string): string => {
  const url = parseLinkUrl(base.origin, link, from);
  if (url === undefined || !isHttp(url)) return 'is not an http: or https: URL';
  if (url.origin === base.origin) return 'has a username or a password';
  return `leads to another origin than ${base.origin}; check \`baseUrl\``;
};

/** The origin of a link, for an error message, without a secret in its host. */
export const originOf = (link: string, mask: Mask, from?: string): string => {
  const url = parseUrl(link, from);
  if (url === undefined) return 'an invalid URL';
  return mask(isHttp(url) ? url.origin : `a ${url.protocol} URL`, minLengthInKnownText);
};

/**
 * Encodes one path segment so that the server decodes exactly what was given.
 *
 * @throws {@link InvalidRequestError} for a value that no encoding preserves: an empty segment, `.` and `..`
 * (a URL drops them, encoded or not), a number that is not an integer, an unpaired surrogate
 */
export const encodeSegment = (name: string, value: unknown): string => {
  if (Number.isSafeInteger(value)) return String(value);
  if (typeof value !== 'string') {
    const shown = value == null || typeof value === 'number' ? value : `a value of type ${typeof value}`;
    throw new InvalidRequestError(`${name} must be a string or an integer, not ${shown}`);
  }
  if (/^\.{0,2}$|\p{Surrogate}/u.test(value))
    throw new InvalidRequestError(
      `${name} must not be ${JSON.stringify(value.slice(0, 100))}: it would change the path`,
    );
  return encodeURIComponent(value);
};

/** Writes a declared path with its parameters, `companies/:companyId/orders` to `companies/3/orders`. */
export const formatPath = (path: string, parameters: Readonly<Record<string, unknown>>, owner = ''): string =>
  path
    .split('/')
    .map((part) => {
      if (!part.startsWith(':')) return part;
      const name = part.slice(1);
      return encodeSegment(owner + name, parameters[name]);
    })
    .join('/');

/**
 * A URL as errors and events show it. Values of parameters other than those of §4.4 may be secrets, and a
 * server's link may hold one anywhere after the origin.
 *
 * @param parameters - the parameters of §4.4, in the names of the API
 */
export const maskUrl = (
  href: string,
  mask: Mask,
  parameters: readonly string[] = queryParameters,
): string => {
  let shown = href;
  if (href.includes('?')) {
    const url = new URL(href);
    for (const name of new Set(url.searchParams.keys()))
      if (!parameters.includes(name)) url.searchParams.set(name, '***');
    shown = url.href;
  }
  const path = shown.indexOf('/', shown.indexOf('//') + 2);
  return shown.slice(0, path) + mask(shown.slice(path), minLengthInKnownText);
};

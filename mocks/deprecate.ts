import { header } from '../src/conventions/headers.ts';
import { versionPrefix } from '../src/conventions/version.ts';
import type { ApiDeclaration } from '../src/schema/define-api.ts';
import { checkDate, checkType } from './check.ts';
import type { MockDeprecation } from './options.ts';
import type { CollectionRoute } from './routes.ts';

/** Adds what a deprecated version says of itself to the header fields of its answers; undefined where it says nothing. */
export type Deprecate = (route: CollectionRoute, url: URL) => ((headers: Headers) => void) | undefined;

/** The relation to a newer version (RFC 5829 §3). */
const successorRelation = 'successor-version';

const successorPath = (successor: ApiDeclaration, { base }: CollectionRoute, url: URL): string => {
  const start = new URL(base).pathname.replace(/\/$/, '');
  const [, ...path] = url.pathname.slice(start.length + 1).split('/');
  return `${base}/${versionPrefix}${successor.version}/${path.join('/')}`;
};

const newestOf = (apis: readonly ApiDeclaration[], name: string): ApiDeclaration | undefined =>
  apis.filter((api) => api.name === name).toSorted((a, b) => b.version - a.version)[0];

/**
 * Says which majors are deprecated (§9.4), and how.
 *
 * @throws RangeError for a date that is none, and for a version that no API has
 */
export const createDeprecate = (
  apis: readonly ApiDeclaration[],
  deprecation: MockDeprecation | undefined,
): Deprecate => {
  if (deprecation === undefined) return () => undefined;
  const { since, sunset, link, version } = deprecation;
  checkDate('deprecated.since', since);
  checkDate('deprecated.sunset', sunset);
  checkType('deprecated.link', link, 'string');
  if (version !== undefined && !apis.some((api) => api.version === version)) {
    throw new RangeError(`deprecated: there is no API of the version ${version}`);
  }
  const isDeprecated = (api: ApiDeclaration, newest: ApiDeclaration | undefined): boolean => {
    if (version !== undefined) return api.version === version;
    const isOnly = apis.every((other) => other === api || other.name !== api.name);
    return isOnly || api !== newest;
  };
  return (route, url) => {
    const { api } = route.endpoint;
    const newest = newestOf(apis, api.name);
    if (!isDeprecated(api, newest)) return undefined;
    const isOlder = newest !== undefined && newest.version > api.version;
    const successor = link ?? (isOlder ? successorPath(newest, route, url) : undefined);
    return (headers) => {
      // RFC 9745 §2.1: a structured field date, in seconds.
      if (since) headers.set(header.deprecation, `@${Math.floor(since.getTime() / 1000)}`);
      if (sunset) headers.set(header.sunset, sunset.toUTCString());
      if (successor !== undefined) headers.append(header.link, `<${successor}>; rel="${successorRelation}"`);
    };
  };
};

import { header, versionPrefix } from '../../src/conventions.ts';
import type { ApiDeclaration } from '../../src/schema/define-api.ts';
import type { MockDeprecation } from '../options.ts';
import type { CollectionRoute } from '../resources/routes.ts';

/** Adds the headers of a deprecated version to its responses; undefined for a version that is not deprecated. */
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
 * @throws RangeError for a version that no API has
 */
export const createDeprecate = (
  apis: readonly ApiDeclaration[],
  deprecation: MockDeprecation | undefined,
): Deprecate => {
  if (deprecation === undefined) return () => undefined;
  const { since, sunset, link, version } = deprecation;
  if (version !== undefined && !apis.some((api) => api.version === version)) {
    throw new RangeError(`createMock: deprecated.version must be a major of an API: there is no ${version}`);
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

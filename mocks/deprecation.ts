import { header, versionPrefix } from '../src/conventions.ts';
import type { ApiDeclaration } from '../src/schema/define-api.ts';
import type { CollectionRoute } from './collections/routes.ts';
import type { MockDeprecation } from './options.ts';

/** The relation to a newer version (RFC 5829 §3). */
const successorRelation = 'successor-version';

const successorPath = (successor: ApiDeclaration, { base }: CollectionRoute, url: URL): string => {
  const start = new URL(base).pathname.replace(/\/$/, '');
  const [, ...path] = url.pathname.slice(start.length + 1).split('/');
  return `${base}/${versionPrefix}${successor.version}/${path.join('/')}`;
};

/**
 * Creates a function that returns, for a route to a deprecated major, a change that adds its headers to a response (§9.4).
 * Undefined for any other major.
 *
 * @throws RangeError for a version that no API has
 */
export const createDeprecate = (
  apis: readonly ApiDeclaration[],
  deprecation: MockDeprecation | undefined,
) => {
  if (deprecation === undefined) return () => undefined;
  const { since, sunset, link, version } = deprecation;
  if (version !== undefined && !apis.some((api) => api.version === version)) {
    throw new RangeError(`createMock: deprecated.version must be a major of an API: there is no ${version}`);
  }
  return (route: CollectionRoute, url: URL) => {
    const { api } = route.endpoint;
    const majors = apis.filter(({ name }) => name === api.name).toSorted((a, b) => b.version - a.version);
    const [newest = api] = majors;
    const isDeprecated =
      version === undefined ? majors.length === 1 || api !== newest : api.version === version;
    if (!isDeprecated) return undefined;
    const successor = link ?? (newest.version > api.version ? successorPath(newest, route, url) : undefined);
    return (headers: Headers): void => {
      // RFC 9745 §2.1: a structured field date, in seconds.
      if (since) headers.set(header.deprecation, `@${Math.floor(since.getTime() / 1000)}`);
      if (sunset) headers.set(header.sunset, sunset.toUTCString());
      if (successor !== undefined) headers.append(header.link, `<${successor}>; rel="${successorRelation}"`);
    };
  };
};

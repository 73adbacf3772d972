import { matchPath, nearestPath } from '../../src/schema/match-path.ts';

/** What a mock serves. */
export interface Served {
  /** Its base URL, without a slash at its end; undefined for a mock at the root of every origin. */
  readonly base: string | undefined;
  /** The paths below that, with `:name` for a parameter. */
  readonly paths: readonly string[];
  /** The path of the token endpoint below the auth URL. */
  readonly tokenPath: string;
}

/** The most paths that a message lists. */
const mostPaths = 10;

/**
 * What precedes a declared path in another one, such as `/api`. It is undefined where it may be a declared
 * path itself. A declared path that begins with a parameter is no sign of a prefix.
 */
const prefixOf = (pathname: string, paths: readonly string[]): string | undefined => {
  const declared = paths.map((path) => path.split('/')).filter(([first = '']) => !first.startsWith(':'));
  const segments = pathname.replace(/^\/|\/$/g, '').split('/');
  if (declared.some(([first]) => first === segments[0])) return undefined;
  const length = segments.findIndex((_, index) =>
    declared.some((path) => matchPath(path, segments.slice(index)) !== undefined),
  );
  return length < 1 ? undefined : `/${segments.slice(0, length).join('/')}`;
};

/** The path that the client's base URL or auth URL probably has, and the mock's has not. */
const describePrefix = (pathname: string, { paths, tokenPath }: Served): string | undefined => {
  const prefix = prefixOf(pathname, paths);
  if (prefix !== undefined)
    return `if the client's \`baseUrl\` ends with ${prefix}, pass it to createMock, or --base-url to \`restkin mock\`.`;
  const ofToken = prefixOf(pathname, [tokenPath]);
  return ofToken && `if the client's \`authUrl\` ends with ${ofToken}, pass it to createMock.`;
};

/** Says that nothing is at a URL, what was probably meant, and which paths there are. */
export const describeNothing = ({ origin, pathname }: URL, all: Served): string => {
  const { base, paths } = all;
  const served = paths.map((path) => `${base ?? ''}/${path}`);
  const given = base === undefined ? pathname : origin + pathname;
  const nearest = nearestPath(given, served);
  const advice = describePrefix(pathname, all) ?? (nearest && `did you mean ${nearest}?`);
  const shown = served.slice(0, mostPaths).join(', ') || 'no path but the token endpoint';
  const more = served.length > mostPaths ? `, and ${served.length - mostPaths} more` : '';
  const start = advice === undefined ? 'this' : `${advice} This`;
  return `There is nothing at ${given}; ${start} mock serves ${shown}${more}`;
};

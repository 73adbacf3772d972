import { nearestName } from '../../src/schema/nearest.ts';

/** The most paths that a message lists. */
const mostPaths = 10;

/** A path with the segments of another one in place of its parameters. */
const fillParameters = (path: string, given: string): string => {
  const segments = given.split('/');
  return path
    .split('/')
    .map((part, index) => (part.startsWith(':') ? segments[index] || part : part))
    .join('/');
};

/**
 * Says that nothing is at a URL, which path was probably meant, and which there are.
 *
 * @param served - the paths of a mock, with its base URL if it has one, and with `:name` for a parameter
 */
export const describeNothing = ({ origin, pathname }: URL, served: readonly string[]): string => {
  const isBased = served.some((path) => !path.startsWith('/'));
  const given = isBased ? origin + pathname : pathname;
  // Below a collection are its resources.
  const known = [...served, ...served.map((path) => `${path}/:id`)];
  const nearest = nearestName(
    given,
    known.map((path) => fillParameters(path, given)),
  );
  const advice = nearest === undefined ? '; this' : `; did you mean ${nearest}? This`;
  const paths = served.slice(0, mostPaths).join(', ') || 'no path but the token endpoint';
  const more = served.length > mostPaths ? `, and ${served.length - mostPaths} more` : '';
  return `There is nothing at ${given}${advice} mock serves ${paths}${more}`;
};

import { nearestPath } from '../../src/schema/match-path.ts';

/** The most paths that a message lists. */
const mostPaths = 10;

/**
 * Says that nothing is at a URL, which path was probably meant, and which there are.
 *
 * @param served - the paths of a mock, with its base URL if it has one, and with `:name` for a parameter
 */
export const describeNothing = ({ origin, pathname }: URL, served: readonly string[]): string => {
  const isBased = served.some((path) => !path.startsWith('/'));
  const given = isBased ? origin + pathname : pathname;
  const nearest = nearestPath(given, served);
  const advice = nearest === undefined ? '; this' : `; did you mean ${nearest}? This`;
  const paths = served.slice(0, mostPaths).join(', ') || 'no path but the token endpoint';
  const more = served.length > mostPaths ? `, and ${served.length - mostPaths} more` : '';
  return `There is nothing at ${given}${advice} mock serves ${paths}${more}`;
};

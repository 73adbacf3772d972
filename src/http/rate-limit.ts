import { versionPrefix } from '../conventions.ts';
import type { ApiDeclaration, RateLimit } from '../schema/define-api.ts';
import type { ApiRequest } from './message.ts';
import { createSemaphore, toDeadlineError, wait } from './timing.ts';

/** Delays a request until the rate limit allows it. */
export type RateLimiter = (request: ApiRequest) => Promise<void>;

/**
 * Delays requests so that no window of `perMs` has more than `requests` of them. They are not spread within a window.
 *
 * @throws {@link TimeoutError} when a request would have to wait beyond its deadline; nothing is sent
 */
const createRateLimiter = ({ requests, perMs }: RateLimit): RateLimiter => {
  /** Start times of the last `requests` requests, oldest first. */
  const starts: number[] = [];
  const { enter, leave, count } = createSemaphore(1);

  /** The time at which a request may start that has `others` waiting before it. */
  const startAfter = (others: number): number => {
    const earlier = starts.length < requests ? undefined : starts[others % requests];
    return earlier === undefined ? 0 : earlier + perMs * (1 + Math.floor(others / requests));
  };

  const start = (): void => {
    starts.push(performance.now());
    if (starts.length > requests) starts.shift();
  };

  /** A request that gives up takes no place in the window; the next one gets it. */
  const startInTurn = async (request: ApiRequest): Promise<void> => {
    if (startAfter(count()) > request.deadline) throw toDeadlineError(request);
    await enter(request);
    try {
      const delayMs = startAfter(0) - performance.now();
      if (delayMs > 0) await wait(delayMs, request.signal);
      start();
    } finally {
      leave();
    }
  };

  return async (request) => {
    if (count() > 0 || startAfter(0) > performance.now()) await startInTurn(request);
    else start();
  };
};

interface LimitedPath {
  /** Segments of a collection's path, with its version. */
  readonly segments: readonly string[];
  readonly limitRate: RateLimiter | undefined;
}

const isBelow = (path: readonly string[], { segments }: LimitedPath): boolean =>
  segments.every((segment, index) =>
    segment.startsWith(':') ? path.length > index : segment === path[index],
  );

/**
 * The rate limits of a client's APIs (§8), each shared by all requests to its API.
 *
 * @param base - the base URL of the APIs, without a slash at its end
 */
export const createApiLimits = (base: string) => {
  /** The paths of all collections, the longest first, so that a nested collection comes before the one above it. */
  let paths: readonly LimitedPath[] = [];
  let isLimited = false;

  return {
    /** The rate limiter of an API; undefined when it declares no limit. */
    add: ({ version, collections, rateLimit }: ApiDeclaration): RateLimiter | undefined => {
      const limitRate = rateLimit && createRateLimiter(rateLimit);
      const added = Object.values(collections).map(({ path }) => ({
        segments: [`${versionPrefix}${version}`, ...path.split('/')],
        limitRate,
      }));
      paths = [...paths, ...added].sort((a, b) => b.segments.length - a.segments.length);
      isLimited ||= limitRate !== undefined;
      return limitRate;
    },
    /** For a request that names no API: applies the limit of the API that has a collection at its path. */
    limitRate: async (request: ApiRequest): Promise<void> => {
      if (!isLimited || !request.url.startsWith(`${base}/`)) return;
      const [path = ''] = request.url.slice(base.length + 1).split(/[?#]/, 1);
      const segments = path.split('/');
      await paths.find((limited) => isBelow(segments, limited))?.limitRate?.(request);
    },
  };
};

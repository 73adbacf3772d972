import { type NamedAuthorizer, withAuthorization } from '../auth/with-authorization.ts';
import { versionPrefix } from '../conventions.ts';
import { type ResponseCache, withCache } from '../http/cache.ts';
import type { Send } from '../http/message.ts';
import { createRateLimiter, type RateLimiter } from '../http/rate-limit.ts';
import { type Deliver, withRetry } from '../http/retry.ts';
import type { RetryBudget } from '../http/retry-policy.ts';
import { withErrors } from '../http/status.ts';
import { type Throttle, withThrottle } from '../http/throttle.ts';
import type { RequestObservers } from '../http/tracing.ts';
import type { ApiDeclaration } from '../schema/define-api.ts';

/** What the pipelines of one client share. */
export interface Shared {
  /** One attempt on the wire. */
  readonly transport: Send;
  readonly throttle: Throttle;
  readonly budget: RetryBudget;
  readonly cache: ResponseCache | undefined;
  readonly observers: RequestObservers;
}

/**
 * The way of a request to its response. Retry is outermost, so that each attempt asks for its credentials anew; a 401 is
 * replayed inside, outside the retry budget.
 *
 * @param limitRate - keeps the rate limit of an API; undefined where none is declared
 */
export const createPipeline = (
  schemes: readonly NamedAuthorizer[],
  limitRate: RateLimiter | undefined,
  { transport, throttle, budget, cache, observers }: Shared,
): Deliver =>
  withRetry(
    withErrors(withAuthorization(withCache(withThrottle(transport, throttle, limitRate), cache), schemes)),
    budget,
    observers,
  );

/** The rate limits of a client's APIs (§8), each shared by all requests to its API. */
export interface ApiLimits {
  /** The turns of an API; undefined when it declares no limit. */
  add(api: ApiDeclaration): RateLimiter | undefined;
  /** For a request that names no API: it takes a turn of the one that has a collection at its path. */
  readonly limitRate: RateLimiter;
}

interface Place {
  /** Segments of a collection's path, with its version. */
  readonly segments: readonly string[];
  readonly limitRate: RateLimiter | undefined;
}

const isBelow = (path: readonly string[], { segments }: Place): boolean =>
  segments.every((segment, index) =>
    segment.startsWith(':') ? path.length > index : segment === path[index],
  );

/** @param base - where the APIs are, without a slash at its end */
export const createApiLimits = (base: string): ApiLimits => {
  /** Of every collection, the longest path first, so that a nested collection comes before the one above it. */
  let places: readonly Place[] = [];
  let isLimited = false;

  return {
    add: ({ version, collections, rateLimit }) => {
      const limitRate = createRateLimiter(rateLimit);
      const added = Object.values(collections).map(({ path }) => ({
        segments: [`${versionPrefix}${version}`, ...path.split('/')],
        limitRate,
      }));
      places = [...places, ...added].sort((a, b) => b.segments.length - a.segments.length);
      isLimited ||= limitRate !== undefined;
      return limitRate;
    },
    limitRate: async (request) => {
      if (!isLimited || !request.url.startsWith(`${base}/`)) return;
      const [path = ''] = request.url.slice(base.length + 1).split(/[?#]/, 1);
      const segments = path.split('/');
      await places.find((place) => isBelow(segments, place))?.limitRate?.(request);
    },
  };
};

import { versionPrefix } from '../conventions.ts';
import { createTurns, type TakeTurn } from '../http/turns.ts';
import type { ApiDeclaration } from '../schema/define-api.ts';

/** The rate limits of a client's APIs (§8), each kept by whoever sends to its API. */
export interface ApiLimits {
  /** The turns of an API; undefined when it declares no limit. */
  add(api: ApiDeclaration): TakeTurn | undefined;
  /** For a request that names no API: it takes a turn of the one that has a collection at its path. */
  readonly takeTurn: TakeTurn;
}

interface Place {
  /** Segments of a collection's path, with its version. */
  readonly segments: readonly string[];
  readonly takeTurn: TakeTurn | undefined;
}

const isBelow = (path: readonly string[], { segments }: Place): boolean =>
  segments.every((segment, index) =>
    segment.startsWith(':') ? path.length > index : segment === path[index],
  );

/** @param base - where the APIs are, without a slash at its end */
export const createApiLimits = (base: string): ApiLimits => {
  /** Of every collection, those with the longest path first: it is the closest to what stands below it. */
  let places: readonly Place[] = [];
  let isLimited = false;

  return {
    add: ({ version, collections, rateLimit }) => {
      const takeTurn = createTurns(rateLimit);
      const added = Object.values(collections).map(({ path }) => ({
        segments: [`${versionPrefix}${version}`, ...path.split('/')],
        takeTurn,
      }));
      places = [...places, ...added].sort((a, b) => b.segments.length - a.segments.length);
      isLimited ||= takeTurn !== undefined;
      return takeTurn;
    },
    takeTurn: async (request) => {
      if (!isLimited || !request.url.startsWith(`${base}/`)) return;
      const [path = ''] = request.url.slice(base.length + 1).split(/[?#]/, 1);
      const segments = path.split('/');
      await places.find((place) => isBelow(segments, place))?.takeTurn?.(request);
    },
  };
};

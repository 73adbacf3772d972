/** What a runtime itself does, so that a case does not hold there. */
export interface KnownLimit {
  /** Names of runtimes. */
  readonly runtimes: readonly string[];
  /** The cases, by their whole names. */
  readonly cases: readonly string[];
  /** Stands in the reason of the failure: anything else that fails is no known limit. */
  readonly shows: string;
}

const lostPost = 'a POST whose response is lost is `AmbiguousOutcomeError`, and the server saw it once';
const lostPostKeptAlive = 'the same on a connection that was kept alive';
const lostRefresh = '§5.2.7 a refresh token whose response is lost is not resent: the password follows';
const notSent = 'a POST that provably was not sent is retried, and is `ConnectionError` and not ambiguous';

/** Every known limit; docs/runtimes.md explains them in the same order. */
export const knownLimits: readonly KnownLimit[] = [
  {
    runtimes: ['Deno'],
    cases: [lostPostKeptAlive, lostRefresh],
    shows: 'expected 1, got 2',
  },
  {
    runtimes: ['Chromium'],
    cases: [lostPost, lostPostKeptAlive, lostRefresh],
    shows: 'expected 1, got 2',
  },
  {
    runtimes: ['workerd', 'Chromium'],
    cases: [notSent],
    shows: '"AmbiguousOutcomeError",true,1',
  },
];

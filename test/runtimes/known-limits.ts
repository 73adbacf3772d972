/** What a runtime itself does, so that a case does not hold there. */
export interface KnownLimit {
  /** Names of runtimes. */
  readonly runtimes: readonly string[];
  /** The cases, by their whole names. */
  readonly cases: readonly string[];
  /** Stands in the reason of the failure: anything else that fails is no known limit. */
  readonly shows: string;
  /** For the page. */
  readonly because: string;
}

const lostPost = 'a POST whose response is lost is `AmbiguousOutcomeError`, and the server saw it once';
const lostPostKeptAlive = 'the same on a connection that was kept alive';
const lostRefresh = '§5.2.7 a refresh token whose response is lost is not resent: the password follows';
const notSent = 'a POST that provably was not sent is retried, and is `ConnectionError` and not ambiguous';

/** Every known limit, in the order of the page. */
export const knownLimits: readonly KnownLimit[] = [
  {
    runtimes: ['Deno'],
    cases: [lostPostKeptAlive, lostRefresh],
    shows: 'expected 1, got 2',
    because:
      'Deno resends a request by itself, whatever its method, when a connection that it kept alive dies (up to 2.9.5 ' +
      'when any connection dies). The client cannot notice it. With Deno 2.9.6 or newer, pass the client a `fetch` with ' +
      '`Deno.createHttpClient({ poolMaxIdlePerHost: 0 })`: the row below each of these shows that it sends everything once.',
  },
  {
    runtimes: ['Chromium'],
    cases: [lostPost, lostPostKeptAlive, lostRefresh],
    shows: 'expected 1, got 2',
    because:
      'A browser resends a request by itself, whatever its method, when a connection that was used before dies. The ' +
      'preflight has used it already. The client cannot notice it, and a page cannot change it.',
  },
  {
    runtimes: ['workerd', 'Chromium'],
    cases: [notSent],
    shows: '"AmbiguousOutcomeError",true,1',
    because:
      'The runtime does not tell a connection that was refused from one that was lost. Without proof that nothing was ' +
      'sent, a POST is not retried, and is `AmbiguousOutcomeError`.',
  },
];

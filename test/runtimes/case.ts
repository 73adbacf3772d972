import type { Fetch, TokenStore } from 'restkin';
import type { Mock, MockServer } from 'restkin/mocks';
import type { Stage, StageOptions } from './stage.ts';

/** What a runtime has besides the APIs of the Web. */
export interface Surroundings {
  /** True where header fields of another origin are hidden unless the server exposes them. */
  readonly hidesHeaders: boolean;
  /** Opens a token store on `node:sqlite` in a new folder. */
  readonly openSqlite?: () => Promise<{ readonly store: TokenStore; close(): Promise<void> }>;
  /** Loads the entry with the mock. Not where msw does not load. */
  readonly loadMocks?: () => Promise<Pick<typeof import('restkin/mocks'), 'createMock'>>;
  /** Where a request may have a stream as its body; a browser sends one over HTTP/2 only. */
  readonly sendsStreams?: true;
  /** Serves a mock from the process of the case. */
  readonly serveHere?: (mock: Pick<Mock, 'respond'>) => Promise<MockServer>;
  /**
   * The `fetch` that docs/runtimes.md tells users of this runtime to give, where the built-in one sends a
   * POST twice.
   */
  readonly advisedFetch?: Fetch;
}

/** A case that runs on every runtime, free of any runtime's API. */
export interface Case {
  /** A sentence of the specification. */
  readonly name: string;
  readonly stage?: StageOptions;
  /** What it needs of a runtime; without that it is left out. */
  readonly needs?: Exclude<keyof Surroundings, 'hidesHeaders'>;
  /** Throws when the case does not hold. */
  readonly run: (stage: Stage, surroundings: Surroundings) => Promise<void>;
}

/** How a case ended on a runtime. */
export interface CaseResult {
  readonly name: string;
  readonly outcome: 'holds' | 'fails' | 'notThere';
  /** Why it fails. */
  readonly reason?: string;
}

import type { Duration, Fault } from 'restkin/mocks';

/** What differs from the usual mock. */
export interface StageOptions {
  /** Orders, companies and records of the feed, each; 120 by default. */
  readonly records?: number;
}

/** What the servers of a stage have seen. */
export interface Seen {
  /** Requests to the APIs, in the order they came. */
  readonly requests: readonly { readonly method: string; readonly status: number }[];
  /** Token requests by grant, each with its status: `password 200`. */
  readonly grants: readonly string[];
  /** Requests that a client gave up while their answer was delayed. */
  readonly abandoned: number;
  /** Endless downloads that a client ended. */
  readonly endedDownloads: number;
  /** Requests to the other origin, with the preflights of a browser. */
  readonly atOther: readonly string[];
}

/** Where the servers of a stage are. */
export interface StageUrls {
  readonly apiUrl: string;
  /** The token endpoint, at an origin of its own. */
  readonly authUrl: string;
  /** An origin that no request may reach. */
  readonly otherUrl: string;
  /** A port that nobody listens on. */
  readonly closedUrl: string;
}

/** A mock of its own for one case, moved from afar: the case runs in another process than the mock. */
export interface Stage extends StageUrls {
  /** The next matching requests meet this fault. */
  fault(fault: Fault): Promise<void>;
  /** Moves the clock of the mock. */
  advance(by: Duration): Promise<void>;
  seen(): Promise<Seen>;
  end(): Promise<void>;
}

/** Opens a stage at the control server, with `fetch` alone. */
export const openStage = async (controlUrl: string, options: StageOptions): Promise<Stage> => {
  const ask = async (path: string, body: unknown): Promise<unknown> => {
    const response = await fetch(`${controlUrl}${path}`, { method: 'POST', body: JSON.stringify(body) });
    const text = await response.text();
    if (!response.ok) throw new Error(`The control server answered ${response.status}: ${text}`);
    return JSON.parse(text);
  };
  // The control server is of the same tree: it answers what these types say.
  const { id, ...urls } = (await ask('/stages', options)) as StageUrls & { readonly id: number };
  const at = (action: string): string => `/stages/${id}/${action}`;
  return {
    ...urls,
    fault: async (fault) => void (await ask(at('fault'), fault)),
    advance: async (by) => void (await ask(at('advance'), by)),
    seen: async () => (await ask(at('seen'), {})) as Seen,
    end: async () => void (await ask(at('end'), {})),
  };
};

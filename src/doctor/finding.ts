/** An exchange in a finding of {@link diagnose}, without credentials, tokens and the values of resources. */
export interface ShownExchange {
  /** The request line and its header fields. */
  readonly request: string;
  /**
   * The status, the header fields of the conventions, and the shape of the body or the message of an error.
   */
  readonly response: string;
}

interface AnyFinding {
  /** The rule that is judged, for example `§4.4 sort`. */
  readonly rule: `§${string}`;
  /** The section that the rule belongs to, for example `§4.4`. */
  readonly section: string;
  /** The rule in one line. */
  readonly says: string;
  /**
   * The key of a collection or an endpoint, `orders.cancel` of an action, `token endpoint`, or the name of
   * the API for what concerns all of it.
   */
  readonly where: string;
}

/** A finding of {@link diagnose}: the server keeps the rule, as far as a client can see. */
export interface Passed extends AnyFinding {
  readonly outcome: 'pass';
}

/** A finding of {@link diagnose}: the server breaks the rule. */
export interface Failed extends AnyFinding {
  readonly outcome: 'fail';
  /**
   * True when the client of this package fails where the server does this; otherwise it works all the same.
   */
  readonly isFatal: boolean;
  /** What the rule demands here. */
  readonly expected: string;
  /** What the server did instead. */
  readonly found: string;
  /** The exchange that shows it; undefined where the server did not respond. */
  readonly exchange: ShownExchange | undefined;
}

/** A finding of {@link diagnose} that says nothing about the server, with the reason. */
export interface Undecided extends AnyFinding {
  /**
   * `notDeclared`: the declaration does not have what the rule is about, or the data has fields that are not
   * declared. `cannotTell`: the rule cannot be judged here, for example for lack of permission, of records or
   * of requests.
   */
  readonly outcome: 'notDeclared' | 'cannotTell';
  /** Why the rule is not judged. */
  readonly reason: string;
  /**
   * `writes`: a run with `allowWrites` judges it. `unseen`: no run can. Undefined where it depends on this
   * server.
   */
  readonly lacks?: 'writes' | 'unseen' | undefined;
  /** The broken rule that this one depends on; its failure has a finding of its own. */
  readonly blockedBy?: `§${string}` | undefined;
}

/** What {@link diagnose} finds about one rule in one place. */
export type Finding = Passed | Failed | Undecided;

/** How {@link diagnose} judges a rule. */
export type Outcome = Finding['outcome'];

/** What {@link diagnose} found. */
export interface Diagnosis {
  /** The name of the API. */
  readonly api: string;
  /** Its major version (§9). */
  readonly version: number;
  /** The base URL of the examined server. */
  readonly baseUrl: string;
  /** False for a server of another kind; then only `server` is worth reading. */
  readonly isOfFamily: boolean;
  /** True when the server refused the user or the client: then only what needs no login was examined. */
  readonly isLoginRefused: boolean;
  /** What the server is, in a sentence or two. */
  readonly server: string;
  /** Whether the client of this package works with the server; undefined where nothing could be read. */
  readonly works: boolean | undefined;
  /** In the order of the conventions; every rule has at least one. */
  readonly findings: readonly Finding[];
  /** How many findings have each outcome. */
  readonly counts: Readonly<Record<Outcome, number>>;
  /** How many requests were sent. */
  readonly requests: number;
  /** The URLs of resources that were created and could not be removed. */
  readonly leftBehind: readonly string[];
}

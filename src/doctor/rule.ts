import type { Exchange } from './exchange.ts';
import type { Diagnosis } from './finding.ts';
import type { Session } from './session.ts';
import type { Need, Subject } from './subject.ts';
import type { Writer } from './writer.ts';

export interface Subjects {
  readonly api: Pick<Diagnosis, 'isOfFamily' | 'server'>;
  readonly token: Session;
  readonly collection: Subject;
  /** Judged with `allowWrites` only. */
  readonly write: Writer;
  /** The responses of the run that report an error. */
  readonly errors: readonly Exchange[];
}

interface Basis<K extends keyof Subjects> {
  readonly of: K;
  readonly needs?: readonly Need[];
  /** Why the conventions alone give nothing to test. */
  readonly nothing?: string;
}

/** What a rule is judged by. */
export const by = {
  tokens: { of: 'token' },
  errors: { of: 'errors' },
  collection: { of: 'collection' },
  list: (...more: readonly Need[]) => ({ of: 'collection', needs: ['list', ...more] }) as const,
  /** A copy of the first resource of the list, which is removed. */
  writes: (...more: readonly Need[]) =>
    ({ of: 'write', needs: ['list', 'create', 'get', 'delete', ...more] }) as const,
} as const;

/** It returns where the rule is kept, and throws a `Judgement` otherwise. */
type Check<Subject> = (subject: Subject) => Promise<void> | void;

export interface AnyRule<Id extends string> {
  /** The section, and a name where the conventions give no number. */
  readonly id: Id;
  readonly says: string;
}

export interface JudgedRule<K extends keyof Subjects, Id extends string = string>
  extends AnyRule<Id>,
    Basis<K> {
  readonly check: Check<Subjects[K]>;
}

/** Why a rule has no check: no request can judge it, or it has nothing to judge. */
type Reason = { readonly unseen: string; readonly nothing?: undefined } | { readonly nothing: string };

export const reasons = {
  notShown: { nothing: 'the conventions do not show it' },
  forClients: { unseen: 'it is a rule for clients' },
  forReleases: { unseen: 'it is a rule for releases' },
  forServers: { unseen: 'it is a rule for several servers' },
  unsendable: { unseen: 'fetch does not send this method' },
  permitted: { unseen: 'servers may do it, but need not' },
  overLimit: { unseen: 'it needs a limit that is not declared' },
  throttled: { unseen: 'it needs more requests than the server allows' },
} as const;

export const judgedAs = (rules: `§${string}`) => ({ unseen: `judged as ${rules}` });

/** A rule of the conventions. One with neither a check nor a reason does not compile. */
export function rule<const Id extends string, K extends keyof Subjects>(
  id: Id,
  says: string,
  basis: Basis<K>,
  check: Check<Subjects[K]>,
): JudgedRule<K, Id>;
export function rule<const Id extends string>(id: Id, says: string, reason: Reason): AnyRule<Id> & Reason;
export function rule(id: string, says: string, how: object, check?: unknown): object {
  return { id, says, ...how, ...(check !== undefined && { check }) };
}

import { TokenRequestError } from '../errors/token-error.ts';
import { tooLate, withinLimits } from '../http/wait.ts';
import { createSharedFailures } from './shared-failures.ts';
import type { GrantType } from './token-grants.ts';
import type { TokenRecord } from './token-record.ts';
import type { Login, Renewed, Seen } from './token-renewal.ts';

/** Why a token was renewed. */
export type RenewalReason = 'first' | 'early' | 'expired' | 'refused' | 'recovered';

export interface TokenChainOptions {
  /** The login of the chain; another promise means that new tokens were handed in. */
  readonly login: () => Promise<Login>;
  readonly renew: (login: Login, seen: Seen) => Promise<Renewed>;
  /** Called after each token request that succeeded. */
  readonly onRenewed: (reason: RenewalReason, grant: GrantType) => void;
}

/** A login that renews itself. */
export interface TokenChain {
  /** The current access token, when nothing needs to be done for it: what most requests take. */
  validToken(): string | undefined;
  /**
   * The current access token; a new one when there is none, when it is about to expire, or when it is the one that
   * the server refused.
   *
   * @param caller - what asks again after a failure; the same object each time
   */
  accessToken(caller: object, refused?: string): Promise<string>;
}

/** The token in use, with its times on both clocks: the wall clock may jump, the monotonic one may stand still. */
interface Current {
  readonly login: Promise<Login>;
  readonly accessToken: string;
  readonly generation: number;
  readonly expiresAt: number;
  readonly expiresAtMonotonic: number;
  readonly earlyMs: number;
}

/** A renewal on its way. It is of one login: who logs in meanwhile must not get its token. */
interface Flight {
  readonly login: Promise<Login>;
  readonly early: boolean;
  readonly token: Promise<string>;
}

const longestEarlyMs = 120_000;
const earlyPauseMs = 30_000;
const earlyShare = 0.2;
const earlyPatienceMs = 500;

/** A fifth of the lifetime before the end, two minutes at most; a little later at random, so that a fleet spreads. */
const earlyMsOf = (lifetimeMs: number): number =>
  Math.min(longestEarlyMs, lifetimeMs * earlyShare) * (0.5 + Math.random() / 2);

const toCurrent = (
  login: Promise<Login>,
  { accessToken, accessExpiresAt, generation }: TokenRecord,
): Current => {
  const lifetimeMs = accessExpiresAt - Date.now();
  return {
    login,
    accessToken,
    generation,
    expiresAt: accessExpiresAt,
    expiresAtMonotonic: performance.now() + lifetimeMs,
    earlyMs: earlyMsOf(lifetimeMs),
  };
};

const leftMs = ({ expiresAt, expiresAtMonotonic }: Current): number =>
  Math.min(expiresAt - Date.now(), expiresAtMonotonic - performance.now());

/** Keeps the access token of a login, and has it renewed once for all who need it. */
export const createTokenChain = ({ login, renew, onRenewed }: TokenChainOptions): TokenChain => {
  let current: Current | undefined;
  let flight: Flight | undefined;
  let notEarlyBefore = 0;
  const failures = createSharedFailures();

  const currentOf = (wanted: Promise<Login>): Current | undefined =>
    current?.login === wanted ? current : undefined;

  const flightOf = (wanted: Promise<Login>): Flight | undefined =>
    flight?.login === wanted ? flight : undefined;

  const fly = async (
    wanted: Promise<Login>,
    reason: RenewalReason,
    refused: string | undefined,
  ): Promise<string> => {
    const generation = currentOf(wanted)?.generation ?? 0;
    const early = reason === 'early';
    const { record, grant, recovered } = await renew(await wanted, { generation, refused, early });
    if (login() === wanted) current = toCurrent(wanted, record);
    if (grant !== undefined) onRenewed(recovered ? 'recovered' : reason, grant);
    return record.accessToken;
  };

  /** One renewal at a time. It belongs to nobody: a caller that gives up leaves it to the others. */
  const renewShared = (reason: RenewalReason, refused?: string): Promise<string> => {
    const wanted = login();
    const shared = flightOf(wanted);
    if (shared !== undefined) return shared.token;
    const token = fly(wanted, reason, refused)
      .finally(() => {
        if (flight?.token === token) flight = undefined;
      })
      .catch((error: unknown) => {
        // In a pause nothing is sent; when it ends, one caller has to ask.
        const isPause = error instanceof TokenRequestError && (error.retryAfterMs ?? 0) > 0;
        if (reason !== 'early' && !isPause) failures.add(token);
        throw error;
      });
    flight = { login: wanted, early: reason === 'early', token };
    return token;
  };

  /**
   * The old token is still good, whatever becomes of the renewal: one that takes long goes on by itself, and one that
   * failed is not tried with every call.
   */
  const renewEarly = async (known: Current): Promise<string> => {
    const deadline = performance.now() + Math.min(earlyPatienceMs, leftMs(known));
    const renewed = await withinLimits(
      renewShared('early').catch((): typeof tooLate => tooLate),
      { deadline },
    );
    if (renewed !== tooLate) return renewed;
    notEarlyBefore = performance.now() + earlyPauseMs;
    return known.accessToken;
  };

  const isGood = (known: Current): boolean => {
    const left = leftMs(known);
    return left > known.earlyMs || (left > 0 && performance.now() < notEarlyBefore);
  };

  /** One try of a caller that cannot do without a new token. */
  const renewFor = async (caller: object, reason: RenewalReason, refused?: string): Promise<string> => {
    const failed = failures.nextFor(caller);
    if (failed !== undefined) return failed;
    try {
      return await renewShared(reason, refused);
    } catch (error) {
      failures.tell(caller);
      throw error;
    }
  };

  const accessToken = async (caller: object, refused?: string): Promise<string> => {
    const known = currentOf(login());
    // A late 401 for a token that was replaced meanwhile asks for nothing new.
    const isRefused = refused !== undefined && refused === known?.accessToken;
    if (known !== undefined && !isRefused && isGood(known)) return known.accessToken;
    if (known !== undefined && !isRefused && leftMs(known) > 0) return renewEarly(known);
    const shared = flightOf(login());
    if (shared?.early) {
      // An early renewal may give way to another process; who needs a token now looks again.
      await shared.token.catch(() => undefined);
      return accessToken(caller, refused);
    }
    if (known === undefined) return renewFor(caller, 'first', refused);
    return isRefused ? renewFor(caller, 'refused', refused) : renewFor(caller, 'expired');
  };

  return {
    validToken: () => {
      const known = currentOf(login());
      return known !== undefined && isGood(known) ? known.accessToken : undefined;
    },
    accessToken,
  };
};

import { maskUrl } from '../http/url.ts';
import { errorChecks } from './checks/errors.ts';
import { pagingChecks } from './checks/paging.ts';
import { queryChecks } from './checks/query.ts';
import { requestChecks } from './checks/requests.ts';
import { resourceChecks } from './checks/resources.ts';
import { type TokenSubject, tokenChecks } from './checks/token.ts';
import { writeChecks } from './checks/writes.ts';
import { tokenEndpoint } from './exchange.ts';
import type { Diagnosis, Finding, Outcome } from './finding.ts';
import { type Checks, cannotTell, Judgement, judge, type Verdict } from './judgement.ts';
import type { Examination } from './options.ts';
import { recogniseStranger } from './recognise.ts';
import { type RuleId, rules, says, sectionOf } from './rules.ts';
import { createSession, type Session } from './session.ts';
import { showExchange } from './shown.ts';
import { createSubjects, locateSubjects, type Subject } from './subject.ts';
import { unseen } from './unseen.ts';
import { createWire } from './wire.ts';
import { createWriter } from './writer.ts';

const collectionChecks = { ...requestChecks, ...resourceChecks, ...queryChecks, ...pagingChecks };

// A sentence may quote the server.
const longestSentence = 1_000;

/** Collects findings. Their sentences are masked, and cut to a length that a person reads. */
const createFindings = ({ secrets: { mask }, onFinding }: Examination) => {
  const findings: Finding[] = [];
  const show = (sentence: string): string => {
    const shown = mask(sentence);
    return shown.length > longestSentence ? `${shown.slice(0, longestSentence)}…` : shown;
  };
  const showVerdict = (verdict: Verdict) => {
    if (verdict.outcome === 'pass') return verdict;
    if (verdict.outcome !== 'fail') return { ...verdict, reason: show(verdict.reason) };
    const { outcome, expected, found, exchange } = verdict;
    const shown = exchange && showExchange(exchange, mask);
    return { outcome, expected: show(expected), found: show(found), exchange: shown };
  };
  const add = (rule: RuleId, where: string, verdict: Verdict): void => {
    const about = { rule, section: sectionOf({ id: rule }), says: says[rule], where };
    const finding: Finding = { ...about, ...showVerdict(verdict) };
    findings.push(finding);
    onFinding?.(finding);
  };
  /** Runs checks one after the other. If there is no subject, `toSubject` throws the judgement of each of them. */
  const run = async <S>(checks: Checks<S>, where: string, toSubject: () => S): Promise<void> => {
    for (const rule of Object.keys(checks) as (keyof typeof checks)[]) {
      const end = await judge(() => checks[rule]?.(toSubject()));
      add(rule, where, end instanceof Judgement ? end.verdict : { outcome: 'pass' });
    }
  };
  return { findings, show, add, run };
};

type Findings = ReturnType<typeof createFindings>;

const countOutcomes = (findings: readonly Finding[]): Diagnosis['counts'] => {
  const counts: Record<Outcome, number> = { pass: 0, fail: 0, notDeclared: 0, cannotTell: 0 };
  for (const { outcome } of findings) counts[outcome]++;
  return counts;
};

/** Does some work on each item, several at a time. When it throws, all of the work has ended. */
const forEach = async <T>(
  all: readonly T[],
  atATime: number,
  work: (one: T) => Promise<void>,
): Promise<void> => {
  const left = all.values();
  const takeTurns = async (): Promise<void> => {
    for (const one of left) await work(one);
  };
  const ends = await Promise.allSettled(Array.from({ length: Math.min(atATime, all.length) }, takeTurns));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
};

const everyRule = '§1 every API';

/** A server of another kind breaks the first rule. The others cannot be judged. */
const judgeStranger = ({ add }: Findings, found: string, name: string): void => {
  add(everyRule, name, { outcome: 'fail', expected: 'an API of the family', found, exchange: undefined });
  for (const { id, nothing } of rules) {
    if (id === everyRule || nothing !== undefined) continue;
    add(id, name, { outcome: 'cannotTell', reason: 'the server is of another kind' });
  }
};

/** Whether the server refuses the credentials. The request is one that the checks share. */
const refusesLogin = async (session: Session, open: Subject | undefined): Promise<boolean> => {
  const end = await judge(async () => (session.takesTokens ? session.login() : open?.get(open.url())));
  return !(end instanceof Judgement) && end?.status === 401;
};

const serverSentence = (isLoginRefused: boolean): string =>
  isLoginRefused
    ? 'The server refused the credentials (401), so nothing that needs a login was examined.'
    : 'The server responds as an API of the family does.';

/** Examines a server, from the login to the removal of everything that was created. */
export const examine = async (examination: Examination): Promise<Diagnosis> => {
  const { api, base, secrets, signal } = examination;
  const { allowReuse = false, allowWrites = false, bodies = {}, concurrency = 1 } = examination;
  signal?.throwIfAborted();
  const wire = createWire(examination);
  const session = createSession(examination, wire);
  const collected = createFindings(examination);
  const { findings, show, add, run } = collected;
  const create = createSubjects(examination, wire, session);
  const places = Object.keys(api.collections);
  const plain = places
    .filter((key) => !api.collections[key]?.path.includes(':'))
    .map((key) => create(key, {}));
  const open = plain.find(({ operations }) => operations.includes('list'));
  const stranger = await recogniseStranger(open, session, wire);
  const isLoginRefused = stranger === undefined && (await refusesLogin(session, open));
  const leftBehind: string[] = [];

  if (stranger === undefined) {
    add(everyRule, api.name, { outcome: 'pass' });
    const subjects = await locateSubjects(examination, plain, create);
    const token: TokenSubject = { session, allowReuse, open };
    const { '§5.2.7': reuse, ...tokenRules } = tokenChecks;
    await run(tokenRules, tokenEndpoint, () => token);
    await forEach(subjects, concurrency, (subject) => run(collectionChecks, subject.key, () => subject));
    for (const subject of subjects) {
      const writer = createWriter(subject, wire, bodies[subject.key]);
      try {
        await run(writeChecks, subject.key, () =>
          allowWrites ? writer : cannotTell('it needs writes, which allowWrites permits'),
        );
      } finally {
        // Nothing that was created stays, whatever happens.
        leftBehind.push(...(await writer.removeAll()));
      }
    }
    await run(errorChecks, api.name, () => wire);
    // Last, because a server may end every login of the user.
    await run({ '§5.2.7': reuse }, tokenEndpoint, () => token);
    for (const [rule, reason] of Object.entries(unseen)) {
      add(rule as RuleId, api.name, { outcome: 'cannotTell', reason });
    }
  } else {
    judgeStranger(collected, stranger, api.name);
  }
  const order = rules.map(({ id }) => id);
  return {
    api: api.name,
    version: api.version,
    baseUrl: base.href,
    isOfFamily: stranger === undefined,
    isLoginRefused,
    server: show(stranger ?? serverSentence(isLoginRefused)),
    findings: findings.toSorted(
      (a, b) =>
        order.indexOf(a.rule) - order.indexOf(b.rule) || places.indexOf(a.where) - places.indexOf(b.where),
    ),
    counts: countOutcomes(findings),
    requests: wire.sent,
    leftBehind: leftBehind.map((url) => maskUrl(url, secrets.mask)),
  };
};

import { authScheme, header } from '../conventions.ts';
import type { HeaderFields } from '../http/message.ts';
import type { Secrets } from '../http/secrets.ts';
import { type BaseUrl, maskUrl } from '../http/url.ts';
import type { ApiDeclaration, Collection, Credentials } from '../index.ts';
import { errorChecks } from './checks/errors.ts';
import { pagingChecks } from './checks/paging.ts';
import { queryChecks } from './checks/query.ts';
import { requestChecks } from './checks/requests.ts';
import { resourceChecks } from './checks/resources.ts';
import { type TokenSubject, tokenChecks } from './checks/token.ts';
import { writeChecks } from './checks/writes.ts';
import type { Diagnosis, Finding, Outcome, Proposal } from './finding.ts';
import { type Check, type Checks, type Verdict, verdictOf } from './judgement.ts';
import { findParameters, type Located, type Parameters } from './path-parameters.ts';
import { proposalsFor } from './proposals.ts';
import { type Recognised, recognise } from './recognise.ts';
import { type RuleId, rules, says, sectionOf } from './rules.ts';
import { createSession, type Session, tokenEndpoint } from './session.ts';
import { showExchange } from './shown.ts';
import { createSubject, type Json, type Subject } from './subject.ts';
import { unseen } from './unseen.ts';
import { createWire, type Wire, type WireOptions } from './wire.ts';
import { createWriter } from './writer.ts';

/** A diagnosis before it begins, with every option read. */
export interface Examination extends WireOptions {
  readonly api: ApiDeclaration;
  readonly base: BaseUrl;
  readonly authUrl: BaseUrl | undefined;
  readonly credentials: Credentials | undefined;
  readonly headers: HeaderFields | undefined;
  readonly secrets: Secrets;
  readonly pathParameters: Parameters;
  readonly bodies: Readonly<Record<string, Json>>;
  readonly allowWrites: boolean;
  readonly allowReuse: boolean;
  readonly concurrency: number;
  readonly sample: number;
  readonly onFinding: (finding: Finding) => void;
}

const order: ReadonlyMap<string, number> = new Map(rules.map(({ id }, index) => [id, index]));

/** Writes a sentence that may quote the server: masked, and not longer than a person reads. */
type Show = (sentence: string) => string;

const longestSentence = 1_000;

const createShow =
  ({ secrets: { mask } }: Examination): Show =>
  (sentence) => {
    const shown = mask(sentence);
    return shown.length > longestSentence ? `${shown.slice(0, longestSentence)}…` : shown;
  };

/** Collects findings. */
const createFindings = (show: Show, { secrets: { mask }, onFinding }: Examination) => {
  const findings: Finding[] = [];
  const add = (rule: RuleId, where: string, verdict: Verdict | undefined): void => {
    const about = { rule, section: sectionOf({ id: rule }), says: says[rule], where };
    let finding: Finding;
    if (verdict === undefined) finding = { ...about, outcome: 'pass' };
    else if (verdict.outcome === 'fail') {
      const { expected, found, exchange } = verdict;
      finding = {
        ...about,
        outcome: 'fail',
        expected: show(expected),
        found: show(found),
        exchange: exchange && showExchange(exchange, mask),
      };
    } else finding = { ...about, outcome: verdict.outcome, reason: show(verdict.reason) };
    findings.push(finding);
    onFinding(finding);
  };
  const run = async <S>(checks: Checks<S>, where: string, subject: S): Promise<void> => {
    for (const [rule, check] of Object.entries(checks)) {
      // The keys of a table of checks are ids of rules.
      const verdict = await verdictOf(() => (check as Check<S>)(subject));
      add(rule as RuleId, where, verdict);
    }
  };
  return { findings, add, run };
};

type Findings = ReturnType<typeof createFindings>;

const countOutcomes = (findings: readonly Finding[]): Diagnosis['counts'] => {
  const counts: Record<Outcome, number> = { pass: 0, fail: 0, notDeclared: 0, cannotTell: 0 };
  for (const { outcome } of findings) counts[outcome]++;
  return counts;
};

const everyRule = '§1 every API';

/** A server of another kind breaks the first rule; nothing can be said of the others. */
const judgeStranger = ({ add }: Findings, { server }: Recognised, name: string): void => {
  const expected = 'an API of the family';
  add(everyRule, name, { outcome: 'fail', expected, found: server, exchange: undefined });
  for (const { id, nothing } of rules) {
    if (id === everyRule || nothing !== undefined) continue;
    add(id, name, { outcome: 'cannotTell', reason: 'the server is of another kind' });
  }
};

/** Whether an access token opens the list of a subject. */
const opensBy =
  (subject: Subject | undefined): TokenSubject['opens'] =>
  async (accessToken) => {
    if (subject === undefined) return undefined;
    const headers = { [header.authorization]: `${authScheme.bearer} ${accessToken}` };
    const { status } = await subject.send({ headers }, { isAnonymous: true });
    return status === 200 || status === 403;
  };

const locate = (examination: Examination, wire: Wire, session: Session): readonly Located[] =>
  Object.entries(examination.api.collections).map(([key, declared]) => {
    const one: Located = {
      // A declaration's collections were checked when they were declared.
      collection: declared as Collection,
      parameters: declared.path.includes(':') ? undefined : {},
      subject: createSubject(key, { ...examination, wire, session }, () => one.parameters),
    };
    return one;
  });

/** Works on several at a time. All of the work has ended when it throws. */
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

/** Creates, changes and deletes in each collection; nothing of it stays, whatever happens. */
const judgeWrites = async (
  { run, add }: Findings,
  subjects: readonly Subject[],
  wire: Wire,
  { allowWrites, bodies }: Examination,
): Promise<readonly string[]> => {
  const left: string[] = [];
  for (const subject of subjects) {
    if (!allowWrites) {
      for (const rule of Object.keys(writeChecks) as (keyof typeof writeChecks)[]) {
        add(rule, subject.key, {
          outcome: 'cannotTell',
          reason: 'it takes writes, which allowWrites permits',
        });
      }
      continue;
    }
    const writer = createWriter(subject, wire, bodies[subject.key]);
    try {
      await run(writeChecks, subject.key, writer);
    } finally {
      left.push(...(await writer.removeAll()));
    }
  }
  return left;
};

const showProposal = (proposal: Proposal, show: Show): Proposal => ({
  ...proposal,
  path: show(proposal.path),
  after: show(proposal.after),
  reason: show(proposal.reason),
});

/** Examines a server from the login to the removal of what was made. */
export const examine = async (examination: Examination): Promise<Diagnosis> => {
  const { api, base, allowReuse, pathParameters, concurrency } = examination;
  const wire = createWire(examination);
  const session = createSession({ ...examination, wire });
  const show = createShow(examination);
  const collected = createFindings(show, examination);
  const { findings, add, run } = collected;
  const located = locate(examination, wire, session);
  const subjects = located.map(({ subject }) => subject);
  const places = subjects.map(({ key }) => key);
  const open = located.find(
    ({ parameters, subject }) => parameters !== undefined && subject.operations.includes('list'),
  );
  const recognised = await recognise(open?.subject, session, wire);
  const proposals: Proposal[] = [];
  let leftBehind: readonly string[] = [];

  if (recognised.isOfFamily) {
    add(everyRule, api.name, undefined);
    await findParameters(located, pathParameters);
    const token: TokenSubject = { session, allowReuse, opens: opensBy(open?.subject) };
    const { '§5.2.7': reuse, ...tokenRules } = tokenChecks;
    await run(tokenRules, tokenEndpoint, token);
    await forEach(subjects, concurrency, async (subject) => {
      for (const checks of [requestChecks, resourceChecks, queryChecks, pagingChecks]) {
        await run<Subject>(checks, subject.key, subject);
      }
      proposals.push(...(await proposalsFor(subject)));
    });
    leftBehind = await judgeWrites(collected, subjects, wire, examination);
    await run(errorChecks, api.name, wire);
    // Last, because a server may end every login of the user.
    await run({ '§5.2.7': reuse }, tokenEndpoint, token);
    for (const [rule, reason] of Object.entries(unseen)) {
      add(rule as RuleId, api.name, { outcome: 'cannotTell', reason });
    }
  } else {
    judgeStranger(collected, recognised, api.name);
  }
  return {
    api: api.name,
    version: api.version,
    baseUrl: base.href,
    isOfFamily: recognised.isOfFamily,
    server: show(recognised.server),
    findings: findings.toSorted(
      (a, b) =>
        (order.get(a.rule) ?? 0) - (order.get(b.rule) ?? 0) ||
        places.indexOf(a.where) - places.indexOf(b.where),
    ),
    counts: countOutcomes(findings),
    proposals: proposals
      .toSorted((a, b) => places.indexOf(a.collection) - places.indexOf(b.collection))
      .map((proposal) => showProposal(proposal, show)),
    requests: wire.sent,
    leftBehind: leftBehind.map((url) => maskUrl(url, examination.secrets.mask)),
  };
};

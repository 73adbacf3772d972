/**
 * Examines a server: does it keep the conventions, and does its data fit the declaration?
 *
 * @module restkin/doctor
 */

import { maskUrl } from '../http/url.ts';
import type { ApiDeclaration } from '../index.ts';
import { parameterNamesOf } from '../schema/collection.ts';
import { endpointsOf } from '../schema/endpoints-of.ts';
import { rulesBeyond } from './beyond.ts';
import { createEndpointCheck } from './endpoints.ts';
import { tokenEndpoint } from './exchange.ts';
import type { Diagnosis, Finding, Outcome } from './finding.ts';
import { Judgement, judge, type Verdict } from './judgement.ts';
import { locateSubjects } from './locate.ts';
import { type DiagnoseOptions, type Examination, readExamination } from './options.ts';
import { recognise, type Server } from './recognise.ts';
import type { JudgedRule, Subjects } from './rule.ts';
import { type RuleId, rules, sectionOf } from './rules.ts';
import { createSession } from './session.ts';
import { showExchange } from './shown.ts';
import { createSubjects, reasonOf, type Subject } from './subject.ts';
import { createWire } from './wire.ts';
import { createWriter } from './writer.ts';

export type { Diagnosis, Failed, Finding, Outcome, Passed, ShownExchange, Undecided } from './finding.ts';
export type { DiagnoseOptions } from './options.ts';

type AnyRule = (typeof rules)[number];

const rulesOf = <K extends keyof Subjects>(kind: K): readonly (JudgedRule<K, RuleId> & AnyRule)[] =>
  rules.filter((rule): rule is JudgedRule<K, RuleId> & AnyRule => 'of' in rule && rule.of === kind);

/** Judges a rule. It counts as broken only if the list did not change while it was judged. */
const verdictOn = async <K extends keyof Subjects>(
  rule: JudgedRule<K>,
  subject: Subjects[K],
  collection: Subject | undefined,
): Promise<Verdict> => {
  const lacking = rule.needs?.find((need) => collection?.has(need) === false);
  if (lacking !== undefined) return { outcome: 'notDeclared', reason: reasonOf(lacking) };
  for (let readings = 0; readings < 3; readings++) {
    const end = await judge(() => rule.check(subject));
    if (!(end instanceof Judgement)) return { outcome: 'pass' };
    const isReading = rule.of === 'collection' && end.verdict.outcome === 'fail';
    if (!isReading || !(await collection?.hasChanged())) return end.verdict;
  }
  return { outcome: 'cannotTell', reason: 'the list changes whenever it is read' };
};

/** Judges rules and collects the findings, whose sentences are masked. */
const createReport = ({ api, secrets: { mask }, onFinding }: Examination) => {
  const findings: Finding[] = [];
  const showVerdict = (verdict: Verdict) => {
    if (verdict.outcome === 'pass') return verdict;
    if (verdict.outcome !== 'fail') return { ...verdict, reason: mask(verdict.reason) };
    const { expected, found, exchange } = verdict;
    const shown = exchange && showExchange(exchange, mask);
    return { ...verdict, expected: mask(expected), found: mask(found), exchange: shown };
  };
  const add = ({ id, says }: AnyRule, where: string, verdict: Verdict): void => {
    const finding = { rule: id, section: sectionOf({ id }), says, where, ...showVerdict(verdict) };
    findings.push(finding);
    onFinding?.(finding);
  };
  const judgeAll = async <K extends keyof Subjects>(
    kind: K,
    where: string,
    subject: Subjects[K],
    collection?: Subject,
  ): Promise<void> => {
    const family = collection === undefined ? api.wire?.family : collection.family;
    const beyond = rulesBeyond(family);
    const ofFamily = {
      outcome: 'notDeclared',
      reason: `the family "${family?.name}" does not have it`,
    } as const;
    for (const rule of rulesOf(kind)) {
      const verdict = beyond.has(rule.id) ? ofFamily : await verdictOn(rule, subject, collection);
      add(rule, where, verdict);
    }
  };
  /** Adds a finding of the rule about data, which endpoints are judged by. */
  const addData = (where: string, verdict: Verdict): void => {
    for (const rule of rules) if (rule.id === '§2.1 specific fields') add(rule, where, verdict);
  };
  /** The findings in the order of the conventions, with one for each rule that was not judged. */
  const finish = (): Pick<Diagnosis, 'findings' | 'counts'> => {
    for (const rule of rules) {
      if (rule.nothing !== undefined || findings.some((finding) => finding.rule === rule.id)) continue;
      const verdict =
        'unseen' in rule
          ? ({ reason: rule.unseen, lacks: 'unseen' } as const)
          : { reason: 'the server is of another kind' };
      add(rule, api.name, { outcome: 'cannotTell', ...verdict });
    }
    const counts: Record<Outcome, number> = { pass: 0, fail: 0, notDeclared: 0, cannotTell: 0 };
    for (const { outcome } of findings) counts[outcome]++;
    const order: readonly string[] = rules.map(({ id }) => id);
    return { findings: findings.toSorted((a, b) => order.indexOf(a.rule) - order.indexOf(b.rule)), counts };
  };
  return { judgeAll, addData, finish };
};

const worksWith = (
  { collections }: ApiDeclaration,
  { isOfFamily, isLoginRefused }: Server,
  findings: readonly Finding[],
): boolean | undefined => {
  const isFatal = findings.some((finding) => finding.outcome === 'fail' && finding.isFatal);
  if (!isOfFamily || isLoginRefused || isFatal) return false;
  const isOfReading = ({ rule, where }: Finding): boolean =>
    rule === '§4.2 GET' || (rule === '§2.1 specific fields' && !Object.hasOwn(collections, where));
  const isRead = findings.some((finding) => finding.outcome === 'pass' && isOfReading(finding));
  return isRead ? true : undefined;
};

/**
 * Examines a server by the rules of the conventions, or of the family of the API, and its data by the
 * declaration. It sends one request at a time, and only reads unless `allowWrites` is set. A finding shows
 * names, codes, ids, numbers and statuses, and never a credential, a token or anything else that a server
 * sends.
 *
 * @param api - what `defineApi` returned
 * @throws `InvalidRequestError` for invalid options; the reason of `signal` when it is aborted
 * @example
 * ```ts
 * const { works, findings } = await diagnose(ordering, { baseUrl, authUrl, username, password });
 * console.log(works);
 * for (const finding of findings) {
 *   if (finding.outcome !== 'fail') continue;
 *   console.log(finding.rule, finding.where, finding.expected, finding.found);
 * }
 * ```
 */
export const diagnose = async (api: ApiDeclaration, options: DiagnoseOptions): Promise<Diagnosis> => {
  const examination = readExamination(api, options);
  const { base, pathParameters, secrets, signal, onLeftBehind } = examination;
  signal?.throwIfAborted();
  const wire = createWire(examination);
  const session = createSession(examination, wire);
  const { judgeAll, addData, finish } = createReport(examination);
  const create = createSubjects(examination, wire, session);
  // Any response shows that a server is there, also one for ids that are made up.
  const probes = Object.entries(api.collections).map(([key, { path }]) => {
    const madeUp = parameterNamesOf(path).map((name) => [name, 1]);
    return create(key, { ...Object.fromEntries(madeUp), ...pathParameters });
  });
  const open = probes.find((probe) => probe.has('list') && !probe.path.includes(':'));
  const server = await recognise(open ?? probes[0], session, wire);
  const leftBehind: string[] = [];

  await judgeAll('api', api.name, server);
  if (server.isOfFamily) {
    const subjects = await locateSubjects(examination, create);
    await judgeAll('token', tokenEndpoint, session);
    for (const subject of subjects) {
      await judgeAll('collection', subject.key, subject, subject);
      subject.forget();
    }
    const check = createEndpointCheck(examination, wire, session);
    for (const endpoint of endpointsOf(api)) {
      addData(endpoint.key, await check(endpoint));
    }
    for (const subject of subjects) {
      const writer = createWriter(subject, wire, examination);
      try {
        await judgeAll('write', subject.key, writer, subject);
      } finally {
        for (const url of await writer.removeAll()) {
          const shown = maskUrl(url, secrets.mask);
          leftBehind.push(shown);
          onLeftBehind?.(shown);
        }
        subject.forget();
      }
    }
    await judgeAll('errors', api.name, wire.errors);
  }
  const report = finish();
  return {
    api: api.name,
    version: api.version,
    baseUrl: base.href,
    ...server,
    server: secrets.mask(server.server),
    works: worksWith(api, server, report.findings),
    ...report,
    requests: wire.state.sent,
    leftBehind,
  };
};

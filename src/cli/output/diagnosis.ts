import type { Diagnosis, Failed, Finding, Outcome, Undecided } from '../../doctor/doctor.ts';
import { type Output, printable } from '../io.ts';
import { countOf } from './count.ts';
import { formatTable } from './records.ts';

const words = {
  pass: 'pass',
  fail: 'fail',
  notDeclared: 'not declared',
  cannotTell: 'cannot tell',
} as const satisfies Readonly<Record<Outcome, string>>;

const outcomes = Object.keys(words) as readonly Outcome[];

/** How many rules of each section have each outcome. */
const sectionTable = ({ findings }: Diagnosis): string => {
  const sections = [...new Set(findings.map(({ section }) => section))];
  const rows = sections.map((section) => {
    const own = findings.filter((finding) => finding.section === section);
    const counts = outcomes.map((wanted) => [
      words[wanted],
      own.filter(({ outcome }) => outcome === wanted).length,
    ]);
    return { section, ...Object.fromEntries(counts) };
  });
  return formatTable(rows);
};

const indent = (lines: string): readonly string[] =>
  lines.split('\n').map((line) => `      ${printable(line)}`);

const detailsOf = ({ expected, found, exchange }: Failed): readonly string[] => [
  `      expected: ${printable(expected)}`,
  `      found:    ${printable(found)}`,
  ...(exchange === undefined ? [] : ['', ...indent(exchange.request), '', ...indent(exchange.response)]),
  '',
];

const formatFailure = (failure: Failed): readonly string[] => [
  `${failure.isFatal ? 'FATAL' : 'FAIL'}  ${failure.rule}  ${printable(failure.where)}: ${failure.says}`,
  ...detailsOf(failure),
];

const formatOther = (finding: Exclude<Finding, Failed>): string => {
  const reason = 'reason' in finding ? `: ${finding.reason}` : '';
  return `${words[finding.outcome]}  ${finding.rule}  ${printable(finding.where + reason)}`;
};

/** Fields in the data that are not declared: not a failure, but worth a line. */
const isNoted = (finding: Finding): boolean =>
  finding.rule === '§2.1 specific fields' && finding.outcome === 'notDeclared';

/** Those that the client fails at come first. */
const failuresIn = ({ findings }: Diagnosis): readonly Failed[] =>
  findings
    .filter((finding) => finding.outcome === 'fail')
    .toSorted((a, b) => Number(b.isFatal) - Number(a.isFatal));

const formatCause = ({ rule, where, expected, found }: Failed): string =>
  printable(`${where}: expected ${expected}, found ${found} (${rule})`);

/** Why no list and no endpoint could be examined: the reason of the first one. */
const formatObstacle = ({ findings }: Diagnosis): string => {
  const undecided = findings.filter((finding): finding is Undecided => finding.outcome === 'cannotTell');
  const [first] = ['§4.2 GET', '§2.1 specific fields'].flatMap((wanted) =>
    undecided.filter(({ rule }) => rule === wanted),
  );
  return first === undefined ? 'none can be read' : printable(`${first.where}: ${first.reason}`);
};

/** Whether the client works with the server, in one line. */
const verdict = (diagnosis: Diagnosis): string => {
  const { works, isOfFamily, isLoginRefused, server, findings } = diagnosis;
  const start = 'restkin works with this server:';
  if (works === undefined)
    return `${start} it cannot be told, because no collection or endpoint could be examined: ${formatObstacle(diagnosis)}.`;
  if (works) {
    const isUntried = findings.some((finding) => 'lacks' in finding && finding.lacks === 'writes');
    return isUntried ? `${start} yes, for reading; writes were not tried.` : `${start} yes.`;
  }
  const [first] = failuresIn(diagnosis);
  const isOther = !isOfFamily || isLoginRefused || first === undefined;
  return isOther ? `${start} no. ${printable(server)}` : `${start} no, because of ${formatCause(first)}.`;
};

const firstToFix = (diagnosis: Diagnosis): string => {
  const { works, isOfFamily, isLoginRefused } = diagnosis;
  if (isLoginRefused)
    return 'First to fix: RESTKIN_USERNAME and RESTKIN_PASSWORD, or RESTKIN_CLIENT_ID and what else the token endpoint wants, or --header.';
  const [first, ...others] = failuresIn(diagnosis);
  if (first === undefined)
    return works === undefined ? `First to fix: ${formatObstacle(diagnosis)}.` : 'Nothing to fix.';
  const more = others.length === 0 ? '' : `; ${countOf(others.length, 'more failure')} above`;
  return isOfFamily
    ? `First to fix: ${formatCause(first)}${more}.`
    : 'First to fix: the URLs, or the server.';
};

/** How many rules were judged nowhere, and how to judge them; those that no request can show are separate. */
const untold = ({ findings }: Diagnosis): string => {
  const judged = findings.filter(({ outcome }) => outcome === 'pass' || outcome === 'fail');
  const known = new Set(judged.map(({ rule }) => rule));
  const undecided = findings.filter((finding): finding is Undecided => finding.outcome === 'cannotTell');
  const rulesThatLack = (wanted: Undecided['lacks']): number =>
    new Set(
      undecided.filter(({ rule, lacks }) => lacks === wanted && !known.has(rule)).map(({ rule }) => rule),
    ).size;
  const writes = rulesThatLack('writes');
  const others = rulesThatLack(undefined);
  const ways = [
    ...(writes === 0 ? [] : [`${writes} with --allow-writes`]),
    ...(others === 0 ? [] : [`for ${others}, --verbose says what is missing`]),
  ];
  const how = ways.length === 0 ? '' : ` (${ways.join('; ')})`;
  const unseen = rulesThatLack('unseen');
  return `Not told: ${countOf(writes + others, 'rule')}${how}. No request can show ${countOf(unseen, 'other')}.`;
};

/** The line for a resource that could not be removed. */
export const formatLeftBehind = (url: string): string =>
  `LEFT BEHIND: ${printable(url)} may be a resource of this run; remove it`;

const summary = (diagnosis: Diagnosis): readonly string[] => {
  const { counts, requests, leftBehind } = diagnosis;
  return [
    ...leftBehind.map((url) => formatLeftBehind(url)),
    `${counts.fail} failed, ${counts.pass} passed, ${counts.notDeclared} not declared, with ${countOf(requests, 'request')}`,
    '',
    verdict(diagnosis),
    firstToFix(diagnosis),
    untold(diagnosis),
  ];
};

const body = (diagnosis: Diagnosis, isVerbose: boolean): readonly string[] => {
  const others = diagnosis.findings
    .filter((finding) => finding.outcome !== 'fail')
    .filter((finding) => isVerbose || isNoted(finding));
  return [
    ...failuresIn(diagnosis).flatMap(formatFailure),
    ...others.map(formatOther),
    ...(others.length > 0 ? [''] : []),
    sectionTable(diagnosis),
    'A § is a section of docs/conventions.md in the package. --verbose lists every finding with its reason.',
    '',
  ];
};

/**
 * Writes a diagnosis for people. For a server of another kind, it only says what the server is.
 *
 * @param title - the API, as a person reads it
 */
export const writeDiagnosis = async (
  diagnosis: Diagnosis,
  title: string,
  out: Output,
  isVerbose: boolean,
): Promise<void> => {
  const { baseUrl, isOfFamily } = diagnosis;
  const lines = [
    verdict(diagnosis),
    printable(`${title} at ${baseUrl}`),
    '',
    ...(isOfFamily ? body(diagnosis, isVerbose) : []),
    ...summary(diagnosis),
  ];
  for (const line of lines) await out.write(`${line}\n`);
};

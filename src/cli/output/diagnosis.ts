import type { Diagnosis, Failed, Finding, Outcome } from '../../doctor/doctor.ts';
import { type Output, printable } from '../io.ts';
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

const formatFailure = ({ rule, says, where, expected, found, exchange }: Failed): readonly string[] => [
  `FAIL  ${rule}  ${printable(where)}: ${says}`,
  `      expected: ${printable(expected)}`,
  `      found:    ${printable(found)}`,
  ...(exchange === undefined ? [] : ['', ...indent(exchange.request), '', ...indent(exchange.response)]),
  '',
];

const formatOther = (finding: Exclude<Finding, Failed>): string => {
  const reason = 'reason' in finding ? `: ${finding.reason}` : '';
  return `${words[finding.outcome]}  ${finding.rule}  ${printable(finding.where + reason)}`;
};

/** Fields in the data that are not declared: not a failure, but worth a line. */
const isNoted = (finding: Finding): boolean =>
  finding.rule === '§2.1 specific fields' && finding.outcome === 'notDeclared';

const summary = ({ counts, requests, leftBehind }: Diagnosis): readonly string[] => [
  ...leftBehind.map((url) => `LEFT BEHIND: ${printable(url)} may be a resource of this run; remove it`),
  `${counts.fail} failed, ${counts.pass} passed, ${counts.notDeclared} not declared, ` +
    `${counts.cannotTell} could not be judged, with ${requests} ${requests === 1 ? 'request' : 'requests'}`,
];

const body = (diagnosis: Diagnosis, isVerbose: boolean): readonly string[] => {
  const { findings } = diagnosis;
  const failures = findings.filter((finding) => finding.outcome === 'fail');
  const others = findings
    .filter((finding) => finding.outcome !== 'fail')
    .filter((finding) => isVerbose || isNoted(finding));
  return [
    sectionTable(diagnosis),
    'A § is a section of docs/conventions.md in the package. --verbose lists every finding with its reason.',
    '',
    ...failures.flatMap(formatFailure),
    ...others.map(formatOther),
    ...(others.length > 0 ? [''] : []),
  ];
};

/** Writes a diagnosis for people. For a server of another kind, it only says what the server is. */
export const writeDiagnosis = async (
  diagnosis: Diagnosis,
  out: Output,
  isVerbose: boolean,
): Promise<void> => {
  const { api, version, baseUrl, server, isOfFamily } = diagnosis;
  const lines = [
    printable(`${api} v${version} at ${baseUrl}`),
    ...server.split('\n').map(printable),
    '',
    ...(isOfFamily ? body(diagnosis, isVerbose) : []),
    ...summary(diagnosis),
  ];
  for (const line of lines) await out.write(`${line}\n`);
};

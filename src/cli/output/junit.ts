import type { Diagnosis, Finding } from '../../doctor/doctor.ts';
import { type Output, printable } from '../io.ts';

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** XML cannot contain most control characters, so they are escaped as for a terminal. */
const escapeXml = (value: string): string =>
  value
    .split('\n')
    .map(printable)
    .join('\n')
    .replace(/[&<>"]/g, (char) => entities[char] ?? char);

const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value)).replaceAll('\n', '&#10;')}"`)
    .join('');

const contentOf = (finding: Finding): string => {
  if (finding.outcome === 'pass') return '';
  if (finding.outcome !== 'fail') return `<skipped${attributes({ message: finding.reason })}/>`;
  const { expected, found, exchange } = finding;
  const details = exchange === undefined ? [] : [exchange.request, exchange.response];
  const message = attributes({ message: `expected ${expected}; found ${found}` });
  return `<failure${message}>${escapeXml(details.join('\n\n'))}</failure>`;
};

const testCase = (finding: Finding): string => {
  const name = attributes({ classname: finding.where, name: `${finding.rule} ${finding.says}` });
  return `    <testcase${name}>${contentOf(finding)}</testcase>`;
};

const countsOf = (findings: readonly Finding[]) => {
  const count = (isCounted: (finding: Finding) => boolean): number => findings.filter(isCounted).length;
  return {
    tests: findings.length,
    failures: count(({ outcome }) => outcome === 'fail'),
    skipped: count(({ outcome }) => outcome === 'notDeclared' || outcome === 'cannotTell'),
  };
};

/** A diagnosis in the JUnit format of CI systems: a suite for each section. Undecided findings are skipped. */
export const writeJunit = async ({ api, findings }: Diagnosis, out: Output): Promise<void> => {
  const sections = [...new Set(findings.map(({ section }) => section))];
  await out.write('<?xml version="1.0" encoding="UTF-8"?>\n');
  await out.write(`<testsuites${attributes({ name: `restkin doctor ${api}`, ...countsOf(findings) })}>\n`);
  for (const section of sections) {
    const own = findings.filter((finding) => finding.section === section);
    const head = attributes({ name: section, ...countsOf(own), errors: 0 });
    await out.write(`  <testsuite${head}>\n${own.map(testCase).join('\n')}\n  </testsuite>\n`);
  }
  await out.write('</testsuites>\n');
};

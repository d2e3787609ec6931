/** A file of JUnit, within the limit of GitLab's reader (docs/ci.md, "Where the findings are read"). */
import { type Finding, SEVERITIES, type Severity } from '../../finding.ts';
import { lineStartsOf, positionAt, visibleLines } from '../../text.ts';
import { atLeast, type CheckedFile, type CheckReport } from './check-report.ts';

/** What GitLab reads of a file, in bytes. */
export const GITLAB_BYTES = 30_000_000;

export interface JunitCase {
  /** The element, in whole lines. */
  readonly text: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  /** Of too many, those with a lower number stay. */
  readonly rank: number;
}

interface JunitSuite {
  /** Its attributes but for the counts. */
  readonly head: string;
  readonly cases: readonly JunitCase[];
}

export interface JunitOptions {
  /** The attributes of the root but for the counts. */
  readonly head?: string;
  /** Is told what is left out. */
  readonly note?: ((text: string) => void) | undefined;
  readonly limit?: number;
}

export function junitFile(
  suites: readonly JunitSuite[],
  { head = '', note, limit = GITLAB_BYTES }: JunitOptions,
): string {
  const whole = printed(suites, head);
  if (Buffer.byteLength(whole) <= limit) return whole;
  const kept = keptWithin(suites, limit - ROOM);
  const missing = countOf(suites) - countOf(kept);
  const message = `The JUnit file leaves ${missing} ${missing === 1 ? 'test' : 'tests'} out, the least severe first: GitLab reads a file of ${limit / 1e6} MB at the most.`;
  note?.(message);
  return printed([...kept, suiteOfMissing(message)], head);
}

/** For what stands around the suites, and for the line that says what is missing, in bytes. */
const ROOM = 2000;

const countOf = (suites: readonly JunitSuite[]): number => suites.reduce((sum, { cases }) => sum + cases.length, 0);

/** The suites with the cases that fit, the most severe first; in their order. */
function keptWithin(suites: readonly JunitSuite[], limit: number): readonly JunitSuite[] {
  const all = suites.flatMap((suite) => suite.cases.map((one) => ({ suite, one })));
  const kept = new Map<JunitSuite, Set<JunitCase>>();
  let left = limit;
  for (const { suite, one } of all.sort((a, b) => a.one.rank - b.one.rank)) {
    const own = kept.get(suite);
    const size =
      Buffer.byteLength(one.text) + (own ? 0 : Buffer.byteLength(printedSuite({ ...suite, cases: [] })) + DIGITS);
    if (size > left) continue;
    left -= size;
    if (own) own.add(one);
    else kept.set(suite, new Set([one]));
  }
  return suites.flatMap((suite) => {
    const own = kept.get(suite);
    return own ? [{ ...suite, cases: suite.cases.filter((one) => own.has(one)) }] : [];
  });
}

/** By which the counts of a suite may grow, in bytes. */
const DIGITS = 20;

const suiteOfMissing = (message: string): JunitSuite => {
  const name = attribute('classname', 'skill-composer') + attribute('name', 'not all tests are in this file');
  const text = `    <testcase${name}>\n      <system-out>${escapeXml(message)}</system-out>\n    </testcase>\n`;
  return { head: attribute('name', 'skill-composer'), cases: [{ text, status: 'passed', rank: 0 }] };
};

const printed = (suites: readonly JunitSuite[], head: string): string => {
  const counts = countsOf(suites.flatMap(({ cases }) => cases));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${head}${counts}>\n${suites.map(printedSuite).join('')}</testsuites>\n`;
};

const printedSuite = ({ head, cases }: JunitSuite): string =>
  `  <testsuite${head}${countsOf(cases)}>\n${cases.map(({ text }) => text).join('')}  </testsuite>\n`;

function countsOf(cases: readonly JunitCase[]): string {
  const count = (wanted: JunitCase['status']): number => cases.filter(({ status }) => status === wanted).length;
  const counts = { tests: cases.length, failures: count('failed'), errors: 0, skipped: count('skipped') };
  return Object.entries(counts)
    .map(([name, value]) => attribute(name, value))
    .join('');
}

// Text as XML 1.0 can have it.

/** As text or in quotes; XML has no way to write most control characters. */
export const escapeXml = (text: string): string =>
  text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/** As an attribute, where a line break would be read as a blank. */
export const attribute = (name: string, value: string | number): string =>
  ` ${name}="${escapeXml(String(value)).replaceAll('\n', '&#10;').replaceAll('\r', '&#13;').replaceAll('\t', '&#9;')}"`;

// `check --format junit`: a suite a file, a test a finding; a file without findings is a test that passes.

/** Findings at or above `failOn` are failures; the others are told by tests that pass. */
export function toJunit(report: CheckReport, failOn: Severity, options: JunitOptions = {}): string {
  const fails = atLeast(failOn);
  const suites = report.files.map((file) => suiteOf(file, fails));
  return junitFile(suites, { ...options, head: attribute('name', 'skill-composer check') });
}

function suiteOf({ file, text, findings }: CheckedFile, fails: (finding: Finding) => boolean): JunitSuite {
  const lines = lineStartsOf(text);
  const names = new Map<string, number>();
  const cases = findings.map((finding): JunitCase => {
    const { line, character } = positionAt(lines, finding.span.start);
    const place = `${finding.rule} at ${line + 1}:${character + 1}`;
    const nth = (names.get(place) ?? 0) + 1;
    names.set(place, nth);
    // A reader drops the second test of a name.
    const name = nth === 1 ? place : `${place} (${nth})`;
    const head = `    <testcase${attribute('classname', file)}${attribute('name', name)}${attribute('file', file)}${attribute('line', line + 1)}>`;
    const message = visibleLines(finding.message);
    const told = `${file}:${line + 1}:${character + 1} ${finding.severity} ${message}`;
    const isFailure = fails(finding);
    const body = isFailure
      ? `<failure${attribute('message', message)}${attribute('type', finding.rule)}>${escapeXml(told)}</failure>`
      : `<system-out>${escapeXml(told)}</system-out>`;
    return {
      text: `${head}\n      ${body}\n    </testcase>\n`,
      status: isFailure ? 'failed' : 'passed',
      rank: SEVERITIES.indexOf(finding.severity),
    };
  });
  const clean = `    <testcase${attribute('classname', file)}${attribute('name', 'no findings')}${attribute('file', file)}/>\n`;
  return {
    head: attribute('name', file),
    cases: cases.length > 0 ? cases : [{ text: clean, status: 'passed', rank: SEVERITIES.length }],
  };
}

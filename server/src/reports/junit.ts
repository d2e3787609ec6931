/** JUnit files within the limit of GitLab (docs/ci.md, "Output formats"). */
import { type Finding, SEVERITIES, type Severity } from '../finding.ts';
import { byteLength, lineStartsOf, positionAt, showInvisible, showInvisibleInLines } from '../text.ts';
import { atLeast, type CheckedFile, type CheckReport } from './check-report.ts';

/** The maximum size of a file that GitLab reads, in bytes. */
export const GITLAB_BYTES = 30_000_000;

export interface JunitCase {
  /** The XML element, in complete lines. */
  readonly text: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  /** The priority: if there are too many cases, the cases with the lowest ranks are kept. */
  readonly rank: number;
}

interface JunitSuite {
  /** The attributes except the counts. */
  readonly head: string;
  readonly cases: readonly JunitCase[];
}

export interface JunitOptions {
  /** The attributes of the root except the counts. */
  readonly head?: string;
  /** Receives a message if tests are omitted. */
  readonly note?: ((text: string) => void) | undefined;
  readonly limit?: number;
}

/** Returns a JUnit file of at most `limit` bytes, which contains the tests with the lowest ranks. */
export function junitFile(
  suites: readonly JunitSuite[],
  { head = '', note, limit = GITLAB_BYTES }: JunitOptions,
): string {
  const whole = printed(suites, head);
  if (byteLength(whole) <= limit) return whole;
  const kept = keptWithin(suites, limit - ROOM);
  const missing = countOf(suites) - countOf(kept);
  const message = `The JUnit file omits the ${missing} least severe ${missing === 1 ? 'test' : 'tests'}: GitLab reads at most ${limit / 1e6} MB.`;
  note?.(message);
  return printed([...kept, suiteOfMissing(message)], head);
}

/** The space for the text around the suites and for the message on omitted tests, in bytes. */
const ROOM = 2000;

const countOf = (suites: readonly JunitSuite[]): number => suites.reduce((sum, { cases }) => sum + cases.length, 0);

/** Returns the suites with the most severe cases that fit into `limit` bytes, in the original order. */
function keptWithin(suites: readonly JunitSuite[], limit: number): readonly JunitSuite[] {
  const all = suites.flatMap((suite) => suite.cases.map((one) => ({ suite, one })));
  const kept = new Map<JunitSuite, Set<JunitCase>>();
  let left = limit;
  for (const { suite, one } of all.sort((a, b) => a.one.rank - b.one.rank)) {
    const own = kept.get(suite);
    const size = byteLength(one.text) + (own ? 0 : byteLength(printedSuite({ ...suite, cases: [] })) + DIGITS);
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

/** The space for the digits in the counts of a suite, in bytes. */
const DIGITS = 20;

const suiteOfMissing = (message: string): JunitSuite => {
  const name = attribute('classname', 'skill-composer') + attribute('name', 'some tests are omitted');
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

// Text for XML 1.0.

/**
 * Returns text as XML, also for use in quotes. Shows invisible characters. Only line breaks keep their value, as
 * entities, so that no line of the file begins with authors' text.
 */
export const escapeXml = (text: string): string =>
  showInvisibleInLines(text)
    .replace(/[\ufffe\uffff]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('##', '#&#35;')
    .replaceAll('\n', '&#10;');

/** Returns an attribute, whose value is one line. */
export const attribute = (name: string, value: string | number): string =>
  ` ${name}="${escapeXml(showInvisible(String(value)))}"`;

// `check --format junit`: one suite per file and one test per finding. A file without findings has one passing test.

/** Returns the report as JUnit. Findings at or above `failOn` are failures; other findings are passing tests. */
export function toJunit(report: CheckReport, failOn: Severity, options: JunitOptions = {}): string {
  const fails = atLeast(failOn);
  const suites = report.files.map((file) => suiteOf(file, fails));
  return junitFile(suites, { ...options, head: attribute('name', 'skill-composer check') });
}

function suiteOf(
  { file, text, findings, elsewhere = [] }: CheckedFile,
  fails: (finding: Finding) => boolean,
): JunitSuite {
  const lines = lineStartsOf(text);
  const names = new Map<string, number>();
  const cases = findings.map((finding): JunitCase => {
    const { line, character } = positionAt(lines, finding.span.start);
    const place = `${finding.rule} at ${line + 1}:${character + 1}`;
    const nth = (names.get(place) ?? 0) + 1;
    names.set(place, nth);
    // Readers ignore a second test with the same name.
    const name = nth === 1 ? place : `${place} (${nth})`;
    const head = `    <testcase${attribute('classname', file)}${attribute('name', name)}${attribute('file', file)}${attribute('line', line + 1)}>`;
    const { message } = finding;
    const details = showInvisible(`${file}:${line + 1}:${character + 1} ${finding.severity} ${message}`);
    const isFailure = fails(finding);
    const body = isFailure
      ? `<failure${attribute('message', message)}${attribute('type', finding.rule)}>${escapeXml(details)}</failure>`
      : `<system-out>${escapeXml(details)}</system-out>`;
    return {
      text: `${head}\n      ${body}\n    </testcase>\n`,
      status: isFailure ? 'failed' : 'passed',
      rank: SEVERITIES.indexOf(finding.severity),
    };
  });
  const rest = elsewhere.length > 0 ? 'no other findings' : 'no findings';
  const clean = `    <testcase${attribute('classname', file)}${attribute('name', rest)}${attribute('file', file)}/>\n`;
  return {
    head: attribute('name', file),
    cases: cases.length > 0 ? cases : [{ text: clean, status: 'passed', rank: SEVERITIES.length }],
  };
}

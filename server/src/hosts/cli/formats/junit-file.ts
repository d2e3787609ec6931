/** A file of JUnit, within the limit of GitLab's reader (docs/ci.md, "Where the findings are read"). */
import { attribute, escapeXml } from './xml.ts';

/** What GitLab reads of a file, in bytes. */
export const GITLAB_BYTES = 30_000_000;

export interface JunitCase {
  /** The element, in whole lines. */
  readonly text: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  /** Of too many, those with a lower number stay. */
  readonly rank: number;
}

export interface JunitSuite {
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

/** JUnit output stays below the size that GitLab reads. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { GITLAB_BYTES, toJunit } from '../../../server/src/reports/junit.ts';
import { testsToJunit } from '../../../server/src/reports/test-results.ts';
import type { TestStatus } from '../../../server/src/testing/result.ts';
import { lineStartsOf } from '../../../server/src/text.ts';
import { extended } from '../../extended.ts';
import { finding, reportOf } from './hostile-report.ts';

const parser = new XMLParser({ ignoreAttributes: false, isArray: (name) => /^test(?:suite|case)$/.test(name) });

function read(xml: string): { readonly names: readonly string[]; readonly told: string; readonly tests: number } {
  assert.equal(XMLValidator.validate(xml), true);
  const { testsuites } = parser.parse(xml);
  type Case = Readonly<Record<string, string>>;
  const cases: Case[] = testsuites.testsuite.flatMap(({ testcase }: { testcase: Case[] }) => testcase);
  assert.equal(Number(testsuites['@_tests']), cases.length, 'what is counted is there');
  const told = cases.find((one) => one['@_name'] === 'some tests are omitted');
  return { names: cases.map((one) => one['@_name'] ?? ''), told: told?.['system-out'] ?? '', tests: cases.length };
}

test("drops the least severe findings above GitLab's limit, and reports their number", () => {
  const notes: string[] = [];
  const limit = 20_000;
  const hints = Array.from({ length: 100 }, () => finding('hint', 'hinted', { message: 'ü'.repeat(100) }));
  const report = reportOf([...hints, finding('error', 'failed'), ...hints]);
  const xml = toJunit(report, 'error', { limit, note: (text) => void notes.push(text) });
  assert.ok(Buffer.byteLength(xml) <= limit);
  const { names, told, tests } = read(xml);
  assert.ok(names.some((name) => name.startsWith('failed at')));
  assert.ok(tests > 10, `${tests} fit`);
  // The second file of the report has no finding, but is also a test case.
  assert.deepEqual(notes, [
    `The JUnit file omits the ${202 - (tests - 1)} least severe tests: GitLab reads at most 0.02 MB.`,
  ]);
  assert.equal(told, notes[0]);
});

test("drops skipped tests before failed tests above GitLab's limit", () => {
  const limit = 5000;
  const result = (status: TestStatus, at: number) =>
    ({
      kind: 'sample',
      name: `${status} ${at}`,
      status,
      message: 'x'.repeat(200),
      span: { start: 0, end: 0 },
    }) as const;
  const results = Array.from({ length: 40 }, (_, at) => result(at === 39 ? 'failed' : 'skipped', at));
  const files = [{ file: 'a.skill.md', skill: 'a', lines: lineStartsOf(''), results }];
  const xml = testsToJunit({ files, written: [], removed: [] } as never, { limit });
  assert.ok(Buffer.byteLength(xml) <= limit);
  const { names, told } = read(xml);
  assert.ok(names.includes('failed 39') && !names.includes('skipped 38'), names.join());
  assert.match(told, /^The JUnit file omits the \d+ least severe tests/);
});

test("truncates a report of more than 30 MB to GitLab's limit", extended, () => {
  const many = Array.from({ length: 320 }, () => finding('warning', 'long', { message: 'x'.repeat(50_000) }));
  const xml = toJunit(reportOf(many), 'warning');
  const size = Buffer.byteLength(xml);
  assert.ok(size <= GITLAB_BYTES && size > GITLAB_BYTES - 200_000, `${size} bytes`);
  assert.match(read(xml).told, /at most 30 MB\.$/);
});

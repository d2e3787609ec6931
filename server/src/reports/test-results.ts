/** The formats of test results. */
import { createTwoFilesPatch } from 'diff';
import type { Colors } from 'picocolors/types';
import type { TestResult, TestStatus } from '../testing/result.ts';
import { type LineStarts, positionAt, rangeOf, showInvisible, showInvisibleInLines } from '../text.ts';
import { workflowCommand } from './github.ts';
import { printedJson } from './json.ts';
import { attribute, escapeXml, type JunitCase, type JunitOptions, junitFile } from './junit.ts';

export interface TestReport {
  readonly files: readonly {
    readonly file: string;
    readonly skill: string;
    readonly lines: LineStarts;
    /** `decidedAt` is the location of the decisive setting, as `file:line:column`. */
    readonly results: readonly (TestResult & { readonly decidedAt?: string })[];
  }[];
  /** The files of the saved prompts and outputs. */
  readonly written: readonly string[];
}

const STATUSES: readonly TestStatus[] = ['passed', 'failed', 'warned', 'skipped'];

function summaryOf({ files }: Pick<TestReport, 'files'>): Readonly<Record<TestStatus, number>> {
  const counts: Record<TestStatus, number> = { passed: 0, failed: 0, warned: 0, skipped: 0 };
  for (const { results } of files) for (const { status } of results) counts[status]++;
  return counts;
}

export const testsToJson = (report: TestReport): string => printedJson({ version: 1, ...testsView(report) });

/** Returns the results as JSON data. */
export function testsView(report: Pick<TestReport, 'files'>) {
  return {
    tests: report.files.flatMap(({ file, skill, lines, results }) =>
      results.map(({ kind, name, status, message, expected, actual, span }) => ({
        file,
        skill,
        kind,
        name,
        status,
        message: message ?? null,
        expected: expected ?? null,
        actual: actual ?? null,
        range: rangeOf(lines, span),
      })),
    ),
    summary: summaryOf(report),
  };
}

/** Returns the results as text. With `quiet`, it contains only failures. */
export function testsToPretty(report: TestReport, colors: Colors, quiet: boolean): string {
  const marks: Readonly<Record<TestStatus, string>> = {
    passed: colors.green('✓'),
    failed: colors.red('✗'),
    warned: colors.yellow('!'),
    skipped: colors.dim('-'),
  };
  const isShown = ({ status }: TestResult): boolean => status === 'failed' || (!quiet && status !== 'passed');
  const blocks = report.files.flatMap(({ file, skill, lines, results }) => {
    const shown = results.filter(isShown);
    const passed = results.filter(({ status }) => status === 'passed').length;
    if (shown.length === 0 && quiet) return [];
    const head = `${marks[worstOf(results)]} ${colors.bold(showInvisible(skill))} ${colors.dim(showInvisible(file))} ${passed} of ${results.length} passed`;
    return [[head, ...shown.flatMap((one) => linesOf(one, `${marks[one.status]} `, file, lines, colors))].join('\n')];
  });
  const counts = summaryOf(report);
  const total = STATUSES.filter((status) => counts[status] > 0).map((status) => `${counts[status]} ${status}`);
  const written = report.written.map((file) => `Saved ${showInvisible(file)}.`);
  const end = quiet ? [] : [`${total.length > 0 ? total.join(', ') : 'No tests'}.`];
  return [...blocks, ...(written.length > 0 ? [written.join('\n')] : []), ...end]
    .map((block) => `${block}\n`)
    .join('\n');
}

const worstOf = (results: readonly TestResult[]): TestStatus =>
  (['failed', 'warned', 'passed'] as const).find((status) => results.some((one) => one.status === status)) ?? 'skipped';

function linesOf(
  test: TestReport['files'][number]['results'][number],
  mark: string,
  file: string,
  lines: LineStarts,
  colors: Colors,
): readonly string[] {
  const { kind, name, span, status, decidedAt } = test;
  const message = [test.message ?? '', decidedAt === undefined ? '' : `See \`${decidedAt}\`.`].join(' ').trim();
  const { line, character } = positionAt(lines, span.start);
  const place = colors.dim(`${showInvisible(file)}:${line + 1}:${character + 1}`);
  const shown = status === 'failed' ? comparisonOf(test) : [];
  return [
    `  ${mark}${kind} ${showInvisible(name)} ${place}`,
    ...(message === '' ? [] : [`      ${showInvisible(message)}`]),
    ...shown.map(
      (one) =>
        `      ${one.startsWith('+') ? colors.green(one) : one.startsWith('-') ? colors.red(one) : colors.dim(one)}`,
    ),
  ];
}

/** The maximum number of edits in a patch. A comparison with more edits would take too long. */
const MAX_EDITS = 2000;

/** The maximum number of lines that a comparison has on a terminal. */
const MAX_LINES = 40;

/**
 * Returns the differences between the expected and the actual string, or the actual string if the two are not
 * comparable. Returns an empty list if neither string has several lines.
 */
function comparisonOf({ expected, actual, comparable }: TestResult): readonly string[] {
  if (expected === undefined || actual === undefined || !`${expected}${actual}`.includes('\n')) return [];
  if (!comparable) {
    const lines = showInvisibleInLines(actual).trimEnd().split('\n');
    return shortened(lines.map((line) => `| ${line}`));
  }
  const patch = createTwoFilesPatch('', '', withEnd(expected), withEnd(actual), '', '', {
    context: 2,
    maxEditLength: MAX_EDITS,
  });
  if (patch === undefined) return ['The expected and the actual text differ too much to show the changes.'];
  const lines = showInvisibleInLines(patch)
    .split('\n')
    .slice(4, -1)
    .filter((line) => !line.startsWith('\\'));
  return shortened(lines);
}

const shortened = (lines: readonly string[]): readonly string[] =>
  lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES), `… ${lines.length - MAX_LINES} more lines`] : lines;

const withEnd = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`);

/** Returns the results as JUnit, with one suite per file. A test with a warning passes, with the message as output. */
export const testsToJunit = (report: TestReport, options: JunitOptions = {}): string =>
  junitFile(
    report.files.map(({ file, skill, results }) => ({
      head: attribute('name', skill) + attribute('file', file),
      cases: results.map((test) => junitCase(test, skill)),
    })),
    options,
  );

const RANKS: readonly TestStatus[] = ['failed', 'warned', 'skipped', 'passed'];

function junitCase(test: TestResult, skill: string): JunitCase {
  const { kind, name, status, message = '', expected, actual } = test;
  const head = `    <testcase${attribute('classname', `${skill}.${kind}`)}${attribute('name', name)}`;
  const sides = [
    ...(expected === undefined ? [] : [`expected:\n${expected}`]),
    ...(actual === undefined ? [] : [`actual:\n${actual}`]),
  ].join('\n');
  const bodies = {
    failed: `<failure${attribute('message', message)}>${escapeXml(sides)}</failure>`,
    skipped: `<skipped${attribute('message', message)}/>`,
    warned: `<system-out>${escapeXml(`${message}\n${sides}`)}</system-out>`,
    passed: undefined,
  } satisfies Record<TestStatus, string | undefined>;
  const body = bodies[status];
  return {
    text: body === undefined ? `${head}/>\n` : `${head}>\n      ${body}\n    </testcase>\n`,
    status: status === 'warned' ? 'passed' : status,
    rank: RANKS.indexOf(status),
  };
}

/** Returns the failures and warnings as annotations of a GitHub workflow. */
export function testsToGithub(report: TestReport): string {
  const lines = report.files.flatMap(({ file, lines: starts, results }) =>
    results.flatMap(({ kind, name, status, message = '', span }) => {
      if (status !== 'failed' && status !== 'warned') return [];
      const { line, character } = positionAt(starts, span.start);
      const place = { file, line: line + 1, col: character + 1, title: `${kind}: ${name}` };
      return [workflowCommand(status === 'failed' ? 'error' : 'warning', place, message)];
    }),
  );
  const counts = summaryOf(report);
  return [...lines, STATUSES.map((status) => `${counts[status]} ${status}`).join(', '), ''].join('\n');
}

/** `check --format junit`: a suite a file, a test a finding; a file without findings is a test that passes. */
import type { Finding, Severity } from '../../../../finding.ts';
import { lineStartsOf, positionAt } from '../../../../text.ts';
import { atLeast, type CheckedFile, type CheckReport } from '../report.ts';
import { attribute, escapeXml } from '../xml.ts';

/** Findings at or above `failOn` are failures; the others are told by tests that pass. */
export function toJunit(report: CheckReport, failOn: Severity): string {
  const fails = atLeast(failOn);
  const failures = report.files.flatMap(({ findings }) => findings.filter(fails)).length;
  const tests = report.files.reduce((sum, { findings }) => sum + Math.max(1, findings.length), 0);
  const counts = attribute('tests', tests) + attribute('failures', failures) + attribute('errors', 0);
  const suites = report.files.map((file) => suiteOf(file, fails)).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${attribute('name', 'skill-composer check')}${counts}>\n${suites}</testsuites>\n`;
}

function suiteOf({ file, text, findings }: CheckedFile, fails: (finding: Finding) => boolean): string {
  const lines = lineStartsOf(text);
  const names = new Map<string, number>();
  const cases = findings.map((finding) => {
    const { line, character } = positionAt(lines, finding.span.start);
    const place = `${finding.rule} at ${line + 1}:${character + 1}`;
    const nth = (names.get(place) ?? 0) + 1;
    names.set(place, nth);
    // A reader drops the second test of a name.
    const name = nth === 1 ? place : `${place} (${nth})`;
    const head = `    <testcase${attribute('classname', file)}${attribute('name', name)}${attribute('file', file)}${attribute('line', line + 1)}>`;
    const told = `${file}:${line + 1}:${character + 1} ${finding.severity} ${finding.message}`;
    const body = fails(finding)
      ? `<failure${attribute('message', finding.message)}${attribute('type', finding.rule)}>${escapeXml(told)}</failure>`
      : `<system-out>${escapeXml(told)}</system-out>`;
    return `${head}\n      ${body}\n    </testcase>\n`;
  });
  const clean = `    <testcase${attribute('classname', file)}${attribute('name', 'no findings')}${attribute('file', file)}/>\n`;
  const counts =
    attribute('tests', Math.max(1, findings.length)) + attribute('failures', findings.filter(fails).length);
  return `  <testsuite${attribute('name', file)}${counts}${attribute('errors', 0)}${attribute('skipped', 0)}>\n${cases.join('') || clean}  </testsuite>\n`;
}

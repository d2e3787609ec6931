/** `check --format junit`: a suite a file, a test a finding; a file without findings is a test that passes. */
import { type Finding, SEVERITIES, type Severity } from '../../../../finding.ts';
import { lineStartsOf, positionAt, visibleLines } from '../../../../text.ts';
import { type JunitCase, type JunitOptions, type JunitSuite, junitFile } from '../junit-file.ts';
import { atLeast, type CheckedFile, type CheckReport } from '../report.ts';
import { attribute, escapeXml } from '../xml.ts';

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

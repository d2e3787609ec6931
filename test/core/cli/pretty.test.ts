import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pc from 'picocolors';
import type { Finding } from '../../../server/src/finding.ts';
import type { CheckReport } from '../../../server/src/reports/check-report.ts';
import { toPretty } from '../../../server/src/reports/pretty.ts';
import { reportOn } from './report.ts';

const plain = pc.createColors(false);
const print = (report: CheckReport, quiet = false, fixed?: number) => toPretty(report, { colors: plain, quiet, fixed });
const one = (text: string, change?: Partial<Finding>) => print(reportOn('skills/a.skill.md', text, change), true);

describe('check --format pretty', () => {
  it('shows the location, the message, the line, related locations and fixes', () => {
    const report = reportOn('skills/a.skill.md', '---\nname: a\ntools: [⟦reed_page⟧]\n---\n', {
      related: [{ uri: 'file:///w/skills/a.skill.md', span: { start: 4, end: 8 }, message: 'This skill.' }],
      fixes: [
        { title: 'Replace with `read_page`', safe: true, edits: [] },
        { title: 'Remove it', safe: true, edits: [] },
      ],
    });
    assert.equal(
      print(report),
      `skills/a.skill.md:3:9 error unknown-tool
  There is no tool \`reed_page\`.
  3 | tools: [reed_page]
    |         ^^^^^^^^^
    = skills/a.skill.md:2:1 This skill.
    = fix Replace with \`read_page\` (--fix applies it)
    = fix Remove it

1 error in 1 file. \`--fix\` fixes 1.
`,
    );
  });

  it('breaks a message between words at the width of the terminal, and not without one', () => {
    const message = `${'This message has many words. '.repeat(6)}See ${'long'.repeat(25)}.`;
    const report = reportOn('a.skill.md', '⟦a⟧', { message });
    const [, ...lines] = toPretty(report, { colors: plain, quiet: true, fixed: undefined, columns: 80 }).split('\n');
    const shown = lines.filter((line) => /^ {2}\S/.test(line) && !/^ {2}1 \|/.test(line));
    assert.equal(shown.map((line) => line.slice(2)).join(' '), message);
    assert.ok(shown.length > 2 && shown.every((line) => line.length <= 80 || !line.trim().includes(' ')));
    assert.ok(print(report, true).split('\n').includes(`  ${message}`));
  });

  it('shows the number of a rule', () => {
    assert.match(
      one('⟦a⟧', { rule: 'level-violation', code: 'E010' }),
      /^skills\/a\.skill\.md:1:1 error level-violation \(E010\)\n/,
    );
  });

  it('reports that there are no findings, and the number of fixed files', () => {
    const report: CheckReport = { files: [{ file: 'a.skill.md', text: '', findings: [] }], findFile: () => undefined };
    assert.equal(print(report), 'No findings in 1 file.\n');
    assert.equal(print(report, false, 2), 'Fixed 2 files. No findings in 1 file.\n');
    assert.equal(print(report, true), '');
  });

  it('counts findings by severity, starting with the most severe', () => {
    const report = reportOn('a.skill.md', 'x⟦⟧');
    const [file] = report.files;
    const [finding] = file?.findings ?? [];
    assert.ok(file && finding);
    const findings = (['warning', 'error', 'hint', 'error', 'info'] as const).map((severity) => ({
      ...finding,
      severity,
    }));
    assert.match(
      print({ ...report, files: [{ ...file, findings }] }),
      /\n2 errors, 1 warning, 1 info, 1 hint in 1 file\.\n$/,
    );
  });

  it('escapes control characters from a file', () => {
    const text = one('a\u001b[2J⟦\u0007\u202e⟧\u0000b', { message: 'Clear \u001b[2J this.\nAnd \u009b that.' });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the output must not contain control characters.
    assert.doesNotMatch(text, /[\u0000-\u0009\u000b-\u001f\u0080-\u009f\u202e]/);
    assert.match(text, /1 \| a␛\[2J␇\\u202e␀b\n {4}\| {6}\^{7}\n/);
  });

  it('aligns the carets after tabs and wide letters', () => {
    assert.match(one('\t灯台 ⟦harbour⟧'), /\| {3}灯台 harbour\n {4}\| {8}\^{7}\n/);
  });

  it('shows only part of a long line', () => {
    const lines = one(`${'a'.repeat(5000)}⟦bc⟧${'d'.repeat(95_000)}`).split('\n');
    assert.equal(lines[2], `  1 | …${'a'.repeat(40)}bc${'d'.repeat(78)}…`);
    assert.equal(lines[3], `    | ${' '.repeat(41)}^^`);
  });

  it('shows no line that is wider than the terminal', () => {
    const report = reportOn('skills/a.skill.md', `${'x'.repeat(90)} ⟦harbour ${'y'.repeat(200)}⟧`);
    const frame = toPretty(report, { colors: plain, quiet: true, fixed: undefined, columns: 80 })
      .split('\n')
      .slice(2, 4);
    assert.ok(
      frame.every((line) => line.length <= 80),
      frame.join('\n'),
    );
    assert.match(frame.join('\n'), /…x+ harbour y+…\n {4}\| {41,}\^+$/);
  });

  it('marks only the first line of a range, and marks an empty range with one caret', () => {
    assert.match(one('x: ⟦|\n  one\n  two⟧\n'), /1 \| x: \|\n {4}\| {4}\^\n$/);
    assert.match(one('x:⟦⟧\r\ny'), /1 \| x:\n {4}\| {3}\^\n$/);
  });
});

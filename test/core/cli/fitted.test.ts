import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import pc from 'picocolors';
import { fitted } from '../../../server/src/reports/fitted.ts';
import { columnsOf } from '../../../server/src/reports/tables.ts';

test('the rest of a wide line is below its last column', () => {
  const report = ['   found  client', '   yes    Claude Code, VS Code, Cursor, OpenCode, Kilo Code', ''].join('\n');
  assert.equal(
    fitted(report, 40),
    ['   found  client', '   yes    Claude Code, VS Code, Cursor,', '          OpenCode, Kilo Code', ''].join('\n'),
  );
});

test('a note keeps its indentation, also in colours', () => {
  const note = '    Devin, found: The client reads the folder only in some cases.';
  const lines = ['    Devin, found: The client reads the', '    folder only in some cases.'];
  assert.equal(fitted(note, 40), lines.join('\n'));
  const { dim } = pc.createColors(true);
  const [open = '', close = ''] = dim('|').split('|');
  assert.equal(fitted(dim(note), 40), `${open}${lines.join('\n')}${close}`);
});

test('a report for a pipe stays as it is', () => {
  const line = 'word '.repeat(100);
  assert.equal(fitted(line, undefined), line);
});

test('fitted lines have the same words, and no line that could be broken is too wide', () => {
  const words = fc.array(fc.constantFrom('a', 'skill', 'OpenCode,', '粉の一覧', '`references/kona.md`'), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(words, fc.nat(30), fc.integer({ min: 40, max: 120 }), (all, indent, columns) => {
      const report = ' '.repeat(indent) + all.join(' ');
      const shown = fitted(report, columns);
      assert.deepEqual(shown.split(/\s+/).filter(Boolean), all);
      for (const line of shown.split('\n')) assert.ok(line.trim() === '' || columnsOf(line) <= columns, line);
    }),
  );
});

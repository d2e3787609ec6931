/** The command line prints no control characters, bidirectional marks or invisible characters of a file. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import pc from 'picocolors';
import { Workspace } from '../../server/src/analysis/workspace.ts';
import { toDot, toMermaid } from '../../server/src/features/graph/drawing.ts';
import { graphView, NO_FINDINGS } from '../../server/src/features/graph/graph-view.ts';
import { noteOf } from '../../server/src/io/stderr.ts';
import { printedJson, toJson } from '../../server/src/reports/json.ts';
import { toPretty } from '../../server/src/reports/pretty.ts';
import { showInvisible, showInvisibleInLines } from '../../server/src/text.ts';
import { reportOn } from '../core/cli/report.ts';
import { isUnseen } from './unseen.ts';

const HAZARDS = [
  '\u001b[31m',
  '\u001b]8;;https://e.example\u0007',
  '\u009b2J',
  '\u0090',
  '\u007f',
  '\b\b\b',
  '\0',
  '\r',
  '\t',
  '\u202e',
  '\u2066',
  '\u200f',
  '\u061c',
  '\u2028',
  '\u200b',
  '\ufeff',
  '\u{e0041}',
  '\ud800',
];
const hostile = fc.array(fc.constantFrom(...HAZARDS, 'a', 'é', '👩‍🚀', ' ', '\n', '"', '\\', '`'), { maxLength: 8 });
const text = hostile.map((pieces) => pieces.join(''));

const isSafe = (printed: string): void => assert.deepEqual([...printed].filter(isUnseen), [], JSON.stringify(printed));

test('printed JSON parses to the original value', () => {
  fc.assert(
    fc.property(fc.dictionary(text, fc.array(text)), (value) => {
      const printed = printedJson(value);
      isSafe(printed);
      assert.deepEqual(JSON.parse(printed), JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('shows visible characters unchanged and all others as escapes', () => {
  fc.assert(
    fc.property(hostile, (pieces) => {
      const shown = showInvisible(pieces.join(''));
      isSafe(shown);
      assert.ok(!shown.includes('\n'));
      const seen = pieces.filter((piece) => ![...piece].some((one) => isUnseen(one) || one === '\n'));
      let from = 0;
      for (const piece of seen) {
        from = shown.indexOf(piece, from) + piece.length;
        assert.ok(from >= piece.length, `${piece} in ${shown}`);
      }
      isSafe(showInvisibleInLines(pieces.join('')));
    }),
  );
});

test('findings in hostile files with hostile names are safe in every format', () => {
  fc.assert(
    fc.property(text, text, text, (name, source, message) => {
      const report = reportOn(`skills/${name}.skill.md`, `---\nname: ⟦${source}⟧\n---\n`, {
        message,
        related: [{ uri: `file:///w/skills/${name}.skill.md`, span: { start: 0, end: 1 }, message }],
        fixes: [{ title: message, safe: true, edits: [] }],
      });
      isSafe(toJson(report));
      isSafe(toPretty(report, { colors: pc.createColors(false), quiet: false, fixed: undefined }));
      isSafe(noteOf(`\`${name}\` cannot be read: ${message}.`));
    }),
  );
});

test('a graph with hostile names is safe in every output language', () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), text, (names, version) => {
      const workspace = new Workspace();
      const skill = `---\nname: whole\nlevel: 2\nversion: ${JSON.stringify(version)}\ncomposes: ${JSON.stringify(names)}\n---\n`;
      workspace.apply({ kind: 'text', uri: 'file:///w/whole.skill.md', text: skill });
      const view = graphView(workspace.analysis, {
        roots: ['file:///w/whole.skill.md'],
        countFindings: () => NO_FINDINGS,
      });
      assert.ok(view.nodes.length > 0);
      isSafe(toMermaid(view));
      isSafe(toDot(view));
    }),
  );
});

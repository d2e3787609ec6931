/** What is reported after any edits is what would be reported if the workspace were opened now, to the last place. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { diagnostics } from '../../server/src/features/diagnostics.ts';
import { utf16 } from '../../server/src/features/locate.ts';
import type { Reports } from '../../server/src/hosts/reports.ts';
import { movesPlaces } from '../../server/src/workspace/moved-places.ts';
import { type Change, Workspace } from '../../server/src/workspace/workspace.ts';
import { reportsOf } from '../reports.ts';
import { RUNS } from './corpus.ts';
import { ROOT } from './opened.ts';

/** Two are so alike that where one is missing the other is meant. */
const NAMES = ['a', 'page', 'pages'] as const;

/** Composites that report at one another, with lines that move the places of a file and leave its summary. */
const text = fc
  .record({
    name: fc.constantFrom(...NAMES),
    moved: fc.constantFrom('', '# One line.\n', '# Two\n# lines.\n'),
    version: fc.constantFrom('1.0.0', '2.0.0'),
    level: fc.constantFrom(1, 2, 3),
    input: fc.constantFrom('{}', '{x: string}', '{x: integer, y: string}'),
    output: fc.constantFrom('{}', '{x: string}', '{y: string?}'),
    composes: fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 2 }),
    range: fc.constantFrom('1.x', '2.x'),
    effects: fc.constantFrom('[]', '[Query]'),
    body: fc.constantFrom('Body.', 'A longer body, #skill:a.', 'Body.\n\n#skill:page'),
  })
  .map(
    ({ name, moved, version, level, input, output, composes, range, effects, body }) =>
      `---\n${moved}name: ${name}\ndescription: d\nversion: ${version}\nlevel: ${level}\ninput_schema: ${input}\n` +
      `output_schema: ${output}\ncomposes: [${composes.join(', ')}]\nrequires: [{skill: a, version: ${range}}]\n` +
      `effects: ${effects}\n---\n${body}\n`,
  );

const uri = fc.constantFrom(...NAMES, 'd').map((name) => `${ROOT}/${name}.skill.md`);
type FileChange = Extract<Change, { kind: 'text' | 'delete' }>;
const change: fc.Arbitrary<FileChange> = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(uri, text).map(([of, to]): FileChange => ({ kind: 'text', uri: of, text: to })) },
  { weight: 1, arbitrary: uri.map((of): FileChange => ({ kind: 'delete', uri: of })) },
);
/** A file that is there with lines put before its name: everything in it moves, and nothing else about it changes. */
const shift = fc
  .tuple(uri, fc.constantFrom('# Moved.\n', '# Moved\n# twice.\n'))
  .map(([of, lines]) => ({ kind: 'shift' as const, uri: of, lines }));

const open = (workspace: Workspace): Reports =>
  reportsOf(workspace, (of) => {
    const document = workspace.index().documents.get(of);
    return document ? diagnostics(workspace.index(), document, utf16) : [];
  });

const said = (reports: Reports) =>
  new Map([...reports.all()].map(([of, { items }]) => [of, items] as const).sort(([a], [b]) => (a < b ? -1 : 1)));

test('reports after any edits are those of a workspace that is opened afresh', async () => {
  let moves = 0;
  const property = fc.asyncProperty(
    fc.array(fc.oneof({ weight: 3, arbitrary: change }, { weight: 2, arbitrary: shift }), {
      minLength: 2,
      maxLength: 12,
    }),
    async (steps) => {
      const workspace = new Workspace();
      const reports = open(workspace);
      for (const step of steps) {
        const before = workspace.index().documents.get(step.uri);
        if (step.kind === 'shift' && !before) continue;
        const affected = workspace.apply(
          step.kind === 'shift'
            ? { kind: 'text', uri: step.uri, text: (before?.text ?? '').replace(/\nname:/, `\n${step.lines}name:`) }
            : step,
        );
        reports.mark(affected);
        if (movesPlaces(before, workspace.index().documents.get(step.uri))) reports.moved(step.uri);
        if (step.kind === 'shift') moves++;
        await reports.settled();
      }
      const fresh = new Workspace();
      for (const document of workspace.index().documents.values()) {
        fresh.apply({ kind: 'text', uri: document.uri, text: document.text });
      }
      assert.deepEqual(said(reports), said(open(fresh)));
    },
  );
  await fc.assert(property, { numRuns: Math.round(60 * RUNS) });
  assert.ok(moves > 20 * RUNS, `${moves} edits that move places`);
});

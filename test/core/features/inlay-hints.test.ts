/** The inlay hints of a composite. */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import type { Workspace } from '../../../server/src/analysis/workspace.ts';
import { INLAY_HINTS, inlayHints } from '../../../server/src/features/inlay-hints.ts';
import { utf16 } from '../../../server/src/features/locate.ts';
import type { InlayHintKind } from '../../../server/src/protocol.ts';
import { openSkills, uriOf } from '../workspace/skills.ts';

const ALL: readonly InlayHintKind[] = ['versions', 'effects', 'operation', 'budget'];
const EVERYWHERE = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };

function hintsIn(workspace: Workspace, name: string, kinds = ALL, range = EVERYWHERE) {
  const file = workspace.analysis.file(uriOf(name));
  assert.ok(file);
  return inlayHints(workspace.analysis, file, range, new Set(kinds), utf16).map(({ position, label, tooltip }) => {
    const line = file.text.split('\n')[position.line] ?? '';
    assert.ok(typeof tooltip === 'object');
    return { before: line.slice(0, position.character), label, tooltip: tooltip.value };
  });
}

const PARTS = {
  fetch: [
    'version: 1.4.0',
    'operation: READ',
    'effects: [Query, Network]',
    'policy: {budget: {p95_ms: 300, cost_usd: 0.2}}',
  ],
  post: ['operation: WRITE', 'effects: [Mutate]', 'policy: {budget: {p95_ms: 50}}'],
};

/** The hints of a skill with these lines, as `text before|label`. */
const hints = (lines: readonly string[], kinds = ALL): readonly string[] =>
  hintsIn(openSkills({ ...PARTS, whole: lines }), 'whole', kinds).map(({ before, label }) => `${before}|${label}`);

describe('inferred effects', () => {
  const only: readonly InlayHintKind[] = ['effects'];

  it('are shown after `composes` if the skill declares no effects', () => {
    assert.deepEqual(hints(['composes: [fetch, post]'], only), [
      'composes: [fetch, post]|effects: Query, Network, Mutate',
    ]);
    assert.deepEqual(hints(['composes:', '  - fetch'], only), ['composes:|effects: Query, Network']);
  });

  it('are shown after `effects` if the skill declares only some of its effects', () => {
    assert.deepEqual(hints(['effects: [Query]', 'composes: [fetch]'], only), ['effects: [Query]|+ Network']);
  });

  it('are not shown if the skill declares all its effects, or composes nothing', () => {
    assert.deepEqual(hints(['effects: [Query, Network]', 'composes: [fetch]'], only), []);
    assert.deepEqual(hints([], ALL), []);
  });

  it('show their origin in a tooltip', () => {
    const [hint] = hintsIn(openSkills({ ...PARTS, whole: ['composes: [fetch]'] }), 'whole', only);
    assert.match(hint?.tooltip ?? '', /`Query` from `fetch`\n- `Network` from `fetch`/);
  });
});

it('shows the strongest operation if the skill declares no operation', () => {
  const only: readonly InlayHintKind[] = ['operation'];
  assert.deepEqual(hints(['composes: [fetch, post]'], only), ['composes: [fetch, post]|operation: WRITE']);
  assert.deepEqual(hints(['operation: READ', 'composes: [fetch, post]'], only), []);
});

it('shows the resolved version after a range, unless the range equals or excludes that version', () => {
  const requires = (range: string) => ['composes: [fetch]', 'requires:', `  - {skill: fetch, version: ${range}}`];
  const only: readonly InlayHintKind[] = ['versions'];
  assert.deepEqual(hints(requires('^1.0.0'), only), ['  - {skill: fetch, version: ^1.0.0|→ 1.4.0']);
  for (const quiet of ['1.4.0', '^2.0.0', 'no range']) assert.deepEqual(hints(requires(quiet), only), []);
});

it('shows budget totals after declared budgets, with the amount of each step', () => {
  const workspace = openSkills({
    ...PARTS,
    whole: [
      'composes: [fetch, post]',
      'execution: [{step: fetch}, {step: post}]',
      'policy:',
      '  budget:',
      '    p95_ms: 200',
      '    cost_usd: 1',
    ],
    ring: ['composes: [ring, fetch]', 'policy: {budget: {p95_ms: 1}}'],
  });
  const only: readonly InlayHintKind[] = ['budget'];
  const found = hintsIn(workspace, 'whole', only);
  assert.deepEqual(
    found.map(({ before, label }) => `${before}|${label}`),
    ['    p95_ms: 200|composed: 350 ms', '    cost_usd: 1|composed: $0.2'],
  );
  assert.match(found[0]?.tooltip ?? '', /`fetch`: 300 ms\n- `post`: 50 ms/);
  assert.deepEqual(hintsIn(workspace, 'ring', only), []);
});

it('shows versions and effects by default', () => {
  const lines = [
    'composes: [post, fetch]',
    'requires: [{skill: fetch, version: ">=1"}]',
    'policy: {budget: {p95_ms: 400}}',
  ];
  assert.equal(hints(lines, INLAY_HINTS).length, 2);
  assert.equal(hints(lines).length, 4);
  assert.deepEqual(hints(lines, []), []);
});

it('shows nothing outside the visible range, and nothing while files are being read', () => {
  const workspace = openSkills({ ...PARTS, whole: ['composes: [fetch]'] });
  const start = { line: 0, character: 0 };
  assert.deepEqual(hintsIn(workspace, 'whole', ALL, { start, end: { line: 1, character: 0 } }), []);
  workspace.apply({ kind: 'partial', partial: true });
  assert.deepEqual(hintsIn(workspace, 'whole'), []);
});

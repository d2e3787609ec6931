/**
 * Reused results of the previous analysis never change a finding: each file has the same findings as in a fresh
 * workspace.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Change, Workspace } from '../../server/src/analysis/workspace.ts';
import { check } from '../../server/src/rules/engine/check.ts';
import { cases } from '../random.ts';
import { samples } from './corpus.ts';
import { type Mutation, mutation } from './mutate.ts';
import { ROOT } from './opened.ts';

const CATALOG = 'mistakes/skills.config.yaml';

/** Skills that compose one another, few enough for the result cache. */
const SKILLS: readonly string[] = [
  ...['fetch-lore', 'write-rumour', 'make-rumour', 'whisper-rumour', 'spread-rumours'].map((name) => `parts/${name}`),
  ...['uses-deprecated', 'diamond', 'over-budget', 'failing-sample', 'goes-round', 'comes-back', 'unknown-tool'],
  ...['missing-skill', 'unfed-step'],
].map((name) => `mistakes/${name}.skill.md`);

const uriOf = (path: string): string => `${ROOT}/${path}`;
const sampleOf = (path: string): string => samples.get(path) ?? '';

/** All changes to a workspace, in a form that can be applied to another workspace. */
interface Truth {
  readonly texts: Map<string, string>;
  readonly facts: Map<string, Change>;
}

/** One change to a workspace, derived from its current state. */
type Step = (truth: Truth) => Change;

/** A change to a part of a file: only its frontmatter, only its body, or anywhere. */
function editOf(path: string, part: 'head' | 'body' | 'all', mutate: Mutation, isOpen: boolean): Step {
  return ({ texts }) => {
    const before = texts.get(uriOf(path)) ?? sampleOf(path);
    const [, head = '', body = ''] = /^(---\n[\s\S]*?\n---\n)([\s\S]*)$/.exec(before) ?? [];
    const isWhole = part === 'all' || head === '';
    const text = isWhole ? mutate(before) : part === 'head' ? mutate(head) + body : head + mutate(body);
    return { kind: 'text', uri: uriOf(path), text, isOpen };
  };
}

const path = fc.constantFrom(...SKILLS);
const anyPath = fc.constantFrom(CATALOG, ...SKILLS);
const isOpen = fc.boolean();
const part = fc.constantFrom('head', 'body', 'all');
const always = (change: fc.Arbitrary<Change>): fc.Arbitrary<Step> => change.map((one) => () => one);

const catalogText = fc.constantFrom(
  sampleOf(CATALOG),
  `${sampleOf(CATALOG)}rules: {unknown-tool: hint, deprecated-skill: off}\n`,
  sampleOf(CATALOG).replace('search_pages', 'seek_pages'),
  sampleOf(CATALOG).replace('operation: WRITE', 'operation: READ'),
  'tools:\n  - {name: read_page}\n  - {from: mcp.json}\n',
  'tools: [',
);

/** A failure in the sample itself, or a failure whose cause is in another file. */
const failure = fc.tuple(fc.constantFrom('with-gossip', 'without-gossip'), fc.option(path)).map(([sample, cause]) => ({
  sample,
  message: 'It does not.',
  cause: cause === null ? undefined : { uri: uriOf(cause), span: { start: 4, end: 8 } },
}));

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc
      .tuple(path, part, mutation, isOpen)
      .map(([file, where, mutate, open]) => editOf(file, where, mutate, open)),
  },
  {
    weight: 4,
    arbitrary: always(
      fc
        .tuple(anyPath, isOpen)
        .map(([file, open]) => ({ kind: 'text', uri: uriOf(file), text: sampleOf(file), isOpen: open })),
    ),
  },
  {
    weight: 2,
    arbitrary: always(catalogText.map((text) => ({ kind: 'text', uri: uriOf(CATALOG), text }))),
  },
  { weight: 2, arbitrary: always(anyPath.map((file) => ({ kind: 'delete', uri: uriOf(file) }))) },
  always(
    fc
      .constantFrom('{"tools": [{"name": "reed_page"}]}', '{"tools": []}', '{')
      .map((text) => ({ kind: 'text', uri: uriOf('mistakes/skills.tools.json'), text })),
  ),
  always(fc.constant({ kind: 'delete', uri: uriOf('mistakes/skills.tools.json') })),
  always(
    fc
      .tuple(fc.constantFrom('mistakes/b.md', 'mistakes/parts/b.md', 'mistakes/mcp.json'), fc.boolean())
      .map(([file, exists]) => ({ kind: 'exists', uri: uriOf(file), exists })),
  ),
  always(
    fc.tuple(path, fc.boolean()).map(([file, isKnown]) => ({
      kind: 'released',
      uri: uriOf(file),
      text: isKnown ? sampleOf(file).replace('place: string', 'place: integer') : undefined,
    })),
  ),
  always(
    fc
      .array(failure, { maxLength: 2 })
      .map((failures) => ({ kind: 'samples', uri: uriOf('mistakes/failing-sample.skill.md'), failures })),
  ),
  always(
    fc
      .tuple(fc.constantFrom('severities', 'overrides'), fc.constantFrom({}, { 'unknown-tool': 'off', E018: 'hint' }))
      .map(([kind, severities]): Change => ({ kind, severities })),
  ),
  always(fc.constantFrom([], [uriOf('mistakes/parts')]).map((folders): Change => ({ kind: 'account', folders }))),
  always(fc.boolean().map((partial) => ({ kind: 'partial', partial }))),
);

function note({ texts, facts }: Truth, change: Change): void {
  if (change.kind === 'text') texts.set(change.uri, change.text);
  else if (change.kind === 'delete') {
    // The results of a file's samples are removed with the file.
    if (texts.delete(change.uri)) facts.delete(`samples ${change.uri}`);
  } else facts.set('uri' in change ? `${change.kind} ${change.uri}` : change.kind, change);
}

function freshOf({ texts, facts }: Truth): Workspace {
  const workspace = new Workspace();
  for (const [uri, text] of texts) workspace.apply({ kind: 'text', uri, text });
  for (const fact of facts.values()) workspace.apply(fact);
  return workspace;
}

const findingsOf = ({ analysis }: Workspace, uri: string): unknown => {
  const file = analysis.file(uri);
  return file && check(file, analysis);
};

test('after each change, every file has the same findings as in a new workspace', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
      const workspace = new Workspace();
      const truth: Truth = { texts: new Map(), facts: new Map() };
      const take = (change: Change): void => {
        workspace.apply(change);
        note(truth, change);
      };
      for (const file of [CATALOG, ...SKILLS]) take({ kind: 'text', uri: uriOf(file), text: sampleOf(file) });
      for (const next of [undefined, ...steps]) {
        const change = next?.(truth);
        if (change) take(change);
        const fresh = freshOf(truth);
        for (const uri of truth.texts.keys()) {
          assert.deepEqual(
            findingsOf(workspace, uri),
            findingsOf(fresh, uri),
            `${uri} after ${JSON.stringify(change)}`,
          );
        }
      }
    }),
    cases(12),
  );
});

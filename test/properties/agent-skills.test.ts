/** The data derived from all `SKILL.md` files does not depend on the order of additions, changes and removals. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { targetRows } from '../../server/src/analysis/targets.ts';
import { type Change, Workspace } from '../../server/src/analysis/workspace.ts';
import { clientsView } from '../../server/src/features/clients/clients-view.ts';
import { check } from '../../server/src/rules/engine/check.ts';
import { cases } from '../random.ts';
import { ROOT } from './opened.ts';

const NAMES = ['tidy-notes', 'tidy-note', 'find-page', 'a'] as const;
const ROOTS = [
  '.claude/skills/',
  '.agents/skills/',
  '.github/skills/',
  '.codex/skills/',
  'deep/.claude/skills/',
  'plugins/one/skills/',
  '.claude/skills/tidy-notes/within/',
  '',
] as const;

const uriOf = (path: string): string => `${ROOT}/${path}`;
const name = fc.constantFrom(...NAMES);
const path = fc.tuple(fc.constantFrom(...ROOTS), name).map(([root, own]) => `${root}${own}/SKILL.md`);

const maybe = (line: fc.Arbitrary<string>, often = 1): fc.Arbitrary<string> =>
  fc.oneof({ weight: often, arbitrary: line.map((text) => `${text}\n`) }, { weight: 1, arbitrary: fc.constant('') });

/** Frontmatter with every part that the findings in another file may depend on. */
const head = fc
  .tuple(
    maybe(
      fc.oneof(
        name.map((own) => `name: ${own}`),
        fc.constantFrom('name: Tidy Notes', 'name: [a]', 'name: " a "'),
      ),
      6,
    ),
    maybe(
      fc.constantFrom(2, 40, 41, 300, 1100, 6000).map((length) => `description: ${'d'.repeat(length)}`),
      6,
    ),
    maybe(fc.constantFrom('when_to_use: When it rains.', 'mood: good', 'moods: [a]')),
    maybe(fc.constantFrom('disable-model-invocation: true', 'user-invocable: false', 'paths: [a]')),
    fc.oneof({ weight: 12, arbitrary: fc.constant('') }, { weight: 1, arbitrary: fc.constant('tags: [x\n') }),
  )
  .map((lines) => lines.join(''));

const body = fc.constantFrom('', 'Use the `find-page` skill.\n', 'Then /tidy-note, or the `tidy-nots` skill.\n');
const text = fc
  .tuple(fc.constantFrom('', '', '', '\uFEFF'), head, body)
  .map(([mark, lines, prose]) => `${mark}---\n${lines}---\n${prose}`);

const catalog = fc.constantFrom(
  'agent_skills: {clients: [codex, claude-code, zed], context_tokens: 500}\n',
  'agent_skills: {clients: [vscode, openclaw, codex]}\n',
  'agent_skills: {context_tokens: 2000}\n',
  'agent_skills: {\n',
);
const catalogPath = fc.constantFrom('skills.config.yaml', 'deep/skills.config.yaml');
const models = fc.constantFrom(undefined, 2000, ['claude-sonnet-4-5'], ['gpt-5.5', 'opus']);
const targets = fc.constantFrom(undefined, ['codex', 'vscode'], ['zed', 'claude-code', 'openclaw']);

const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 12, arbitrary: fc.tuple(path, text).map(([at, written]) => textOf(at, written)) },
  { weight: 4, arbitrary: path.map((at): Change => ({ kind: 'delete', uri: uriOf(at) })) },
  { weight: 1, arbitrary: fc.tuple(catalogPath, catalog).map(([at, written]) => textOf(at, written)) },
  { weight: 1, arbitrary: catalogPath.map((at): Change => ({ kind: 'delete', uri: uriOf(at) })) },
  { weight: 1, arbitrary: targets.map((clients): Change => ({ kind: 'clients', clients })) },
  { weight: 1, arbitrary: fc.boolean().map((partial): Change => ({ kind: 'partial', partial })) },
);

/** A change, also of the model that the lists of clients are made for. */
const listChange: fc.Arbitrary<Change> = fc.oneof(
  { weight: 20, arbitrary: change },
  { weight: 2, arbitrary: models.map((model): Change => ({ kind: 'model', model })) },
  {
    weight: 1,
    arbitrary: catalogPath.map((at) => textOf(at, 'agent_skills: {model: [claude-sonnet-4-5, gpt-5.5]}\n')),
  },
);

const textOf = (at: string, written: string): Change => ({ kind: 'text', uri: uriOf(at), text: written });

/** The findings of a file, and its client matrix. */
function seen({ analysis }: Workspace, uri: string): unknown {
  const file = analysis.file(uri);
  // Leaves out the spans of related locations in other files, which are adjusted when a finding is reported.
  return (
    file &&
    check(file, analysis).map(({ related, ...finding }) => ({
      ...finding,
      related: related.map((one) => (one.uri === uri ? one : { uri: one.uri, message: one.message })),
    }))
  );
}

function views({ analysis, index }: Workspace): unknown {
  const uris = [...index.files.keys()].sort();
  return uris.map((uri) => {
    const file = analysis.file(uri);
    return file && clientsView(analysis, file);
  });
}

const inOrder = (all: ReadonlyMap<string, unknown>): unknown => [...all].sort(([a], [b]) => (a < b ? -1 : 1));

/** The last change to each subject, in another order. */
function lastOf(changes: readonly Change[]): readonly Change[] {
  const last = new Map<string, Change>();
  for (const one of changes) last.set('uri' in one ? one.uri : one.kind, one);
  return [...last.values()].filter(({ kind }) => kind !== 'delete').reverse();
}

describe('a workspace of `SKILL.md` files', () => {
  test('has the same findings as a new workspace after edits, even if only affected files are checked again', () => {
    fc.assert(
      fc.property(fc.array(listChange, { minLength: 2, maxLength: 30 }), (changes) => {
        const workspace = new Workspace();
        const known = new Map<string, unknown>();
        for (const one of changes) {
          const affected = workspace.apply(one);
          const { files } = workspace.index;
          for (const uri of affected === 'all' ? files.keys() : affected) known.set(uri, seen(workspace, uri));
          for (const uri of known.keys()) if (!files.has(uri)) known.delete(uri);
        }
        const fresh = new Workspace();
        for (const one of lastOf(changes)) fresh.apply(one);
        const expected = new Map([...fresh.index.files.keys()].map((uri) => [uri, seen(fresh, uri)]));
        assert.deepEqual(inOrder(known), inOrder(expected));
        assert.deepEqual(views(workspace), views(fresh));
      }),
      cases(50),
    );
  });
});

describe('a fix that moves a skill', () => {
  test('lets a client find the skill, and takes it from no target client', () => {
    let count = 0;
    fc.assert(
      fc.property(fc.array(change, { minLength: 2, maxLength: 20 }), (changes) => {
        const workspace = new Workspace();
        for (const one of changes) workspace.apply(one);
        const { analysis } = workspace;
        for (const file of [...analysis.allFiles()]) {
          const fixes = check(file, analysis).flatMap((one) =>
            one.rule === 'agent-skill-not-loaded' ? one.fixes : [],
          );
          for (const { moves, safe } of fixes) {
            if (!moves) continue;
            count++;
            assert.ok(!safe);
            const after = new Workspace();
            for (const { uri, text: own } of [...workspace.index.files.values()])
              after.apply({ kind: 'text', uri: uri.replace(`${moves.from}/`, `${moves.to}/`), text: own });
            after.apply({ kind: 'clients', clients: targetsOf(analysis, file).map(({ id }) => id) });
            const moved = after.analysis.file(file.uri.replace(moves.from, moves.to));
            assert.ok(moved && after.index.files.size === workspace.index.files.size);
            const [was, is] = [targetRows(analysis, file).rows, targetRows(after.analysis, moved).rows];
            assert.ok(was.some(({ found }, at) => found.outcome === 'no' && is[at]?.found.outcome === 'yes'));
            for (const [at, { found }] of was.entries())
              if (found.outcome === 'yes') assert.equal(is[at]?.found.outcome, 'yes');
          }
        }
      }),
    );
    assert.ok(count > 5, `only ${count} fixes`);
  });
});

const targetsOf = (...[analysis, file]: Parameters<typeof targetRows>) => targetRows(analysis, file).clients;

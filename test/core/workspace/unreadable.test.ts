/** Unreadable files, and the findings about them and about the files that refer to them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { check } from '../../../server/src/rules/engine/check.ts';

const [WHOLE, PART, CATALOG] = ['whole.skill.yaml', 'part.skill.yaml', 'skills.config.yaml'].map(
  (name) => `file:///w/${name}`,
) as [string, string, string];

const contract = (name: string, ...lines: string[]): string =>
  [
    `name: ${name}`,
    'description: Does it.',
    'version: 1.0.0',
    'input_schema: {a: string}',
    'output_schema: {a: string}',
    ...lines,
    '',
  ].join('\n');

const whole = contract('whole', 'level: 2', 'composes: [part]');

const rulesOf = ({ analysis }: Workspace, uri: string): readonly string[] => {
  const file = analysis.file(uri);
  return file ? check(file, analysis).map(({ rule }) => rule) : [];
};

describe('a file that cannot be read', () => {
  it('affects the files that name its skill when it is created or deleted', () => {
    const workspace = new Workspace();
    workspace.apply({ kind: 'text', uri: WHOLE, text: whole });
    assert.ok(rulesOf(workspace, WHOLE).includes('skill-not-found'));
    assert.ok(isConcerned(workspace.apply({ kind: 'unreadable', uri: PART, reason: 'dangling' })));
    assert.ok(!rulesOf(workspace, WHOLE).includes('skill-not-found'));
    assert.ok(isConcerned(workspace.apply({ kind: 'delete', uri: PART })));
    assert.ok(rulesOf(workspace, WHOLE).includes('skill-not-found'));
  });

  it('affects every open file that names its skill', () => {
    const workspace = new Workspace();
    const open = ['a', 'b'].map((name) => `file:///w/${name}.skill.yaml`);
    const found = (): readonly string[] => open.filter((uri) => rulesOf(workspace, uri).includes('skill-not-found'));
    for (const uri of open) workspace.apply({ kind: 'text', uri, text: whole, isOpen: true });
    workspace.apply({ kind: 'unreadable', uri: PART, reason: 'dangling' });
    assert.deepEqual(found(), []);
    workspace.apply({ kind: 'delete', uri: PART });
    assert.deepEqual(found(), open);
  });

  it('is reported once until its text can be read', () => {
    const workspace = new Workspace();
    workspace.apply({ kind: 'unreadable', uri: PART, reason: 'not-utf8' });
    assert.deepEqual(rulesOf(workspace, PART), ['unreadable-file']);
    assert.equal(workspace.index.graph.skills.size, 0, 'it is no skill that anybody could compose');
    workspace.apply({ kind: 'text', uri: PART, text: '' });
    assert.deepEqual(rulesOf(workspace, PART), ['missing-frontmatter']);
    workspace.apply({ kind: 'unreadable', uri: PART, reason: 'special' });
    workspace.apply({ kind: 'text', uri: PART, text: contract('part') });
    assert.deepEqual(rulesOf(workspace, PART), []);
  });

  it('causes no findings about undeclared names if it is a catalog', () => {
    const workspace = new Workspace();
    workspace.apply({ kind: 'unreadable', uri: CATALOG, reason: 'denied' });
    const text = contract('part', 'tools: [no_such_tool]', 'required_scopes: ["read:all"]', 'interrupts: [no_such]');
    workspace.apply({ kind: 'text', uri: PART, text });
    assert.deepEqual(rulesOf(workspace, CATALOG), ['unreadable-file']);
    assert.deepEqual(
      rulesOf(workspace, PART).filter((rule) => rule.startsWith('unknown')),
      [],
    );
  });
});

const isConcerned = (affected: ReadonlySet<string> | 'all'): boolean => affected === 'all' || affected.has(WHOLE);

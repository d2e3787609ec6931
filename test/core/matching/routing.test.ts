/** The files that an edit affects if routing cases expect a skill. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { check } from '../../../server/src/rules/engine/check.ts';

const uriOf = (name: string): string => `file:///${name}.skill.md`;
const skill = (name: string, description: string, ...keys: readonly string[]): string =>
  ['---', `name: ${name}`, `description: ${description}`, ...keys, '---', '', 'Do it.', ''].join('\n');

function opened(): Workspace {
  const workspace = new Workspace();
  const write = (name: string, text: string) => workspace.apply({ kind: 'text', uri: uriOf(name), text });
  write('outline', skill('outline', 'Plans a scene.', 'routing: {should: [plan a scene]}'));
  write('grammar', skill('grammar', 'Fixes grammar.'));
  return workspace;
}

test('a new description of a skill affects skills with routing cases', () => {
  const workspace = opened();
  const affected = workspace.apply({ kind: 'text', uri: uriOf('grammar'), text: skill('grammar', 'Plans a scene.') });
  assert.deepEqual([...affected].sort(), [uriOf('grammar'), uriOf('outline')]);
});

test('an edit to a body does not affect skills with routing cases', () => {
  const workspace = opened();
  const text = skill('grammar', 'Fixes grammar.').replace('Do it.', 'Do it well.');
  assert.deepEqual([...workspace.apply({ kind: 'text', uri: uriOf('grammar'), text })], [uriOf('grammar')]);
});

test('a new or deleted skill affects skills that have routing cases, but not skills that no longer have any', () => {
  const workspace = opened();
  const text = skill('draw', 'Draws a scene.');
  assert.deepEqual([...workspace.apply({ kind: 'text', uri: uriOf('draw'), text })].sort(), [
    uriOf('draw'),
    uriOf('outline'),
  ]);
  workspace.apply({ kind: 'text', uri: uriOf('outline'), text: skill('outline', 'Plans a scene.') });
  assert.deepEqual([...workspace.apply({ kind: 'delete', uri: uriOf('draw') })], [uriOf('draw')]);
});

const failing = (workspace: Workspace, name: string): number => {
  const file = workspace.analysis.file(uriOf(name));
  return file ? check(file, workspace.analysis).filter(({ rule }) => rule === 'routing-fails').length : -1;
};

test('does not check the routing cases of an older version or a disabled skill', () => {
  const workspace = opened();
  const write = (uri: string, text: string) => workspace.apply({ kind: 'text', uri, text });
  const versioned = (version: string) =>
    skill('fly', 'Flies.', `version: ${version}`, 'routing: {should: [fly there]}');
  write(uriOf('fly'), versioned('1.0.0'));
  write(uriOf('fly-2'), versioned('2.0.0'));
  assert.deepEqual([failing(workspace, 'fly'), failing(workspace, 'fly-2')], [0, 0]);
  write('file:///skills.config.yaml', 'permissions: {outline: {enabled: false}}\n');
  assert.equal(failing(workspace, 'outline'), 0);
});

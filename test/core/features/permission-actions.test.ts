/** The actions that turn a skill on or off, at its name and at its permission. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { utf16 } from '../../../server/src/features/locate.ts';
import { permissionActions } from '../../../server/src/features/permission.ts';
import { applyEdits } from '../../../server/src/text.ts';
import { at } from './cursor.ts';

const CATALOG = 'skills.config.yaml';
const skill = (name: string): string => `---\nname: ${name}\ndescription: It tests.\n---\n`;

/** For each action, its title, and the edited catalog or the client's command. */
function offered(files: Readonly<Record<string, string>>, disableCommand?: string, only?: readonly string[]): unknown {
  const { analysis, file, offset } = at(files);
  const position = utf16.range(file, { start: offset, end: offset }).start;
  const actions = permissionActions(analysis, file, { start: position, end: position }, only, utf16, disableCommand);
  return actions.map(({ title, edit, command }) => {
    const [[uri, edits] = ['', []]] = Object.entries(edit?.changes ?? {});
    const catalog = analysis.file(uri);
    if (!catalog) return [title, command?.command, command?.arguments];
    const placed = edits.map(({ range, newText }) => ({
      span: { start: utf16.offset(catalog, range.start), end: utf16.offset(catalog, range.end) },
      newText,
    }));
    return [title, applyEdits(catalog.text, placed)];
  });
}

test('offers to disable or enable a skill at its name', () => {
  const named = { 'skills/test.skill.md': skill('te$0st') };
  const disabled = '# Ours.\npermissions:\n  test: {enabled: false}\n';
  assert.deepEqual(offered({ ...named, [CATALOG]: '# Ours.\n' }), [['Disable ‘test’ in this workspace', disabled]]);
  assert.deepEqual(offered({ ...named, [CATALOG]: disabled }), [['Enable ‘test’ in this workspace', '# Ours.\n']]);
  assert.deepEqual(offered({ ...named, [CATALOG]: disabled }, undefined, ['refactor']), [
    ['Enable ‘test’ in this workspace', '# Ours.\n'],
  ]);
  assert.deepEqual(offered({ ...named, [CATALOG]: disabled }, undefined, ['quickfix']), []);
  assert.deepEqual(offered({ ...named, [CATALOG]: 'tools: [\n' }), []);
});

test('offers to create a missing catalog', () => {
  const files = { 'skills/test.skill.md': skill('te$0st') };
  assert.deepEqual(offered(files), []);
  const uri = 'file:///skills-here/skills/test.skill.md';
  assert.deepEqual(offered(files, 'disable'), [['Disable ‘test’ in this workspace', 'disable', [{ uri }]]]);
});

test('offers to disable a skill at its permission in the catalog', () => {
  const files = { 'skills/test.skill.md': skill('test'), [CATALOG]: 'permissions:\n  te$0st: {channels: [one]}\n' };
  assert.deepEqual(offered(files), [
    ['Disable ‘test’ in this workspace', 'permissions:\n  test: {channels: [one], enabled: false}\n'],
  ]);
});

test('offers nothing at other positions', () => {
  assert.deepEqual(offered({ 'skills/test.skill.md': skill('test').replace('It', 'I$0t'), [CATALOG]: '' }), []);
  assert.deepEqual(offered({ [CATALOG]: 'permi$0ssions: {}\n' }), []);
});

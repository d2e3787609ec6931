/** The text that the editor inserts after a key. `|` is the cursor after the key. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { followUp, type Lines } from '../../../client/src/language-server/follow-up.ts';

/** The text after the insertion, or undefined if nothing is inserted. */
function after(key: string, marked: string): string | undefined {
  const offset = marked.indexOf('|');
  const text = marked.replace('|', '');
  const all = text.split('\n');
  const lines: Lines = { lineCount: all.length, lineAt: (line) => ({ text: all[line] ?? '' }) };
  const before = text.slice(0, offset).split('\n');
  const line = before.length - 1;
  const typed = key === 'Backspace' ? '' : key;
  const character = (before[line] ?? '').length - typed.length;
  const edit = followUp({ text: typed, removed: key === 'Backspace' ? 1 : 0, line, character }, lines);
  if (!edit) return undefined;
  const at = ([row, column]: readonly [number, number]) =>
    all.slice(0, row).reduce((sum, one) => sum + one.length + 1, 0) + column;
  return text.slice(0, at(edit.from)) + edit.text + text.slice(at(edit.to));
}

test('deleting the start of an empty tag deletes its end', () => {
  assert.equal(after('Backspace', 'a {|%} b'), 'a {} b');
  assert.equal(after('Backspace', '{|#}'), '{}');
  assert.equal(after('Backspace', '{%| %}'), '{%%}');
  assert.equal(after('Backspace', '{#| #}'), '{##}');
  assert.equal(after('Backspace', '{{| }}'), '{{}}');
  for (const text of ['{%| if x %}', '{|% x %}', '{{|}}', '{| }', '|%}', '{%| }}', 'a|']) {
    assert.equal(after('Backspace', text), undefined, text);
  }
});

test('closes frontmatter that is opened on the first line, unless it is already closed', () => {
  assert.equal(after('-', '---|'), '---\n---\n');
  assert.equal(after('-', '---|\n'), '---\n---\n');
  assert.equal(after('-', '---|\n\n# Title\n'), '---\n---\n\n# Title\n');
  for (const text of ['---|\n---\n', '---|\nname: x\n', '----|', '--|', 'a\n---|', '---|\n\nText.\n\n---\n']) {
    assert.equal(after('-', text), undefined, text);
  }
});

test('a typed closing fence replaces the fence that was added automatically', () => {
  assert.equal(after('-', '---\nname: x\n---|\n---\n'), '---\nname: x\n---\n');
  assert.equal(after('-', '---\nname: x\n---\n---|\n---\n'), undefined);
  assert.equal(after('-', '---\nname: x\n---|\n\n---\n'), undefined);
});

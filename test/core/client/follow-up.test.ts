/** The text that the editor inserts after a key. `|` is the cursor after the key. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { followUp, type Lines } from '../../../client/src/language-server/follow-up.ts';

/** The text after the insertion, or undefined if nothing is inserted. */
function after(key: string, marked: string, hasTemplates = true): string | undefined {
  const offset = marked.indexOf('|');
  const text = marked.replace('|', '');
  const all = text.split('\n');
  const lines: Lines = { lineCount: all.length, lineAt: (line) => ({ text: all[line] ?? '' }) };
  const before = text.slice(0, offset).split('\n');
  const line = before.length - 1;
  const typed = key === 'Backspace' ? '' : key;
  // The editor adds the second character of a pair after the cursor.
  const character = (before[line] ?? '').length - Math.min(1, typed.length);
  const edit = followUp({ text: typed, removed: key === 'Backspace' ? 1 : 0, line, character }, lines, hasTemplates);
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

test('closes a tag whose first bracket the editor has not closed', () => {
  assert.equal(after('%', 'a {%|'), 'a {%%}');
  assert.equal(after('#', '{#| b'), '{##} b');
  assert.equal(after('%%', 'a {%|%'), 'a {%%}');
  assert.equal(after('%%', '{%|% b'), '{%%} b');
  for (const text of ['{%|}', '{%|%}', '{%|b', '100%|', '{{%|']) assert.equal(after('%', text), undefined, text);
  for (const text of ['{%|%}', '{%|%b']) assert.equal(after('%%', text), undefined, text);
  assert.equal(after('%', 'a {%|', false), undefined);
});

test('a typed end of a tag replaces the end that was added automatically', () => {
  assert.equal(after('}', '{% if x %}|%}'), '{% if x %}');
  assert.equal(after('}', 'a {##}|#} b'), 'a {##} b');
  for (const text of ['{% if x %}|}', '{% if x %}|#}', '{{ x }}|}}', '{}|%}', '{% a %} {b}|%}', '{% a %}%}|%}']) {
    assert.equal(after('}', text), undefined, text);
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

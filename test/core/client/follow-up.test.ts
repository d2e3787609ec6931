/** The text that the editor inserts after a key. `|` is the cursor after the key, or `^` if it was typed on up to `|`. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { followUp, type Lines } from '../../../client/src/language-server/follow-up.ts';

/** The text after the insertion, or undefined if nothing is inserted. */
function after(key: string, marked: string, hasTemplates = true): string | undefined {
  const text = marked.replace(/[|^]/g, '');
  const all = text.split('\n');
  const lines: Lines = { lineCount: all.length, lineAt: (line) => ({ text: all[line] ?? '' }) };
  const placeOf = (offset: number): [number, number] => {
    const before = text.slice(0, offset).split('\n');
    return [before.length - 1, before.at(-1)?.length ?? 0];
  };
  const cursor = placeOf(marked.replace('^', '').indexOf('|'));
  const typed = key === 'Backspace' ? '' : key;
  const [line, end] = marked.includes('^') ? placeOf(marked.replace('|', '').indexOf('^')) : cursor;
  // The editor adds the second character of a pair after the cursor.
  const character = end - Math.min(1, typed.length);
  const change = { text: typed, removed: key === 'Backspace' ? 1 : 0, line, character };
  const edit = followUp(change, lines, cursor, hasTemplates);
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

test('closes a tag at the cursor if text was typed after its start', () => {
  assert.equal(after('%', 'a {%^ if x|'), 'a {% if x %}');
  assert.equal(after('%', '{%^ |'), '{%  %}');
  assert.equal(after('%', '{%^if x| b'), '{%if x%} b');
  assert.equal(after('#', '{#^ a note|'), '{# a note #}');
  // The editor has added a space, or a part of the end.
  assert.equal(after('%', '{%^ | '), '{%  %}');
  assert.equal(after('##', '{#^ note| #'), '{# note #}');
  assert.equal(after('%%', '{%^ if x|%'), '{% if x %}');
  const closed = ['{%^ if x| %}', '{%^ if x|%}', '{%^ if x %|', '{%^ if x %}|', '{%^ if x %} a {{ b|', '{%^ if x\n|'];
  for (const text of [...closed, '|{%^ if x', '{|%^ if x', '{%^ if x|y'])
    assert.equal(after('%', text), undefined, text);
  assert.equal(after('}', '{% if x %}^ it| %}'), '{% if x %} it');
  assert.equal(after('}', '{% if x %}^|{% endif %}'), undefined);
});

test('no tag is closed twice, at any place of the cursor', () => {
  for (const text of ['{%}', '{% if x %}', '{% if x%} a', '{%%}', '{##}', '{# note #} {# b #}']) {
    for (let at = 2; at <= text.length; at++) {
      for (const sign of ['%', '%%', '#', '##']) {
        const result = after(sign, `${text.slice(0, 2)}^${text.slice(2, at)}|${text.slice(at)}`);
        const ends = result?.match(/[%#]\}/g)?.length ?? 0;
        assert.ok(ends <= (text.match(/\{[%#]/g)?.length ?? 0), `${sign}: ${text} at ${at}: ${result}`);
      }
    }
  }
});

test('a typed end of a tag replaces the end that was added automatically', () => {
  assert.equal(after('}', '{% if x %}|%}'), '{% if x %}');
  assert.equal(after('}', 'a {##}|#} b'), 'a {##} b');
  assert.equal(after('}', '{% if x %}| %}'), '{% if x %}');
  for (const text of ['{% if x %}|}', '{% if x %}|#}', '{{ x }}|}}', '{}|%}', '{% a %} {b}|%}', '{% a %}%}|%}']) {
    assert.equal(after('}', text), undefined, text);
  }
});

test('closes frontmatter that is opened on the first line, unless it is already closed', () => {
  assert.equal(after('-', '---|'), '---\n---\n');
  assert.equal(after('-', '---|\n'), '---\n---\n');
  assert.equal(after('-', '---|\n\n# Title\n'), '---\n---\n\n# Title\n');
  assert.equal(after('-', '---^\n|'), '---\n\n---\n');
  assert.equal(after('-', '---^\n|\nText.'), '---\n\n---\nText.');
  for (const text of [
    '---^\n\n|',
    '---^\n|Text.',
    '---|\n---\n',
    '---|\nname: x\n',
    '----|',
    '--|',
    'a\n---|',
    '---|\n\nText.\n\n---\n',
  ]) {
    assert.equal(after('-', text), undefined, text);
  }
});

test('a typed closing fence replaces the fence that was added automatically', () => {
  assert.equal(after('-', '---\nname: x\n---|\n---\n'), '---\nname: x\n---\n');
  assert.equal(after('-', '---\nname: x\n---\n---|\n---\n'), undefined);
  assert.equal(after('-', '---\nname: x\n---|\n\n---\n'), undefined);
});

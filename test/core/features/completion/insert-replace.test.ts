// biome-ignore-all lint/suspicious/noTemplateCurlyInString: snippets have tab stops in braces.
/** A client that lets the user decide whether an item replaces the rest of the word at the cursor. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { type CompletionItem, InsertReplaceEdit, type Range } from 'vscode-languageserver-types';
import { completion } from '../../../../server/src/features/completion/completion.ts';
import type { CompletionClient } from '../../../../server/src/features/completion/items.ts';
import { findPath, pathCompletion } from '../../../../server/src/features/completion/paths.ts';
import { utf16 } from '../../../../server/src/features/locate.ts';
import { applyEdits } from '../../../../server/src/text.ts';
import { at, type CursorPosition } from '../cursor.ts';

const CLIENT: CompletionClient = { defaults: new Set(), supportsSnippets: true, supportsInsertReplace: true };

const itemsAt = ({ analysis, file, offset }: CursorPosition, client = CLIENT): readonly CompletionItem[] => {
  const path = findPath(file, offset);
  const entries = [{ name: 'steps.md', isFolder: false }];
  const answer = path
    ? pathCompletion(analysis, file, offset, path, entries, utf16, client)
    : completion(analysis, file, offset, utf16, client);
  return Array.isArray(answer) ? answer : answer.items;
};

/** Returns the changed line after the item is inserted, and after it replaces the word. */
function accepted(source: string, label: string): readonly [inserted: string, replaced: string] {
  const place = at(source);
  const edit = itemsAt(place).find((item) => item.label === label)?.textEdit;
  assert.ok(edit, `${label} is offered`);
  const line = source.slice(0, source.indexOf('$0')).split('\n').length - 1;
  const after = ({ start, end }: Range): string => {
    const replaced = { start: utf16.offset(place.file, start), end: utf16.offset(place.file, end) };
    return applyEdits(place.file.text, [{ span: replaced, newText: edit.newText }]).split('\n')[line] ?? '';
  };
  return InsertReplaceEdit.is(edit)
    ? [after(edit.insert), after(edit.replace)]
    : [after(edit.range), after(edit.range)];
}

const HEAD = '---\nname: test\ninput_schema:\n  tone: [grim, wry]\n  note: string?\n';
const template = (text: string) =>
  `${HEAD}---\n\n## PromptTemplate: main\n\n${text}\n\n## PromptTemplate: cast list\n\nText.\n`;

for (const [what, source, label, inserted, replaced] of [
  ['a key', '---\nna$0me: a\n---\n', 'version', 'versionme: a', 'version: a'],
  ['a value', '---\noperation: RE$0AD\n---\n', 'WRITE', 'operation: WRITEAD', 'operation: WRITE'],
  ['a value in quotes', '---\noperation: "RE$0AD"\n---\n', 'WRITE', 'operation: "WRITEAD"', 'operation: "WRITE"'],
  ['a name', template('{{ no$0te }}'), 'tone', '{{ tonete }}', '{{ tone }}'],
  [
    'a call',
    template('{{ note | re$0place }}'),
    'indent',
    '{{ note | indent(${1:width})place }}',
    '{{ note | indent(${1:width}) }}',
  ],
  ['a string', template('{% if tone == "gr$0im" %}'), 'wry', '{% if tone == "wryim" %}', '{% if tone == "wry" %}'],
  [
    'a template',
    template('{% include "ca$0st lost" %}'),
    'cast list',
    '{% include "cast listst lost" %}',
    '{% include "cast list" %}',
  ],
  [
    'a reference',
    '---\nname: test\ntools: [read, write]\n---\nUse #tool:re$0ad now.\n',
    '#tool:write',
    'Use #tool:writead now.',
    'Use #tool:write now.',
  ],
  [
    'a name in a list',
    '---\nname: test\noutput_schema: {}\nversion: 1.0.0\neffects: [Que$0ry]\n---\n',
    'Mutate',
    'effects: [Mutatery]',
    'effects: [Mutate]',
  ],
  [
    'a path',
    '---\nname: test\n---\n[x](references/st$0ep.md)\n',
    'steps.md',
    '[x](references/steps.mdep.md)',
    '[x](references/steps.md)',
  ],
] as const) {
  test(`inserts ${what} before the rest of the word, or replaces the word`, () => {
    assert.deepEqual(accepted(source, label), [inserted, replaced]);
  });
}

for (const [what, source, label, replaced] of [
  ['a value that gets quotes', template('{% if tone == gr$0im %}'), '"grim"', '{% if tone == "grim" %}'],
  ['a keyword with its closer', template('{% i$0 %}'), 'include', '{% include "$1" %}'],
  ['the end of a word', template('{{ no$0 }}'), 'note', '{{ note }}'],
] as const) {
  test(`replaces ${what} in either case`, () => {
    assert.deepEqual(accepted(source, label), [replaced, replaced]);
  });
}

/** Semantic tokens as `name type modifiers`, in the order of the text. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { type Locate, utf8, utf16 } from '../../../server/src/features/locate.ts';
import { semanticTokens } from '../../../server/src/features/semantic-tokens/semantic-tokens.ts';
import { TOKEN_MODIFIERS, TOKEN_TYPES } from '../../../server/src/features/semantic-tokens/token.ts';
import { at } from './cursor.ts';

function tokensIn(files: Record<string, string> | string, locate: Locate = utf16): readonly string[] {
  const { analysis, file } = at(files);
  const { data } = semanticTokens(analysis, file, locate);
  const found: string[] = [];
  let line = 0;
  let character = 0;
  for (let i = 0; i < data.length; i += 5) {
    const [lines = 0, columns = 0, length = 0, type = 0, bits = 0] = data.slice(i, i + 5);
    line += lines;
    character = lines > 0 ? columns : character + columns;
    const start = locate.offset(file, { line, character });
    const end = locate.offset(file, { line, character: character + length });
    const modifiers = TOKEN_MODIFIERS.filter((_, bit) => bits & (1 << bit));
    found.push([file.text.slice(start, end), TOKEN_TYPES[type], ...modifiers].join(' '));
  }
  return found;
}

const inTemplate = (template: string) =>
  tokensIn(`---\nname: test\ninput_schema: {cast: string[]}\n---\n\n## PromptTemplate: main\n\n${template}$0\n`);

test('names in a template by where they come from; what nobody knows gets nothing', () => {
  assert.deepEqual(inTemplate('{% for one in cast %}{{ one }} {{ user_request }} {{ nobody }}{% endfor %}'), [
    'one variable declaration',
    'cast parameter',
    'one variable',
    'user_request variable readonly',
  ]);
  assert.deepEqual(inTemplate('{% set n = cast %}{{ parameters.cast }} {{ n[0].x["y"] }}'), [
    'n variable declaration',
    'cast parameter',
    'parameters variable readonly',
    'cast property',
    'n variable',
    'x property',
  ]);
});

test('macros are functions, and what they take are parameters', () => {
  assert.deepEqual(inTemplate('{% macro say(who) %}{{ who }}{% endmacro %}{{ say(cast) }}'), [
    'say function declaration',
    'who parameter declaration',
    'who parameter',
    'say function',
    'cast parameter',
  ]);
});

test('filters, tests and functions of the language; words of the language are left to the grammar', () => {
  assert.deepEqual(inTemplate('{% for i in range(3) %}{{ loop.index | nobody }}{% endfor %}'), [
    'i variable declaration',
    'range function defaultLibrary',
    'index property',
  ]);
  assert.deepEqual(inTemplate('{{ cast | map("upper") | join }}{% if cast is defined %}{% endif %}'), [
    'cast parameter',
    'map function defaultLibrary',
    'join function defaultLibrary',
    'cast parameter',
    'defined function defaultLibrary',
  ]);
});

const CATALOG = 'tools: [{name: read_page}]\n';
const OTHER = '---\nname: other\n---\n';

test('references in frontmatter and prose, where there is what they name', () => {
  const skill = `---
name: test
tools: ["read_page", missing]
interrupts: [{name: before_write, when: tone == "grim" and source}]
composes: [other, {skill: nobody}]
framing: main
input_schema: {tone: string}
---

Use #tool:read_page, #tool:missing, #skill:other and #artifact:main, not \`#tool:read_page\`.$0

## PromptTemplate: main

Text.
`;
  assert.deepEqual(
    tokensIn({ 'skills.config.yaml': CATALOG, 'skills/other.skill.md': OTHER, 'skills/a.skill.md': skill }),
    [
      'read_page function defaultLibrary',
      'before_write variable readonly defaultLibrary',
      'tone parameter',
      'source variable readonly',
      'other class defaultLibrary',
      'main function',
      'read_page function defaultLibrary',
      'other class defaultLibrary',
      'main function',
    ],
  );
});

test('without a catalog no tool is unknown', () => {
  assert.deepEqual(tokensIn('---\nname: test\ntools: [a]\n---\n$0'), ['a function defaultLibrary']);
});

test('columns and lengths are in the encoding of the client', () => {
  const skill = '---\nname: test\n---\n\nDas Mädchen 🦊 ruft #tool:a, und #tool:b.$0\n';
  assert.deepEqual(tokensIn(skill, utf8), tokensIn(skill));
  assert.equal(tokensIn(skill).length, 2);
});

test('a range holds what touches it, counted from the start of the file', () => {
  const { analysis, file } = at('---\nname: test\ntools: [a]\n---\n\n#tool:b\n$0');
  const all = semanticTokens(analysis, file, utf16).data;
  const range = { start: { line: 5, character: 0 }, end: { line: 6, character: 0 } };
  assert.deepEqual(all, [2, 8, 1, 3, 4, 3, 6, 1, 3, 4]);
  assert.deepEqual(semanticTokens(analysis, file, utf16, range).data, [5, 6, 1, 3, 4]);
});

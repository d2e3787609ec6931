/** Semantic tokens as `name type modifiers`, in the order of the text. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { SemanticTokenTypes } from 'vscode-languageserver-types';
import manifest from '../../../package.json' with { type: 'json' };
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

const FRONTMATTER = '---\nname: test\ninput_schema: {cast: string[]}\n---\n';

/** The tokens after the frontmatter. */
const inTemplate = (template: string) =>
  tokensIn(`${FRONTMATTER}\n## PromptTemplate: main\n\n${template}$0\n`).slice(tokensIn(`${FRONTMATTER}$0`).length);

test('marks names in a template according to their origin, and ignores unknown names', () => {
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

test('marks macros as functions, and their arguments as parameters', () => {
  assert.deepEqual(inTemplate('{% macro say(who) %}{{ who }}{% endmacro %}{{ say(cast) }}'), [
    'say function declaration',
    'who parameter declaration',
    'who parameter',
    'say function',
    'cast parameter',
  ]);
});

test('marks filters, tests and functions, but not keywords', () => {
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

test('marks references to existing names in frontmatter and prose', () => {
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
      'test class declaration',
      'read_page function defaultLibrary',
      'before_write enumMember',
      'tone parameter',
      'source variable readonly',
      'other class defaultLibrary',
      'main function',
      'tone parameter declaration',
      'string keyword',
      'read_page function defaultLibrary',
      'other class defaultLibrary',
      'main function',
    ],
  );
});

/** Returns the tokens of the frontmatter, except the first token, which is for `name`. */
const inFrontmatter = (frontmatter: string) => tokensIn(`---\nname: test\n${frontmatter}---\n$0`).slice(1);

test('marks each line of a prose value, with or without quotes', () => {
  assert.deepEqual(inFrontmatter('description: >-\n  Plans it.\n\n  Use it: first.\nid: a b\n'), [
    'Plans it. prose',
    'Use it: first. prose',
  ]);
  assert.deepEqual(inFrontmatter('description: "Plans\n  it."\ntitle: \'\'\nintent_patterns: [plan it]\n'), [
    'Plans prose',
    'it. prose',
    'plan it prose',
  ]);
});

test('marks effects and keywords of the format as constants', () => {
  assert.deepEqual(inFrontmatter('operation: READ\neffects: [Query]\nsource: "user"\nallowed_contexts: [nowhere]\n'), [
    'READ enumMember',
    'Query enumMember',
    'user enumMember',
  ]);
});

test('marks fields, types, constants and descriptions of a shorthand schema', () => {
  assert.deepEqual(inFrontmatter('input_schema:\n  place: string[]?, where it happens\n  tone: [grim, 3]\n'), [
    'place parameter declaration',
    'string[]? keyword',
    ', where it happens prose',
    'tone parameter declaration',
    'grim enumMember',
  ]);
  assert.deepEqual(
    inFrontmatter(
      'output_schema:\n  road:\n    days: {type: number, min: 0, description: how long}\n    kind: {type: string, enum: [sea], default: sea}\n',
    ),
    [
      'road property declaration',
      'days property declaration',
      'number keyword',
      'how long prose',
      'kind property declaration',
      'string keyword',
      'sea enumMember',
      'sea enumMember',
    ],
  );
});

test('marks properties, types, constants and descriptions of a JSON Schema', () => {
  const schema =
    '{type: object, required: [a], properties: {a: {type: [string, "null"], const: x, description: What it is.}}}';
  assert.deepEqual(inFrontmatter(`input_schema: ${schema}\n`), [
    'object keyword',
    'a parameter declaration',
    'string keyword',
    'null keyword',
    'x enumMember',
    'What it is. prose',
  ]);
});

test('marks the names of steps in `execution`', () => {
  const files = {
    'skills/plan.skill.md': '---\nname: plan\n---\n',
    'skills/a.skill.md':
      '---\nname: a\ncomposes: [plan, {skill: plan, as: again}]\nexecution: [{step: plan}, {step: again}, {step: nobody}]\n---\n$0',
  };
  assert.deepEqual(tokensIn(files), [
    'a class declaration',
    'plan class defaultLibrary',
    'plan class defaultLibrary',
    'again class declaration',
    'plan class',
    'again class',
  ]);
});

test('marks the names in a catalog', () => {
  const catalog =
    'tools: [{name: read_page, description: Reads it., operation: READ}]\ninterrupts: [{name: stop, node: plan}]\n$0';
  assert.deepEqual(tokensIn({ 'skills.config.yaml': catalog }), [
    'read_page function declaration',
    'Reads it. prose',
    'READ enumMember',
    'stop enumMember declaration',
    'plan enumMember',
  ]);
});

test('marks the allowed tools in a SKILL.md without their patterns', () => {
  const skill = '---\nname: s\ndescription: It works.\nallowed-tools: Bash(git add:*) Read mcp__x__y\n---\n$0';
  assert.deepEqual(tokensIn({ 's/SKILL.md': skill }), [
    's class declaration',
    'It works. prose',
    'Bash function defaultLibrary',
    'Read function defaultLibrary',
    'mcp__x__y function defaultLibrary',
  ]);
});

test('marks all tools if there is no catalog', () => {
  assert.deepEqual(tokensIn('---\nname: test\ntools: [a]\n---\n$0'), [
    'test class declaration',
    'a function defaultLibrary',
  ]);
});

test('uses the position encoding of the client', () => {
  const skill = '---\nname: test\n---\n\nDas Mädchen 🦊 ruft #tool:a, und #tool:b.$0\n';
  assert.deepEqual(tokensIn(skill, utf8), tokensIn(skill));
  assert.equal(tokensIn(skill).length, 3);
});

test('returns tokens that touch a range, relative to the start of the file', () => {
  const { analysis, file } = at('---\nname: test\ntools: [a]\n---\n\n#tool:b\n$0');
  const all = semanticTokens(analysis, file, utf16).data;
  const range = { start: { line: 5, character: 0 }, end: { line: 6, character: 0 } };
  assert.deepEqual(all, [1, 6, 4, 4, 1, 1, 8, 1, 3, 4, 3, 6, 1, 3, 4]);
  assert.deepEqual(semanticTokens(analysis, file, utf16, range).data, [5, 6, 1, 3, 4]);
});

test('the manifest declares the nonstandard token types and a colour for each', () => {
  const standard: readonly string[] = Object.values(SemanticTokenTypes);
  const own = TOKEN_TYPES.filter((type) => !standard.includes(type));
  const { semanticTokenTypes, semanticTokenScopes } = manifest.contributes;
  assert.deepEqual(
    semanticTokenTypes.map(({ id }) => id),
    own,
  );
  assert.deepEqual(Object.keys(semanticTokenScopes[0]?.scopes ?? {}), own);
});

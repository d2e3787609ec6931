/** Authored text is escaped in all Markdown that the server sends. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Nodes, Root } from 'mdast';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import type { Analysis } from '../../../server/src/analysis/analysis.ts';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { completion } from '../../../server/src/features/completion/completion.ts';
import { hover } from '../../../server/src/features/hover/hover.ts';
import { inlayHints } from '../../../server/src/features/inlay-hints.ts';
import { utf16 } from '../../../server/src/features/locate.ts';
import { code, fence, type Markdown, markup, md, prose } from '../../../server/src/features/markdown.ts';
import { signatureHelp } from '../../../server/src/features/signature-help.ts';
import type { InlayHintKind } from '../../../server/src/protocol.ts';
import type { SkillFile } from '../../../server/src/skill/skill-file.ts';
import { cases } from '../../random.ts';

const PIECES = [
  '![x](https://e.example/x.png)',
  '![x][a]',
  '<img src="https://e.example/x.png">',
  '<!-- c -->',
  '<https://e.example>',
  '<a@e.example>',
  'https://e.example/a_b?c=d',
  'HTTP://E.EXAMPLE',
  'ftp://e.example',
  'www.e.example',
  'someone@e.example',
  '[a](command:workbench.action.quit)',
  '[a]: https://e.example "t"',
  '[a]',
  '$(trash)',
  '&lt;b&gt;',
  '&#33;',
  '`',
  '``',
  '```',
  '~~~',
  '````text',
  '# h',
  '===',
  '---',
  '***',
  '___',
  '__a__',
  '*a*',
  '> q',
  '- i',
  '1. i',
  '12) i',
  '| a | b |\n| - | - |',
  'a | b\n:- | -:',
  '    indented',
  '\tindented',
  '\\',
  '\\\\[a](b)',
  '\n',
  '\n\n',
  '\r\n',
  '\r',
  '\u2028',
  '\u0085',
  ' ',
  '\u00a0',
  '\u202e',
  '\u001b[31m',
  '\u009b',
  '\ud800',
  'snake_case',
  'word',
  '.',
  ':',
  '7',
];
const hostile = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''));

const parser = unified().use(remarkParse).freeze();
const nodesOf = (node: Nodes): Nodes[] => [node, ...('children' in node ? node.children.flatMap(nodesOf) : [])];

const ALLOWED = new Set([
  'root',
  'paragraph',
  'text',
  'break',
  'strong',
  'emphasis',
  'inlineCode',
  'code',
  'list',
  'listItem',
]);
/** Source text that must be escaped, because editors render it as links, tables, strikethrough and icons. */
const ADDRESS = /(?:https?|ftp):\/\/|www\.|[\w.+-]@[\w-]|(?<!\\)(?:\\\\)*(?:\$\(|[|~&<])/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression searches for control characters.
const UNSEEN = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u2028\u2029]/;

/** Fails if the Markdown contains anything except paragraphs, lists, code and emphasis. */
function checkMarkdown(value: string): Root {
  const root = parser.parse(value);
  for (const node of nodesOf(root)) {
    assert.ok(ALLOWED.has(node.type), `${node.type} in ${JSON.stringify(value)}`);
    if (node.type !== 'text') continue;
    const source = value.slice(node.position?.start.offset, node.position?.end.offset);
    assert.doesNotMatch(source, ADDRESS, JSON.stringify(value));
  }
  assert.doesNotMatch(value, UNSEEN, JSON.stringify(value));
  return root;
}

const sourceOf = (markdown: Markdown): string => markup(markdown).value;
const words = (text: string): string => text.replace(/[\s\u0085\u2028\u2029]+/g, '');

test("an author's text is rendered only as paragraphs of plain text", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const root = checkMarkdown(sourceOf(prose(text)));
      const nodes = nodesOf(root);
      assert.ok(
        nodes.every(({ type }) => ['root', 'paragraph', 'text', 'break'].includes(type)),
        JSON.stringify(root),
      );
      const shown = nodes.flatMap((node) => (node.type === 'text' ? [node.value] : [])).join('');
      // biome-ignore lint/suspicious/noControlCharactersInRegex: invisible characters are escaped.
      const written = text.replace(/[\u0000-\u001f\u007f-\u009f\u202e\ud800]/g, '').replaceAll(/\s/g, '');
      assert.equal(words(shown).replaceAll(/\\u[0-9a-f]{4}|[\u2400-\u2421]/g, ''), words(written));
    }),
    cases(2_000),
  );
});

test("an author's text does not affect the surrounding text", () => {
  fc.assert(
    fc.property(hostile, hostile, hostile, (one, other, third) => {
      const root = checkMarkdown(sourceOf(md`- **${one}** · ${other}: ${code(third)}`));
      assert.deepEqual(
        root.children.map(({ type }) => type),
        ['list'],
      );
      assert.equal(nodesOf(root).filter(({ type }) => type === 'list').length, 1);
    }),
    cases(2_000),
  );
});

test('code can contain any text, including backticks and fences', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const span = parser.parse(sourceOf(code(text)));
      assert.deepEqual(
        nodesOf(span).map(({ type }) => type),
        ['root', 'paragraph', 'inlineCode'],
      );
      const block = parser.parse(sourceOf(fence('text', text)));
      assert.deepEqual(
        nodesOf(block).map(({ type }) => type),
        ['root', 'code'],
      );
    }),
    cases(2_000),
  );
});

test('paragraphs and lists in a description stay readable', () => {
  const text = 'Reads a page.\nOnce.\n\nTakes:\n- a slug\n- a `mark`\n\n\n\n1. first\n2. second\n';
  assert.equal(
    sourceOf(prose(text)),
    'Reads a page.\nOnce.\n\nTakes:  \n\\- a slug  \n\\- a \\`mark\\`\n\n1\\. first  \n2\\. second',
  );
});

/** A workspace in which every name and every description is hostile. */
function hostileWorld(
  name: string,
  text: string,
): { readonly analysis: Analysis; readonly files: readonly SkillFile[] } {
  const [n, t] = [JSON.stringify(name), JSON.stringify(text)];
  const catalog = `tools:
  - {name: ${n}, description: ${t}, server: ${t}, operation: READ, scope: ${n}, input_schema: {type: object, properties: {${n}: {type: string, description: ${t}, enum: [${t}], default: ${t}}}}}
scopes: [${n}]
roles: {${n}: [${n}]}
profiles: [{name: ${n}, description: ${t}, role: ${n}, scopes: [${n}], tools: [${n}]}]
interrupts: [{name: ${n}, node: ${n}, description: ${t}}]
effects: [{name: ${n}, description: ${t}}]
models: [${n}]
`;
  const schema = `{type: object, properties: {${n}: {type: string, description: ${t}, default: ${t}}, tone: {type: string, description: ${t}, enum: [${t}]}}}`;
  const part = `name: part\ndescription: ${t}\nversion: 1.0.0\nlevel: 1\neffects: [${n}]\nrequired_scopes: [${n}]\ninterrupts: [${n}]\nallowed_roles: [${n}]\ntools: [${n}]\nsuccessor: ${n}\ninput_schema: ${schema}\noutput_schema: ${schema}\n`;
  const hostilePart = part.replace('name: part', `name: ${n}`);
  const skill = `---
name: whole
description: ${t}
version: 1.0.0
level: 2
tools: [${n}]
required_scopes: [${n}]
allowed_roles: [${n}]
effects: [Query]
interrupts: [{name: ${n}, when: tone is defined}]
input_schema: ${schema}
output_schema: ${schema}
composes: [part, {skill: ${n}, as: ${n}}]
requires: [{skill: part, version: ^1.0.0}, {skill: ${n}, version: ^1.0.0}]
execution: [{step: part, inputs: {tone: $input.tone}}]
samples: {${n}: {parameters: {tone: ${t}, ${n}: ${t}}, profile: ${n}, model: ${n}}}
---

Use #tool:x.

## PromptTemplate: main

{% macro m(a=${t.replaceAll(/[{}%#\n]/g, '')}) %}{{ a }}{% endmacro %}{{ m(1) }}{{ tone }}{{ parameters.tone }}
`;
  const workspace = new Workspace();
  const texts = {
    'skills.config.yaml': catalog,
    'part.skill.yaml': part,
    'other.skill.yaml': hostilePart,
    'whole.skill.md': skill,
  };
  for (const [path, source] of Object.entries(texts))
    workspace.apply({ kind: 'text', uri: `file:///w/${path}`, text: source });
  const { analysis } = workspace;
  const files = Object.keys(texts).flatMap((path) => analysis.file(`file:///w/${path}`) ?? []);
  return { analysis, files };
}

type Sent = { readonly value: string } | string | undefined;

/** The Markdown of every result for a file, at regular offsets. */
function* sent(analysis: Analysis, file: SkillFile, step: number): Iterable<Sent> {
  const whole = utf16.range(file, { start: 0, end: file.text.length });
  const all = new Set<InlayHintKind>(['versions', 'effects', 'operation', 'budget']);
  for (const { tooltip } of inlayHints(analysis, file, whole, all, utf16)) yield tooltip;
  for (let offset = 0; offset <= file.text.length; offset += step) {
    const hovered = hover(analysis, file, offset, utf16)?.contents;
    if (typeof hovered === 'object' && 'value' in hovered) yield hovered;
    const answer = completion(analysis, file, offset, utf16);
    for (const { documentation } of Array.isArray(answer) ? answer : answer.items) yield documentation;
    const help = signatureHelp(file, offset, { offsets: true, noneActive: true });
    for (const { documentation } of help?.signatures ?? []) yield documentation;
  }
}

test('hovers, completions, signatures and inlay hints in a hostile workspace show only plain text', () => {
  let seen = 0;
  fc.assert(
    fc.property(hostile, hostile, fc.integer({ min: 5, max: 11 }), (name, text, step) => {
      const { analysis, files } = hostileWorld(name, text);
      const values = new Set<string>();
      for (const file of files)
        for (const one of sent(analysis, file, step)) if (typeof one === 'object') values.add(one.value);
      for (const value of values) checkMarkdown(value);
      seen += values.size;
    }),
    cases(15),
  );
  assert.ok(seen > 150, `only ${seen} strings were looked at`);
});

/** Completion and hover return valid results at every offset of every file, however broken. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { completion } from '../../../server/src/features/completion/completion.ts';
import { hover } from '../../../server/src/features/hover/hover.ts';
import { utf8, utf16 } from '../../../server/src/features/locate.ts';
import { cases } from '../../random.ts';

const SKILL = `---
name: test
version: 1.0.0
level: 3
tools: [read_page, {name: x, constraints: {properties: {a: {type: string}}}}]
input_schema:
  tone: {type: string, enum: [grim, wry], default: grim}
  cast: {type: array, items: {properties: {name: string}}}
output_schema: {type: object, properties: {a: {$ref: "#/$defs/b"}}, $defs: {b: {type: string}}}
interrupts: [{name: before_exit, when: 'tone == ''grim'''}]
requires: [{skill: part, version: ^1.0.0}]
composes:
  - skill: part
    input_mapping: {tone: id}
execution:
  - parallel: [{step: part, inputs: {id: $input.tone}}]
  - when: [{condition: $part.output.a == "x", steps: [{step: part}]}]
samples: {one: {parameters: {tone: grim, cast: [{name: "é"}]}}}
---

Use #tool:read_page and #artifact:main. 😀

## PromptTemplate: main
\`\`\`yaml artifact
assertions: [{type: structural, schema: {a: string}}]
\`\`\`

{% for one in cast %}{{ one.name | upper }}{% if tone == "grim" %}{% include "other" %}{% endif %}{% endfor %}

## Example: one

### Input

\`\`\`json
{"tone": "grim", "cast": []}
\`\`\`
`;

const CATALOG =
  'tools:\n  - {name: read_page, input_schema: {slug: string}}\nrules: {unknown-tool: off}\nroles: {a: [b:c]}\n';
const PART = '---\nname: part\nversion: 1.2.0\nlevel: 1\ninput_schema: {id: string}\noutput_schema: {a: string}\n---\n';

function open(path: string, text: string) {
  const workspace = new Workspace();
  workspace.apply({ kind: 'text', uri: 'file:///w/skills.config.yaml', text: CATALOG });
  workspace.apply({ kind: 'text', uri: 'file:///w/skills/part.skill.md', text: PART });
  workspace.apply({ kind: 'text', uri: `file:///w/${path}`, text });
  const analysis = workspace.analysis;
  const file = analysis.file(`file:///w/${path}`);
  assert.ok(file);
  return { analysis, file };
}

function checkAt({ analysis, file }: ReturnType<typeof open>, offset: number): void {
  hover(analysis, file, offset, utf16);
  const answer = completion(analysis, file, offset, utf16);
  if (offset % 7 === 0) completion(analysis, file, offset, utf8);
  const items = Array.isArray(answer) ? answer : answer.items;
  const cursor = utf16.range(file, { start: offset, end: offset }).start;
  assert.equal(new Set(items.map(({ label }) => label)).size, items.length, 'no label twice');
  for (const { label, textEdit } of items) {
    assert.ok(textEdit && 'range' in textEdit);
    const { start, end } = textEdit.range;
    // Editors accept only edits that are on the cursor's line and contain the cursor.
    const fits =
      start.line === cursor.line &&
      end.line === cursor.line &&
      start.character <= cursor.character &&
      cursor.character <= end.character;
    assert.ok(fits, `${label} at ${JSON.stringify(cursor)} replaces ${JSON.stringify(textEdit.range)}`);
  }
}

test('completion and hover return valid results at every offset in a valid file', () => {
  const lines = open('skills/test.skill.md', SKILL);
  for (let offset = 0; offset <= SKILL.length; offset++) checkAt(lines, offset);
  for (const path of ['skills/crlf.skill.md', 'skills.config.yaml', 'a.skill.yaml', 'a/SKILL.md']) {
    const text = path === 'skills.config.yaml' ? CATALOG : SKILL.replaceAll('\n', '\r\n');
    const opened = open(path, text);
    for (let offset = 0; offset <= text.length; offset += 3) checkAt(opened, offset);
  }
});

const SNIPPETS = [
  '{{',
  '{%',
  '"',
  "'",
  '#',
  '`',
  '```\n',
  ':',
  ' ',
  '\n',
  '\r\n',
  '- ',
  '[',
  ']',
  '{',
  '}',
  '---\n',
  '## ',
  '\t',
  '\0',
  '|',
  '$',
  '&a ',
  '*a',
  '<!--',
];

test('completion and hover return valid results at any offset in an invalid file', () => {
  const place = fc.integer({ min: 0, max: SKILL.length });
  const edit = fc.record({ at: place, cut: fc.integer({ min: 0, max: 12 }), put: fc.constantFrom(...SNIPPETS, '') });
  fc.assert(
    fc.property(
      fc.array(edit, { minLength: 1, maxLength: 4 }),
      fc.array(place, { minLength: 4, maxLength: 4 }),
      (edits, places) => {
        let text = SKILL;
        for (const { at, cut, put } of edits) text = text.slice(0, at) + put + text.slice(at + cut);
        const opened = open('skills/test.skill.md', text);
        const near = edits.map(({ at, put }) => at + put.length);
        for (const offset of [...places, ...near]) checkAt(opened, Math.min(offset, text.length));
      },
    ),
    cases(40),
  );
});

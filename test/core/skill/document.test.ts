import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseSkill, type SkillDocument } from '../../../server/src/skill/document.ts';

const URI = 'file:///skills/report.skill.md';

const SKILL = `---
name: report
description: Reports.
version: 1.0.0
input_schema: {topic: string}
interrupts: [{name: approval, when: topic == "war"}]
---

# Report

## PromptTemplate: main

\`\`\`jinja
About {{ topic }}.
\`\`\`

## Example: one

### Input

\`\`\`yaml
topic: x
\`\`\`
`;

/** What a document says, all of it asked for; the cache for the next edit says nothing. */
const said = (document: SkillDocument) => {
  const { uri, dialect, isSkill, text, lines, summary, frontmatter, contract, body } = document;
  const { metadata, examples, templates, conditions, problems, suppressions } = document;
  const schemas = [contract.input, contract.output].map(
    (entry) => entry && [entry.schema.fields, entry.schema.problems],
  );
  const head = { uri, dialect, isSkill, text, lines, summary, frontmatter, contract, schemas };
  return {
    ...{ ...head, body: body && { ...body, chunks: [] } },
    ...{ metadata, examples, templates, conditions, problems, suppressions },
  };
};

const becomes = (before: string, after: string) => {
  assert.deepEqual(said(parseSkill(URI, after, parseSkill(URI, before))), said(parseSkill(URI, after)));
};

test('a file is the same whether it was edited or opened', () => {
  const pieces = fc.constantFrom(
    '',
    '\n',
    '\r',
    '---\n',
    '---',
    '...',
    ' ',
    'x',
    '\uFEFF',
    ': ',
    '```\n',
    '{{ y }}',
    '# ',
  );
  fc.assert(
    fc.property(fc.nat(SKILL.length), fc.nat(12), pieces, (at, removed, added) => {
      becomes(SKILL, SKILL.slice(0, at) + added + SKILL.slice(at + removed));
    }),
    { numRuns: 25 },
  );
});

for (const [what, before, after] of [
  ['a closing fence that goes on', '---\nname: a\n---', '---\nname: a\n---x\n'],
  ['a line break that becomes another', '---\rname: a\r---\rx', '---\rname: a\r---\r\nx'],
  ['a frontmatter that gets its end', '---\nname: a\n\nText.\n', '---\nname: a\n---\n\nText.\n'],
  ['a frontmatter that loses its end', '---\nname: a\n---\n\nText.\n', '---\nname: a\n--\n\nText.\n'],
  ['a body that comes', '---\nname: a\n---\n', '---\nname: a\n---\nText.\n'],
] as const) {
  test(`${what} is seen`, () => becomes(before, after));
}

test('the body of an Agent Skill is free Markdown: no heading in it makes an artifact', () => {
  const text = SKILL.replace('## Example: one', '## Exampel: one\n\n## Rules\n\n## Example: one');
  const { body, metadata, examples, templates } = parseSkill('file:///skills/report/SKILL.md', text);
  assert.deepEqual([body?.artifacts, body?.nearKinds, body?.retiredKinds], [[], [], []]);
  assert.deepEqual([metadata, examples, templates], [[], [], []]);
  assert.deepEqual(
    body?.sections.map(({ heading }) => heading.text),
    ['PromptTemplate: main', 'Exampel: one', 'Rules', 'Example: one'],
  );
  const composed = parseSkill(URI, text).body;
  assert.equal(composed?.artifacts.length, 2);
  assert.deepEqual(composed?.nearKinds.length, 1);
});

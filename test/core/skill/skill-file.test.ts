import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';
import { cases } from '../../random.ts';

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

/** All data of a file, without the caches for the next edit. */
const partsOf = (file: SkillFile) => {
  const { uri, dialect, isSkill, text, lines, summary, frontmatter, contract, body } = file;
  const { metadata, examples, templates, conditions, problems, suppressions } = file;
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
  const file = new SkillFile(URI, before);
  // Reads all data before the edit, so that the edit can reuse it.
  partsOf(file);
  assert.deepEqual(partsOf(file.edited(after)), partsOf(new SkillFile(URI, after)));
};

test('an edited file equals a file that is opened with the same text', () => {
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
    cases(25),
  );
});

for (const [what, before, after] of [
  ['a closing fence that becomes longer', '---\nname: a\n---', '---\nname: a\n---x\n'],
  ['a line break that becomes another line break', '---\rname: a\r---\rx', '---\rname: a\r---\r\nx'],
  ['frontmatter that gets its closing fence', '---\nname: a\n\nText.\n', '---\nname: a\n---\n\nText.\n'],
  ['frontmatter that loses its closing fence', '---\nname: a\n---\n\nText.\n', '---\nname: a\n--\n\nText.\n'],
  ['a new body', '---\nname: a\n---\n', '---\nname: a\n---\nText.\n'],
] as const) {
  test(`reads ${what}`, () => becomes(before, after));
}

test('an edit to the body keeps the frontmatter, and changes the summary only for new skill names', () => {
  const file = new SkillFile(URI, SKILL);
  const { summary } = file;
  const edited = file.edited(`${SKILL}More.\n`);
  assert.ok(edited.hasHeadOf(file));
  assert.equal(edited.summary, summary);
  assert.equal(edited.text, `${SKILL}More.\n`);
  const mentioning = file.edited(`${SKILL}See #skill:other.\n`);
  assert.ok(mentioning.hasHeadOf(file));
  assert.deepEqual(mentioning.summary.mentions, ['other']);
});

test('reads the frontmatter again after an edit to the frontmatter', () => {
  const file = new SkillFile(URI, SKILL);
  assert.ok(!file.edited(SKILL.replace('Reports.', 'Reports more.')).hasHeadOf(file));
});

test('a file caches derived values', () => {
  const file = new SkillFile(URI, SKILL);
  let count = 0;
  const ofBody = ({ body }: SkillFile) => {
    count++;
    return body?.artifacts.length;
  };
  assert.deepEqual([file.derive(ofBody), file.derive(ofBody)], [2, 2]);
  assert.equal(count, 1);
  file.edited(`${SKILL}More.\n`).derive(ofBody);
  assert.equal(count, 2);
});

test('the body of a SKILL.md has no artifacts', () => {
  const text = SKILL.replace('## Example: one', '## Exampel: one\n\n## Rules\n\n## Example: one');
  const { body, metadata, examples, templates } = new SkillFile('file:///skills/report/SKILL.md', text);
  assert.deepEqual([body?.artifacts, body?.nearKinds, body?.retiredKinds], [[], [], []]);
  assert.deepEqual([metadata, examples, templates], [[], [], []]);
  assert.deepEqual(
    body?.sections.map(({ heading }) => heading.text),
    ['PromptTemplate: main', 'Exampel: one', 'Rules', 'Example: one'],
  );
  const composed = new SkillFile(URI, text).body;
  assert.equal(composed?.artifacts.length, 2);
  assert.deepEqual(composed?.nearKinds.length, 1);
});

test('does not keep earlier states of a file in memory', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const before: WeakRef<object>[] = [];
  const keepWeakly = ({ metadata, templates, frontmatter }: SkillFile) =>
    before.push(...[metadata, templates, frontmatter].map((part) => new WeakRef(part)));
  let file = new SkillFile(URI, SKILL);
  for (let edit = 0; edit < 20; edit++) {
    keepWeakly(file);
    file = file.edited(SKILL.replace('Reports.', `Reports ${edit}.`).concat('x'.repeat(edit)));
    // The target of a weak reference stays alive until the end of the current turn of the event loop.
    await new Promise(setImmediate);
  }
  partsOf(file);
  collect();
  // The engine may keep the last object that it has seen.
  assert.ok(before.filter((part) => part.deref()).length < 3);
});

import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { convert } from '../../../server/src/exchange/convert.ts';
import { readRecord, recordOf, type SkillRecord } from '../../../server/src/exchange/record.ts';
import { writeRecord } from '../../../server/src/exchange/write-record.ts';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';
import { sliceOf } from '../../../server/src/text.ts';

const TEXT = `---
name: draft-scene
version: 1.0.0 # as published
tags: [scene, draft]
input_schema:
  tone: [grim, wry]
x-own: 1
---

# Draft a scene

Write the scene.

## Description: the coast
\`\`\`yaml artifact
include_when: tone == "grim"
\`\`\`

Storms come from the west.

## PromptTemplate: opening
\`\`\`yaml artifact
model_variant: anthropic
\`\`\`

\`\`\`jinja
A {{ tone }} scene.
\`\`\`

## Notes

Kept in the framing.

## DspyModule: old

Retired.
`;

const record = (text = TEXT, uri = 'file:///skills/draft-scene.skill.md'): SkillRecord =>
  recordOf(new SkillFile(uri, text));

const written = (wanted: SkillRecord): string => {
  const { text, lost } = writeRecord(wanted);
  assert.deepEqual(lost, []);
  return text;
};

test('a record contains the content of the file, and lists unknown keys and sections', () => {
  const { source: _, ...rest } = record();
  assert.deepEqual(rest, {
    skill_record: 1,
    id: 'user:draft-scene',
    file: 'draft-scene.skill.md',
    dialect: 'composer',
    identity: { name: 'draft-scene', version: '1.0.0', tags: ['scene', 'draft'] },
    contract: { input_schema: { tone: ['grim', 'wry'] } },
    other: { 'x-own': 1 },
    heading: 'Draft a scene',
    framing: ['Write the scene.', '## Notes\n\nKept in the framing.\n\n## DspyModule: old\n\nRetired.'],
    artifacts: [
      {
        ...{ id: 'Description:the coast', kind: 'Description', name: 'the coast', ordinal: 0, model_variant: null },
        ...{ metadata: { include_when: 'tone == "grim"' }, content: 'Storms come from the west.' },
      },
      {
        ...{ id: 'PromptTemplate:opening@anthropic', kind: 'PromptTemplate', name: 'opening', ordinal: 1 },
        ...{ model_variant: 'anthropic', metadata: {}, content: 'A {{ tone }} scene.' },
      },
    ],
    not_understood: [
      { what: 'key', line: 7, text: 'x-own', why: 'Unknown key. It is kept.' },
      {
        ...{ what: 'section', line: 34, text: '## DspyModule: old' },
        why: 'The kind is retired, so the section is read as prose.',
      },
    ],
  });
});

test("the id of a record is the skill's id, or its source and name", () => {
  assert.equal(record('---\nname: a\nid: 7f3c\n---\n').id, '7f3c');
  assert.equal(record('---\nname: a\nsource: system\n---\n').id, 'system:a');
  assert.equal(record('no frontmatter').id, 'user:draft-scene');
});

test('a changed value keeps the comment after it', () => {
  const one = record();
  const text = written({ ...one, identity: { ...one.identity, version: '1.1.0' } });
  assert.equal(text, TEXT.replace('1.0.0 #', '1.1.0 #'));
});

test('adds a key in the order of the record, and deletes the line of a removed key', () => {
  const one = record();
  const { 'x-own': _, ...other } = one.other;
  const text = written({ ...one, identity: { ...one.identity, owner: 'story-desk' }, other });
  assert.equal(text, TEXT.replace('draft]\n', 'draft]\nowner: story-desk\n').replace('x-own: 1\n', ''));
});

test('adding and moving items in a list does not change the lines of other items', () => {
  const block = 'intent_patterns:\n  - draft it   # first\n  - "write it"\n  - tell it\n';
  const patterns = (list: readonly string[], yaml = block): string => {
    const one = record(`---\nname: a\n${yaml}---\n`);
    const now = written({ ...one, contract: { ...one.contract, intent_patterns: list } });
    return now.slice('---\nname: a\nintent_patterns:\n'.length, -'---\n'.length);
  };
  const [draft, write, tell] = ['  - draft it   # first\n', '  - "write it"\n', '  - tell it\n'];
  assert.equal(patterns(['plan it', 'draft it', 'write it', 'tell it']), `  - plan it\n${draft}${write}${tell}`);
  assert.equal(
    patterns(['draft it', 'plan it', 'show it', 'write it', 'tell it']),
    `${draft}  - plan it\n  - show it\n${write}${tell}`,
  );
  assert.equal(patterns(['tell it', 'write it', 'draft it']), `${tell}${write}${draft}`);
  assert.equal(patterns(['draft it', 'sing it', 'tell it', 'end it']), `${draft}  - "sing it"\n${tell}  - end it\n`);
});

test('adds frontmatter if the record has a new key', () => {
  const one = record('Only prose.\n');
  assert.equal(written({ ...one, identity: { name: 'a' } }), '---\nname: a\n---\nOnly prose.\n');
});

test('moves artifacts by their ordinals, and keeps the text between them', () => {
  const one = record();
  const [coast, opening] = one.artifacts as [SkillRecord['artifacts'][0], SkillRecord['artifacts'][0]];
  const text = written({ ...one, artifacts: [{ ...coast, ordinal: 5 }, opening] });
  assert.deepEqual(text.match(/^## .*$/gm), [
    '## PromptTemplate: opening',
    '## Description: the coast',
    '## Notes',
    '## DspyModule: old',
  ]);
});

test('removes an artifact with its section, and adds an artifact in the order of the record', () => {
  const one = record();
  const [coast] = one.artifacts as [SkillRecord['artifacts'][0]];
  const added = { ...coast, id: 'new', name: 'the moor', metadata: null, content: 'Peat and fog.', ordinal: 1 };
  const text = written({ ...one, artifacts: [coast, added] });
  const gone = TEXT.slice(TEXT.indexOf('## PromptTemplate'), TEXT.indexOf('## Notes'));
  assert.equal(text, TEXT.replace(gone, '## Description: the moor\n\nPeat and fog.\n\n'));
});

test('reports content that would end its artifact, and does not write that content', () => {
  const one = record();
  const [coast, ...others] = one.artifacts as [SkillRecord['artifacts'][0]];
  const { text, lost } = writeRecord({ ...one, artifacts: [{ ...coast, content: 'a\n\n## Notes: b' }, ...others] });
  assert.equal(text, TEXT);
  assert.deepEqual(
    lost.map(({ what }) => what),
    ['artifacts[0].content'],
  );
});

test('puts a template that contains a fence into a longer fence', () => {
  const one = record();
  const content = 'See:\n```yaml\na: 1\n```';
  const artifacts = one.artifacts.map((artifact) => (artifact.ordinal === 1 ? { ...artifact, content } : artifact));
  assert.equal(record(written({ ...one, artifacts })).artifacts[1]?.content, content);
});

test('reports a change to a derived field', () => {
  const { lost } = writeRecord({ ...record(), id: 'another' });
  assert.deepEqual(
    lost.map(({ what }) => what),
    ['id'],
  );
});

test('keeps invalid frontmatter, and reports changed values as lost', () => {
  const broken = '---\nname: [a\n---\n\nProse.\n';
  const one = record(broken);
  assert.deepEqual(one.identity, {});
  const { text, lost } = writeRecord({ ...one, identity: { name: 'b' } });
  assert.equal(text, broken);
  assert.deepEqual(
    lost.map(({ what }) => what),
    ['identity.name'],
  );
});

test('reports losses at their location in the record, even if artifacts were reordered', () => {
  const one = record();
  const [coast, opening] = one.artifacts as [SkillRecord['artifacts'][0], SkillRecord['artifacts'][0]];
  const changed = { ...one, id: 'another', artifacts: [opening, { ...coast, content: 'a\n\n## Notes: b' }] };
  const text = JSON.stringify(changed, undefined, 2);
  const made = convert({ uri: 'file:///a.record.json', text }, 'skill-md', new Workspace().analysis);
  assert.ok('losses' in made);
  assert.deepEqual(
    made.losses.map(({ what, span }) => [what, sliceOf(text, span)]),
    [
      ['id', '"another"'],
      ['artifacts[1].content', JSON.stringify('a\n\n## Notes: b')],
    ],
  );
});

test('distinguishes other JSON from an invalid record', () => {
  assert.equal(readRecord('{"name": "a"}'), undefined);
  assert.equal(readRecord('{'), undefined);
  const one = { ...record(), artifacts: [{}] };
  assert.deepEqual(readRecord(JSON.stringify(one)), {
    problem: 'This record is invalid: `artifacts[0].id` is missing.',
  });
  assert.deepEqual(readRecord(JSON.stringify({ ...record(), skill_record: 2 })), {
    problem: 'A newer version of Skill Composer wrote this record. Update Skill Composer.',
  });
  assert.deepEqual(readRecord(JSON.stringify({ ...record(), dialect: 'agent-skill' })), {
    problem: 'This record is invalid: the `dialect` of this `file` must be `composer`, but is `agent-skill`.',
  });
});

test('refuses a result with a name that is not allowed on some operating system', () => {
  const { analysis } = new Workspace();
  const text = '---\nname: aux\ndescription: Does it.\nversion: 1.0.0\n---\n\nDo it.\n';
  for (const to of ['agent-skill', 'record', 'package'] as const) {
    const made = convert({ uri: 'file:///w/skills/x.skill.md', text }, to, analysis);
    assert.match('problem' in made ? made.problem : '', /^`aux[./].*` has the name of a Windows device/, to);
  }
});

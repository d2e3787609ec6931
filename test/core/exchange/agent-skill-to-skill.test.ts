import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { convert } from '../../../server/src/exchange/convert.ts';
import { check } from '../../../server/src/rules/engine/check.ts';

const SKILL_MD = `---
name: Tidy Notes
description: Tidies notes.
license: MIT
compatibility: Needs git
metadata: {version: "1.2.0", author: Ines, team: story}
allowed-tools: Read Grep
model: opus
---

# Tidy notes

Read [the form](references/form.md).

## Example: one

Not an artifact.
`;

test('converts a SKILL.md: maps keys, keeps client keys, copies files, and makes the body the framing', () => {
  const made = convert({ uri: 'file:///w/tidy-notes/SKILL.md', text: SKILL_MD }, 'skill-md', new Workspace().analysis);
  assert.ok('files' in made);
  const [first] = made.files;
  assert.equal(first?.path, 'tidy-notes.skill.md');
  assert.equal(
    first?.text,
    SKILL_MD.replace(
      /^---[\s\S]*?\n---\n/,
      `---
name: tidy-notes
title: Tidy Notes
description: Tidies notes.
version: 1.2.0
author: Ines
license: MIT
input_schema: {}
x-compatibility: Needs git
x-allowed-tools: Read Grep
x-model: opus
x-metadata:
  team: story
---
`,
    ).replace('## Example: one', '## **Example: one**'),
  );
  assert.deepEqual(made.copied, { from: 'file:///w/tidy-notes', to: '' });
  const uri = 'file:///w/tidy-notes.skill.md';
  const there = new Workspace();
  there.apply({ kind: 'text', uri, text: first?.text ?? '' });
  const file = there.analysis.file(uri);
  assert.ok(file);
  assert.deepEqual(
    check(file, there.analysis).filter(({ severity }) => severity !== 'hint'),
    [],
  );
  assert.deepEqual(file.body?.artifacts, []);
});

test('keeps the line breaks of a SKILL.md, and reports changes with their locations', () => {
  const source = `---
name: a
description: [It tidies]
metadata: {version: "1.2"}
---

## Example: one

Not an artifact.
`.replaceAll('\n', '\r\n');
  const made = convert({ uri: 'file:///w/a/SKILL.md', text: source }, 'skill-md', new Workspace().analysis);
  assert.ok('files' in made);
  const text = made.files[0]?.text ?? '';
  assert.equal(text.replaceAll('\r\n', '').includes('\n'), false);
  assert.match(text, /^version: 1\.0\.0$/m);
  assert.deepEqual(
    made.losses.map(({ what, span }) => [what, source.slice(span.start, span.end)]),
    [
      ['description', 'description: [It tidies]'],
      ['version', 'version: "1.2"'],
      ['heading `Example: one`', 'Example: one'],
    ],
  );
});

test('keeps the first of two keys that would have the same name, and reports the second', () => {
  const source = `---
name: a
description: Tidies.
metadata: {version: "1.0.0"}
model: opus
x-model: haiku
---
`;
  const made = convert({ uri: 'file:///w/a/SKILL.md', text: source }, 'skill-md', new Workspace().analysis);
  assert.ok('files' in made);
  assert.match(made.files[0]?.text ?? '', /^x-model: opus$/m);
  assert.deepEqual(
    made.losses.map(({ what, span, why }) => [what, source.slice(span.start, span.end), why]),
    [['x-model', 'x-model: haiku', 'Another key is already converted to `x-model`. Rename one of the two.']],
  );
});

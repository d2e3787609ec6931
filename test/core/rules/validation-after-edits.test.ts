/** After edits, samples and examples are validated as in a file that was never edited. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { check } from '../../../server/src/rules/engine/check.ts';

const URI = 'file:///w/a.skill.md';

const skill = (type: string, example: string, sample = 'page: x', prose = 'Read it.'): string => `---
name: a
description: Reads a page of the world.
version: 1.0.0
input_schema: {page: ${type}}
samples:
  one: {parameters: {${sample}}}
---

${prose}

## Example: one

### Input

\`\`\`yaml
${example}
\`\`\`

### Output

A page.
`;

const findingsOf = (workspace: Workspace): readonly string[] => {
  const file = workspace.analysis.file(URI);
  assert.ok(file);
  return check(file, workspace.analysis)
    .filter(({ rule }) => rule === 'example-mismatch' || rule === 'invalid-sample')
    .map(({ rule, span }) => `${rule} ${file.text.slice(span.start, span.end)}`);
};

it('validates again after edits to the body, the examples and the schema', () => {
  const workspace = new Workspace();
  const texts = [
    skill('string', 'page: x'),
    skill('string', 'page: x', 'page: x', 'Read it, and say so.'),
    skill('string', 'page: 3'),
    skill('string', 'page: 3', 'page: x', 'Read it, and say so.'),
    skill('string', 'page: x'),
    // Unchanged values with another schema.
    skill('integer', 'page: x'),
    skill('integer', 'page: 3'),
    skill('integer', 'page: 3', 'page: 3'),
    skill('integer', 'page: 3', 'pages: 3'),
    skill('string', 'page: x'),
  ];
  const expected: readonly (readonly string[])[] = [
    [],
    [],
    ['example-mismatch 3'],
    ['example-mismatch 3'],
    [],
    ['invalid-sample x', 'example-mismatch x'],
    ['invalid-sample x'],
    [],
  ];
  for (const [at, text] of texts.entries()) {
    workspace.apply({ kind: 'text', uri: URI, text });
    const found = findingsOf(workspace);
    assert.deepEqual(findingsOf(workspace), found, 'checked again');
    const fresh = new Workspace();
    fresh.apply({ kind: 'text', uri: URI, text });
    assert.deepEqual(found, findingsOf(fresh), text);
    if (expected[at]) assert.deepEqual(found, expected[at], text);
  }
});

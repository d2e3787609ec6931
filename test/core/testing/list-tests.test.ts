/** The tests of a file, before any of them runs. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';
import { listTests } from '../../../server/src/testing/list-tests.ts';
import { sliceOf } from '../../../server/src/text.ts';

const text = `---
name: greet
description: Greets.
samples:
  first visit:
    expect:
      prompt:
        - {type: contains, value: Ada}
        - {type: semantic, prompt: Is it polite?}
      output: [{type: semantic, prompt: Is it short?}]
  second: {}
---

## Example: told

### Output

\`\`\`yaml
text: hello
\`\`\`

## Example: without an output

### Input

\`\`\`yaml
guest: Ada
\`\`\`

## Example: told

### Output

\`\`\`yaml
text: hello again
\`\`\`
`;

test('lists samples, and examples with an output, once for each name', () => {
  const tests = listTests(new SkillFile('file:///greet.skill.md', text));
  assert.deepEqual(
    tests.map(({ kind, name, span }) => [kind, name, sliceOf(text, span)]),
    [
      ['sample', 'first visit', 'first visit'],
      ['sample', 'second', 'second'],
      ['example', 'told', 'told'],
    ],
  );
  assert.equal(tests[2]?.span.start, text.indexOf('told'));
});

test('lists an assertion that needs a model as a separate test below its sample', () => {
  const [first] = listTests(new SkillFile('file:///greet.skill.md', text));
  assert.deepEqual(
    first?.semantic.map(({ name }) => name),
    ['first visit › Is it polite?', 'first visit › Is it short?'],
  );
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pc from 'picocolors';
import { paintPage, purposeOf } from '../../../server/src/reports/rule-page.ts';

const page = `# some-rule

\`error\` E000 · some specification, section 1

A tool that no catalog has
cannot be called. More on that.

## Failing

\`\`\`\`skill a.skill.md
## PromptTemplate: x
\`\`\`
^^^ some-rule: this
\`\`\`\`
`;

describe('a rule’s page', () => {
  it('is unchanged without colours', () => {
    assert.equal(paintPage(page, pc.createColors(false)), page);
  });

  it('shows headings in bold, except in its examples, and highlights markers', () => {
    const painted = paintPage(page, pc.createColors(true)).split('\n');
    assert.deepEqual(
      painted.map((line) => (line.startsWith('\u001b[1m') ? 'b' : line.startsWith('\u001b[33m') ? 'y' : '.')).join(''),
      'b......b....y..',
    );
  });

  it('describes the purpose of the rule in the first sentence', () => {
    assert.equal(purposeOf(page), 'A tool that no catalog has cannot be called.');
    assert.equal(purposeOf('# x\r\n\r\nFor `a.b` only\r\n'), 'For `a.b` only');
    assert.equal(
      purposeOf('# x\n\noff by default · source\n\nOne of `a: b`, `c. d`: these.'),
      'One of `a: b`, `c. d`.',
    );
    assert.equal(purposeOf(''), '');
  });
});

/** Converts literal framing to a template, and back. */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { refactored, skill, titlesIn } from './refactoring.ts';

const EMPTY = ['input_schema: {}'];
const FRAMED = [...EMPTY, 'framing: framing'];

describe('converting literal framing to a template', () => {
  const title = 'Convert the framing to a template';

  it('moves the prose below a new heading, and adds the key `framing`', () => {
    const offer = refactored(
      title,
      skill(
        EMPTY,
        '# Test',
        '',
        'Do$0 it.',
        '',
        'Well.',
        '',
        '## Example: a',
        '',
        '### Input',
        '',
        'x',
        '',
        '### Output',
        '',
        'y',
      ),
    );
    assert.equal(
      offer.text,
      skill(
        FRAMED,
        '# Test',
        '',
        '## PromptTemplate: framing',
        '',
        'Do it.',
        '',
        'Well.',
        '',
        '## Example: a',
        '',
        '### Input',
        '',
        'x',
        '',
        '### Output',
        '',
        'y',
      ),
    );
    assert.equal(offer.renames, 'framing');
  });

  it('keeps sections of prose in a fence, because their headings would end the template', () => {
    const { text } = offersLf(
      title,
      skill(EMPTY, 'Do$0 it.', '', '## Description: d', '', 'D.', '', '## Rules', '', 'Be kind.'),
    );
    assert.equal(
      text,
      skill(
        FRAMED,
        '## PromptTemplate: framing',
        '',
        '```jinja',
        'Do it.',
        '',
        '## Rules',
        '',
        'Be kind.',
        '```',
        '',
        '## Description: d',
        '',
        'D.',
      ),
    );
  });

  it('escapes braces', () => {
    const { text } = refactored(title, skill(EMPTY, 'Write `{{ name }}`$0 and {% if %}.'));
    assert.equal(
      text,
      skill(FRAMED, '## PromptTemplate: framing', '', 'Write `{{ "{{" }} name }}` and {{ "{%" }} if %}.'),
    );
  });

  it('uses a name that no other template has', () => {
    const { text } = refactored(title, skill(EMPTY, 'Do$0.', '', '## PromptTemplate: framing', '', 'x'));
    assert.match(
      text,
      /framing: framing-2\n[\s\S]*## PromptTemplate: framing-2\n\nDo\.\n\n## PromptTemplate: framing\n/,
    );
  });

  it('is not offered in an artifact, in a template, or in an invalid file', () => {
    assert.deepEqual(titlesIn(skill(EMPTY, 'Do.', '', '## Description: d', '', 'D$0.')), []);
    assert.deepEqual(titlesIn(skill([...EMPTY, 'tools: ['], 'Do$0.')), []);
    assert.deepEqual(titlesIn(skill(EMPTY, '```jinja', 'Do$0.', '```')), []);
    assert.deepEqual(titlesIn(skill(EMPTY, '<!-- skill-disable-next-line template-in-prose -->', 'Do$0 {{ x }}.')), []);
  });
});

describe('converting a template without tags to literal framing', () => {
  const title = 'Convert the template to literal framing';

  it('restores the literal framing', () => {
    const { text } = refactored(
      title,
      skill(FRAMED, '# Test', '', '## PromptTemplate: framing$0', '', 'Do it.', '', '## Description: d', '', 'D.'),
    );
    assert.equal(text, skill(EMPTY, '# Test', '', 'Do it.', '', '## Description: d', '', 'D.'));
  });

  it('moves the text before the artifacts, and is also offered at the key `framing`', () => {
    const { text } = refactored(
      title,
      skill(
        [...EMPTY, 'framing: $0x'],
        '## Description: d',
        '',
        'D.',
        '',
        '## PromptTemplate: x',
        '',
        '```jinja',
        'Do it.',
        '',
        '## Rules',
        '',
        'Be kind.',
        '```',
      ),
    );
    assert.equal(text, skill(EMPTY, 'Do it.', '', '## Rules', '', 'Be kind.', '', '## Description: d', '', 'D.'));
  });

  it('is not offered if something would be lost', () => {
    const none = (...body: string[]) =>
      assert.deepEqual(titlesIn(skill(FRAMED, '## PromptTemplate: framing$0', ...body)), []);
    none('', 'Do {{ "it" }}.');
    // Text that consists only of a comment has no prose.
    none('', '<!-- note -->', '', '## PromptTemplate: tail', '', 'Do it.');
    none('```yaml artifact', 'assertions: [{type: length, max: 10}]', '```', '', 'Do it.');
    none('', 'Do it.', '', '## Rules', '', 'Prose that counts only without a template.');
    none(
      '',
      'Do it.',
      '',
      '## PromptTemplate: framing',
      '```yaml artifact',
      'model_variant: openai',
      '```',
      '',
      'Do that.',
    );
    none('', '```jinja', '## Example: x', 'Do it.', '```');
    none('', '```jinja', 'Do it.', '```', '', 'A note.');
  });
});

/**
 * Refactors a file with `\n`, and asserts that the refactoring is not offered in a file with `\r\n`. A prompt separates
 * its blocks with `\n`, so several passages of prose can be moved only if the file also uses `\n`.
 */
function offersLf(title: string, marked: string) {
  assert.ok(!titlesIn(marked.replaceAll('\n', '\r\n')).includes(title));
  return refactored(title, marked, false);
}

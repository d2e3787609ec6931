import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseBody, stagesOf } from '../../../server/src/skill/body.ts';
import { sliceOf } from '../../../server/src/text.ts';

const body = (text: string) => parseBody(text, 0);
const first = (text: string) => {
  const [artifact] = body(text).artifacts;
  assert.ok(artifact);
  return artifact;
};

describe('kinds', () => {
  const kindOf = (heading: string) => {
    const { artifacts, nearKinds, retiredKinds, sections } = body(`## ${heading}\n\ntext\n`);
    assert.equal(sections.length, 1);
    const [artifact] = artifacts;
    if (artifact) return `${artifact.kind}${artifact.explicitName ? `: ${artifact.name}` : ''}`;
    if (nearKinds[0]) return `nearly ${nearKinds[0].kind}`;
    return retiredKinds[0] ? `retired ${retiredKinds[0].kind}` : 'framing';
  };
  const cases: Record<string, string> = {
    Description: 'Description',
    'approach: by hand': 'Approach: by hand',
    'Prompt Template': 'PromptTemplate',
    'prompt-template: main: 2': 'PromptTemplate: main: 2',
    'EXAMPLE : siege at dusk ##': 'Example: siege at dusk',
    'Example:': 'Example',
    'Examples of use': 'framing',
    'Description of the task': 'framing',
    'The approach': 'framing',
    // A heading with a name may slightly misspell any kind, since no ordinary heading has this form.
    'Exmaple: x': 'nearly Example',
    'Examples: x': 'nearly Example',
    'Promt Template: y': 'nearly PromptTemplate',
    'Desciption: z': 'nearly Description',
    // In a heading without a name, the misspelling must not be an English word.
    Exmaple: 'nearly Example',
    Aproach: 'nearly Approach',
    Examples: 'framing',
    Approaches: 'framing',
    'Prompt Templates': 'framing',
    Sample: 'framing',
    'Sample: x': 'framing',
    'Example 1: x': 'framing',
    'Approach B: x': 'framing',
    'Prompt Template 2: x': 'framing',
    Examine: 'framing',
    Subscription: 'framing',
    Descriptors: 'framing',
    CodeTemplate: 'retired CodeTemplate',
    'Code Template: x': 'retired CodeTemplate',
    'dspy module: y': 'retired DspyModule',
    '': 'framing',
  };
  for (const [heading, expected] of Object.entries(cases)) {
    test(`## ${heading} → ${expected}`, () => assert.equal(kindOf(heading), expected));
  }

  describe('with the structure of an artifact', () => {
    const meantBy = (heading: string, text: string) => {
      const { artifacts, nearKinds } = body(`${heading}\n\n${text}\n`);
      assert.deepEqual(artifacts, []);
      return nearKinds.map(({ meant }) => meant);
    };
    const parts = '### Input\n\na\n\n### Output\n\nb';
    const metadata = '```yaml artifact\ntools: []\n```\n\ntext';
    const similar: readonly (readonly [string, string, readonly (string | undefined)[]])[] = [
      ['## Examples', parts, ['Example']],
      ['## Examples', '### Input\n\na', ['Example']],
      ['## Examples', `${parts}\n\n${parts}`, [undefined]],
      ['## EXAMPLE 1', parts, ['Example: 1']],
      ['## Example 1: dusk', parts, ['Example: dusk']],
      ['## Example - dusk', parts, ['Example: dusk']],
      ['## Example — dusk', parts, ['Example: dusk']],
      ['## Example (dusk)', parts, ['Example: dusk']],
      ['## Few-shot examples', parts, ['Example']],
      ['## Sample: dusk', parts, ['Example: dusk']],
      ['## Sample: dusk', '### Input\n\na', []],
      ['## Examples', 'The best scenes begin late.', []],
      ['## Examples', '### One\n\n#### Input\n\na', []],
      ['## **Examples**', parts, []],
      ['## Steps', parts, []],
      ['## Prompt: main', '```jinja\n{{ a }}\n```', ['PromptTemplate: main']],
      ['## Template: main', '```jinja\n{{ a }}\n```', ['PromptTemplate: main']],
      ['## Template: main', '{{ a }}', []],
      ['## Prompt Template - main', '{{ a }}', ['PromptTemplate: main']],
      ['## Prompt Template - main', 'text', []],
      ['### PromptTemplate: main', 'text', ['## PromptTemplate']],
      ['# Prompt Template: main', 'text', ['## PromptTemplate']],
      ['### Example: main', parts, []],
      ['## Approaches', metadata, ['Approach']],
      ['## Approach - by hand', metadata, ['Approach: by hand']],
      ['## Approaches', 'text', []],
      ['## Description of style', metadata, ['Description: style']],
    ];
    for (const [heading, text, expected] of similar) {
      test(`${heading} → ${expected}: ${text.slice(0, 20)}`, () => assert.deepEqual(meantBy(heading, text), expected));
    }
  });

  test('have the spans of the kind and the name in the heading', () => {
    const text = '## example :  siege \n';
    const { kindSpan, nameSpan } = first(text);
    assert.deepEqual([sliceOf(text, kindSpan), nameSpan && sliceOf(text, nameSpan)], ['example', 'siege']);
  });
});

describe('sections', () => {
  const text =
    '# Title\nintro\n## Example: a\none\n### Notes\ntwo\n## Tone\nthree\n\nExample: b\n---\nfour\n# Part\nfive\n';

  test('end at the next heading of level 1 or 2', () => {
    assert.deepEqual(
      body(text).artifacts.map(({ span }) => sliceOf(text, span)),
      ['## Example: a\none\n### Notes\ntwo\n', 'Example: b\n---\nfour\n'],
    );
    assert.equal(sliceOf(text, first(text).textSpan), 'one\n### Notes\ntwo');
  });

  test('outside of artifacts are framing, including their headings but not the title', () => {
    const titled = text.replace('# Part\nfive\n', '');
    assert.deepEqual(
      body(titled).framing.map((place) => sliceOf(titled, place)),
      ['intro\n', '## Tone\nthree\n\n'],
    );
    // A file with several level-1 headings has a title only if one comes before all others.
    assert.deepEqual(sliceOf(text, body(text).framing.at(-1) ?? { start: 0, end: 0 }), '# Part\nfive\n');
  });

  test('are not in an empty body, which has an empty framing', () => {
    const { framing, sections, span } = parseBody('---\n---\n', 8);
    assert.deepEqual({ framing, sections, span }, { framing: [], sections: [], span: { start: 8, end: 8 } });
  });
});

describe('metadata', () => {
  const fence = '```yaml artifact\ntags: [a]\n```\n';

  test('is the first block except comments', () => {
    const text = `## Example\n\n<!-- a -->\n${fence}\nb\n`;
    const { metadata, textSpan } = first(text);
    assert.equal(metadata && sliceOf(text, metadata.span), 'tags: [a]\n');
    assert.equal(sliceOf(text, textSpan), 'b');
  });

  test('at any other position is misplaced', () => {
    const misplaced = (text: string) =>
      body(text).misplacedMetadata.map(({ reason, artifact }) => [reason, artifact?.kind]);
    assert.deepEqual(misplaced(`## Example\n\na\n\n${fence}`), [['not-first', 'Example']]);
    assert.deepEqual(misplaced(`## Example\n${fence}${fence}`), [['not-first', 'Example']]);
    assert.deepEqual(misplaced('## Example\n```json artifact\n{}\n```\n'), [['not-yaml', 'Example']]);
    assert.deepEqual(misplaced(`a\n\n${fence}\n## Tone\n\n${fence}`), [
      ['no-artifact', undefined],
      ['no-artifact', undefined],
    ]);
    // In these cases, the defect is in the heading.
    assert.deepEqual(misplaced(`## Exmaple: x\n${fence}\n## Code Template\n${fence}`), []);
    assert.deepEqual(misplaced('## Example\n\na\n\n```yaml\nb: artifact\n```\n'), []);
  });
});

describe('templates', () => {
  const template = (text: string) => sliceOf(text, first(text).template?.span ?? { start: 0, end: 0 });

  test('are the trimmed rest of the section', () => {
    const text = '## PromptTemplate\n```yaml artifact\n```\n\n{% if a %}\n### {{ b }}\n{% endif %}\n\n## Example\n';
    assert.equal(template(text), '{% if a %}\n### {{ b }}\n{% endif %}');
  });

  test('are the content of a fence that is marked `jinja`', () => {
    assert.equal(template('## PromptTemplate\n\nnote\n\n```jinja\n## {{ a }}\n\n```\n'), '## {{ a }}\n');
    assert.equal(template('## PromptTemplate\n```yaml artifact\n```\n```md jinja\r\na\r\n```\n'), 'a');
    assert.equal(template('## PromptTemplate\n```md\na\n```\n'), '```md\na\n```');
  });

  test('are reported as a problem if two fences are marked `jinja`', () => {
    const text = '## PromptTemplate\n```jinja\na\n```\n```jinja b\n```\n';
    assert.deepEqual(
      body(text).problems.map(({ kind, span }) => [kind, sliceOf(text, span)]),
      [['several-template-fences', '```jinja b']],
    );
  });
});

describe('examples', () => {
  const parts = (text: string) => {
    const { input, output } = first(text).example ?? {};
    return [input, output].map((part) => part && [part.format, sliceOf(text, part.span)]);
  };

  test('are data in a YAML or JSON fence, otherwise literal', () => {
    const text = '## Example\n### input\n```json\n{"a": 1}\n```\n### OUTPUT:\n\nHello,\n\n#### you\n\n### Notes\n\nc\n';
    assert.deepEqual(parts(text), [
      ['json', '{"a": 1}\n'],
      [undefined, 'Hello,\n\n#### you'],
    ]);
    assert.deepEqual(parts('## Example\n### Output\n~~~yml\na: 1\n~~~\n'), [undefined, ['yaml', 'a: 1\n']]);
  });

  test('are literal if other text surrounds the fence', () => {
    const output = 'Write this:\n\n```yaml\na: 1\n```';
    assert.deepEqual(parts(`## Example\n### Input\n\n### Output\n\n${output}\n`), [
      [undefined, ''],
      [undefined, output],
    ]);
  });
});

describe('stages', () => {
  const all = (text: string) => {
    const { artifacts, lists } = body(text);
    return artifacts.flatMap((artifact) => stagesOf(text, { lists }, artifact));
  };
  const names = (text: string) => all(`## Approach\n\n${text}`).map(({ name }) => name);

  test('are named after their bold text or their first words', () => {
    const text = [
      '1. **Read the page.** With #tool:read_page, then',
      '   more.',
      '   1. inner',
      '2. Weigh each `fact`: slowly',
      '3. one two three four five six seven',
      '4. #tool:write_page',
      '5.',
    ].join('\n');
    assert.deepEqual(names(text), [
      'Read the page',
      'Weigh each fact',
      'one two three four five',
      '#tool:write_page',
      'Stage 5',
    ]);
  });

  test('continue after a block that splits the list, but not in another list', () => {
    assert.deepEqual(names('1. a\n\ntext\n\n2. b\n\n### Notes\n\n1. c\n'), ['a', 'b']);
    assert.deepEqual(names('- a\n- b\n\n> 1. c\n'), []);
  });

  test('have the spans of their parts', () => {
    const text = '## Approach\n\n 10) **a**: b\n\n     c\n 11) d\n';
    const stages = all(text);
    assert.deepEqual(
      stages.map(({ span, markerSpan, nameSpan, textSpan }) =>
        [span, markerSpan, nameSpan, textSpan].map((place) => sliceOf(text, place)),
      ),
      [
        ['10) **a**: b\n\n     c', '10)', 'a', '**a**: b\n\n     c'],
        ['11) d', '11)', 'd', 'd'],
      ],
    );
  });

  test('are found in a long list', () => {
    const text = Array.from({ length: 300 }, (_, i) => `${i + 1}. **Stage number ${i}**, which goes on\n`).join('\n');
    assert.equal(names(text)?.length, 300);
  });
});

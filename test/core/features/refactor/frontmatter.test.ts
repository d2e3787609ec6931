/** Refactorings of frontmatter: the two forms of schemas, examples from samples, the list of used tools. */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { refactored, skill, titlesIn } from './refactoring.ts';

describe('converting a schema to its other form', () => {
  const short = [
    'input_schema: # what it takes',
    '  tone: string, how it sounds',
    '  mood: [grim, wry]',
    '  beats: {type: integer, default: 5, min: 3}',
    'output_schema: {outline: "string[]"}',
  ];
  const long = [
    'input_schema: # what it takes',
    '  type: object',
    '  properties:',
    '    tone:',
    '      type: string',
    '      description: how it sounds',
    '    mood:',
    '      type: string',
    '      enum: [grim, wry]',
    '    beats:',
    '      type: integer',
    '      minimum: 3',
    '      default: 5',
    '  required: [tone, mood]',
    'output_schema: {outline: "string[]"}',
  ];

  it('writes a shorthand schema as JSON Schema', () => {
    const { text } = refactored(
      'Convert ‘input_schema’ to JSON Schema',
      skill(
        short.map((line) => line.replace('string, how', 'str$0ing, how')),
        'Do.',
      ),
    );
    assert.equal(text, skill(long, 'Do.'));
  });

  it('converts JSON Schema back to shorthand if nothing is lost', () => {
    const { text } = refactored(
      'Convert ‘input_schema’ to shorthand',
      skill(
        long.map((line) => line.replace('input_schema', 'input$0_schema')),
        'Do.',
      ),
    );
    assert.equal(text, skill(short, 'Do.').replace('default: 5, min: 3', 'min: 3, default: 5'));
  });

  it('replaces braces with separate lines, and keeps the comment', () => {
    const { text } = refactored(
      'Convert ‘output_schema’ to JSON Schema',
      skill(['input_schema: {}', 'output_schema: {a: $0string} # what comes back', 'level: 1'], 'Do.'),
    );
    assert.equal(
      text,
      skill(
        [
          'input_schema: {}',
          'output_schema: # what comes back',
          '  type: object',
          '  properties:',
          '    a:',
          '      type: string',
          '  required: [a]',
          'level: 1',
        ],
        'Do.',
      ),
    );
  });

  it('is not offered if comments, aliases or keywords would be lost', () => {
    const none = (...head: string[]) => assert.deepEqual(titlesIn(skill(head, 'Do.')), []);
    none('input_schema: {$0}');
    none('input_schema:', '  a: str$0ing', '  # b', '  c: string');
    none('input_schema: {a: s$0trng}');
    none('output_schema: {a: &a [x, y]}', 'input_schema: {b: *a, c$0: string}');
    none('input_schema: {type: object, properties: {a$0: {type: string}}, minProperties: 1}');
    none(
      'input_schema: {type: object, $schema: "http://json-schema.org/draft-07/schema#", properties: {a$0: {type: string}}}',
    );
  });
});

describe('adding an example from a sample', () => {
  const title = 'Add an example from the sample ‘dusk’';

  it('copies the parameters to the input without changes, and leaves the output empty', () => {
    const head = [
      'input_schema: {tone: string, scene: string}',
      'samples:',
      '  dusk:',
      '    request: Draft it.',
      '    parameters:',
      '      tone: grim # very',
      '      scene: >-',
      '        The chain',
      '        is down.',
    ];
    const { text } = refactored(
      title,
      skill(
        head.map((line) => line.replace('Draft', 'Dr$0aft')),
        'Do.',
        '',
        '## Example: noon',
        '',
        '### Input',
        '',
        'x',
        '',
        '### Output',
        '',
        'y',
        '',
        '## Description: d',
        '',
        'D.',
      ),
    );
    assert.equal(
      text,
      skill(
        head,
        'Do.',
        '',
        '## Example: noon',
        '',
        '### Input',
        '',
        'x',
        '',
        '### Output',
        '',
        'y',
        '',
        '## Example: dusk',
        '',
        '### Input',
        '',
        '```yaml',
        'tone: grim # very',
        'scene: >-',
        '  The chain',
        '  is down.',
        '```',
        '',
        '### Output',
        '',
        '## Description: d',
        '',
        'D.',
      ),
    );
  });

  it('adds the example at the end, and uses the request as input if there are no parameters', () => {
    const head = ['input_schema: {}', 'samples: {dusk: {request: Draft it.}}'];
    const { text } = refactored(
      title,
      skill(
        head.map((line) => line.replace('dusk', 'd$0usk')),
        'Do.',
      ),
    );
    assert.equal(text, skill(head, 'Do.', '', '## Example: dusk', '', '### Input', '', 'Draft it.', '', '### Output'));
  });

  it('writes each parameter on a separate line', () => {
    const head = ['input_schema: {a: string, beats: integer}', 'samples: {dusk: {parameters: {a: "x: y", beats: 1}}}'];
    const { text } = refactored(
      title,
      skill(
        head.map((line) => line.replace('dusk', 'du$0sk')),
        'Do.',
      ),
    );
    assert.match(text, /### Input\n\n```yaml\na: "x: y"\nbeats: 1\n```\n\n### Output\n$/);
  });

  it('is not offered for a sample that has an example or no content', () => {
    assert.deepEqual(
      titlesIn(
        skill(
          ['input_schema: {}', 'samples: {du$0sk: {request: x}}'],
          'Do.',
          '',
          '## Example: dusk',
          '',
          '### Input',
          '',
          'x',
          '',
          '### Output',
          '',
          'y',
        ),
      ),
      [],
    );
    assert.deepEqual(titlesIn(skill(['input_schema: {}', 'samples: {du$0sk: {model: x}}'], 'Do.')), []);
  });
});

describe('splitting tools by use', () => {
  const title = 'Split ‘tools’ by approach';

  it('gives each approach the tools in its text and in the rest of the body', () => {
    const head = ['tools: [read_page, save_page, find_page]', 'input_schema: {a: string}'];
    const meta = (tools: string) => ['```yaml artifact', `tools: [${tools}]`, '```'];
    const body = (first: string[], second: string[]) => [
      'Begin with #tool:find_page.',
      '',
      '## Approach: read',
      ...first,
      '',
      'Use #tool:read_page.',
      '',
      '## Approach: write',
      '```yaml artifact',
      'include_when: a == "b"',
      ...second,
      '```',
      '',
      'Use #tool:save_page.',
    ];
    const { text } = refactored(
      title,
      skill(
        head.map((line) => line.replace('tools', 'to$0ols')),
        ...body([], []),
      ),
    );
    assert.equal(text, skill(head, ...body(meta('read_page, find_page'), ['tools: [save_page, find_page]'])));
  });

  it('is not offered if every approach needs all tools, or if an approach declares tools', () => {
    const head = ['tools: [read_page, save_page]', 'input_schema: {}'];
    const titles = (...body: string[]) => titlesIn(skill(head, 'Do.', '', ...body));
    assert.deepEqual(titles('## App$0roach: a', '', 'Use #tool:read_page and #tool:save_page.'), []);
    assert.deepEqual(
      titles('## App$0roach: a', '```yaml artifact', 'tools: [read_page]', '```', '', 'Use #tool:read_page.'),
      [],
    );
    assert.deepEqual(titles('## App$0roach: a', '', 'Use what helps.'), []);
  });
});

describe('writing out the steps of a composite', () => {
  const part = (name: string, schemas: string) =>
    `---\nname: ${name}\ndescription: ${name}.\nversion: 1.0.0\nlevel: 1\n${schemas}\n---\nText.\n`;
  const others = {
    'skills/read-page.skill.md': part('read-page', 'input_schema: {slug: string}\noutput_schema: {page: string}'),
    'skills/rate-page.skill.md': part(
      'rate-page',
      'input_schema: {page: string, mode: string?}\noutput_schema: {score: number}',
    ),
    'skills/sum-up.skill.md': part('sum-up', 'input_schema: {text: string}\noutput_schema: {summary: string}'),
  };
  const composite = (composes: readonly string[], body = 'Do.') =>
    skill(
      [
        'level: 2',
        'input_schema: {slug: string, mode: string?}',
        'output_schema: {score: number?, summary: string?}',
        ...composes,
      ],
      body,
    );

  it('in the order of their data, in parallel where they do not depend on each other', () => {
    const composes = [
      'composes:',
      '  - rate-page',
      '  - read-page',
      '  - skill: sum-up',
      '    input_mapping: {page: text}',
    ];
    const { text } = refactored(
      'Write out the steps of ‘composes’',
      composite(composes.map((line) => line.replace('- rate', '- ra$0te'))),
      true,
      others,
    );
    const execution = [
      'execution:',
      '  - step: read-page',
      '    inputs:',
      '      slug: $input.slug',
      '  - parallel:',
      '      - step: rate-page',
      '        inputs:',
      '          page: $read-page.output.page',
      '          mode: $input.mode',
      '      - step: sum-up',
    ];
    assert.equal(text, composite([...composes, ...execution]));
    for (const empty of ['execution: [$0]', 'execution:$0']) {
      const offer = refactored('Write out the steps of ‘composes’', composite([...composes, empty]), true, others);
      assert.equal(offer.text, composite([...composes, ...execution]));
    }
  });

  it('is not offered for a skill with an execution, a service, or skills that wait for a stage', () => {
    const offered = (composes: readonly string[], body?: string) =>
      titlesIn(composite(composes, body), others).includes('Write out the steps of ‘composes’');
    assert.ok(offered(['composes: [read-page, $0rate-page]']));
    assert.ok(!offered(['composes: [read-page, $0rate-page]', 'execution: [{step: read-page}, {step: rate-page}]']));
    assert.ok(!offered(['composes: [read-page, unk$0nown]']));
    assert.ok(!offered(['composes: [$0]']));
    const stages = 'Do.\n\n## Approach\n\n1. **Look.** Look.\n2. **Read.** Use #skill:read-page.\n';
    assert.ok(!offered(['composes: [read-page, $0rate-page]'], stages));
  });
});

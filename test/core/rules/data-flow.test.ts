/** Cases of data flow in composites that the rule pages do not show: examples, orders, and valid skills. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import type { Finding } from '../../../server/src/finding.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { applyEdits, sliceOf } from '../../../server/src/text.ts';

const FLOW = ['E001', 'E002', 'E011', 'E012'];

interface Parts {
  readonly [name: string]: readonly [input: string, output?: string];
}

const uriOf = (name: string): string => `file:///w/${name}.skill.yaml`;

const head = (name: string, level: number): string =>
  `name: ${name}\ndescription: What it is for.\nversion: 1.0.0\nlevel: ${level}\n`;

function open(composite: string, parts: Parts): Workspace {
  const workspace = new Workspace();
  for (const [name, [input, output]] of Object.entries(parts)) {
    const text = `${head(name, 1)}input_schema: ${input}\n${output === undefined ? '' : `output_schema: ${output}\n`}`;
    workspace.apply({ kind: 'text', uri: uriOf(name), text });
  }
  workspace.apply({ kind: 'text', uri: uriOf('whole'), text: composite });
  return workspace;
}

function flowFindings(workspace: Workspace): readonly Finding[] {
  const file = workspace.analysis.file(uriOf('whole'));
  assert.ok(file);
  return check(file, workspace.analysis).filter(
    ({ code, message }) => FLOW.includes(code) || message.startsWith('Circular data'),
  );
}

/** `CODE marked text` for each finding about the data flow. */
function flowOf(lines: readonly string[], parts: Parts, level = 3): readonly string[] {
  const text = `${head('whole', level)}${lines.join('\n')}\n`;
  return flowFindings(open(text, parts)).map(({ code, span }) => `${code} ${sliceOf(text, span)}`);
}

describe('examples from the specification', () => {
  it('A.1: a simple composition', () => {
    const lines = [
      'composes:',
      '  - user-lookup',
      '  - permission-lookup',
      'input_schema:',
      '  type: object',
      '  properties:',
      '    user_id: { type: string }',
      '  required: [user_id]',
      'output_schema:',
      '  type: object',
      '  properties:',
      '    user:',
      '      type: object',
      '      properties:',
      '        id: { type: string }',
      '        name: { type: string }',
      '    permissions:',
      '      type: array',
      '      items: { type: string }',
    ];
    const user = '{user: {id: string, name: string}}';
    const sound = {
      'user-lookup': ['{user_id: string}', user],
      'permission-lookup': ['{user_id: string}', '{permissions: "string[]"}'],
    } as const;
    assert.deepEqual(flowOf(lines, sound, 2), []);
    assert.deepEqual(
      flowOf(lines, { ...sound, 'permission-lookup': ['{user: {id: integer}}', '{permissions: "string[]"}'] }, 2),
      ['E002 permission-lookup'],
    );
    assert.deepEqual(
      flowOf(
        lines,
        { ...sound, 'permission-lookup': ['{user_id: string, realm: boolean}', '{permissions: string}'] },
        2,
      ),
      ['E001 permission-lookup', 'E002 permissions'],
    );
  });

  const review = [
    'composes: [fetch-pr-diff, analyze-security, analyze-performance, generate-review, post-comment]',
    'input_schema: {pr: integer, auto_post: boolean}',
    'output_schema: {}',
    'execution:',
    '  - step: fetch-pr-diff',
    '  - parallel:',
    '      - step: analyze-security',
    '      - step: analyze-performance',
    '  - step: generate-review',
    '    inputs:',
    '      security: $analyze-security.output',
    '      performance: $analyze-performance.output',
    '  - step: post-comment',
    '    condition: $input.auto_post == true',
  ];
  const reviewers = {
    'fetch-pr-diff': ['{pr: integer}', '{diff: string}'],
    'analyze-security': ['{diff: string}', '{findings: "string[]"}'],
    'analyze-performance': ['{diff: string}', '{hints: "string[]"}'],
    'generate-review': ['{security: {findings: "string[]"}, performance: object}', '{review: string}'],
    'post-comment': ['{pr: integer, review: string}', '{}'],
  } as const;

  it('A.2: a workflow', () => {
    assert.deepEqual(flowOf(review, reviewers), []);
    assert.deepEqual(
      flowOf(review, {
        ...reviewers,
        'generate-review': ['{security: string, performance: {hints: string}}', '{review: string}'],
      }),
      ['E002 $analyze-security.output', 'E002 $analyze-performance.output'],
    );
    assert.deepEqual(
      flowOf(
        review.map((line) => line.replace('$input.auto_post', '$input.auto_past')),
        reviewers,
      ),
      ['E002 auto_past'],
    );
  });

  it('3.3: an optional input may be missing, but a required input needs a required output', () => {
    const lines = ['composes: [fetch, use]', 'input_schema: {}', 'output_schema: {}'];
    const consumer =
      '{type: object, properties: {user_id: {type: string}, preferences: {type: object}}, required: [user_id]}';
    assert.deepEqual(flowOf(lines, { fetch: ['{}', '{user_id: string, extra: integer}'], use: [consumer, '{}'] }), []);
    assert.deepEqual(flowOf(lines, { fetch: ['{}', '{user_id: string?}'], use: [consumer, '{}'] }), ['E001 use']);
  });
});

describe('a step that runs before the step whose output it uses', () => {
  const parts = {
    use: ['{a: integer}', '{}'],
    mid: ['{}', '{b: integer}'],
    make: ['{}', '{a: integer}'],
    needy: ['{b: integer}', '{a: integer}'],
  } as const;
  const titles = (...lines: readonly string[]) =>
    flowFindings(open(`${head('whole', 3)}input_schema: {}\noutput_schema: {}\n${lines.join('\n')}\n`, parts))
      .flatMap(({ fixes }) => fixes.map(({ title }) => title))
      .filter((title) => title.startsWith('Run'));

  it('can be fixed by running the other step first', () => {
    const steps = 'execution: [{parallel: [{step: use}, {step: mid}]}, {step: make}]';
    assert.deepEqual(titles('composes: [use, mid, make]', steps), ['Run `make` before `use`']);
  });

  it('cannot be fixed by reordering if the other step uses an intermediate step', () => {
    const reversed = 'execution: [{step: use}, {step: mid}, {step: needy}]';
    assert.deepEqual(titles('composes: [use, mid, needy]', reversed), []);
    const reads = '{step: make, inputs: {x: $mid.output.b}}';
    assert.deepEqual(titles('composes: [use, mid, make]', `execution: [{step: use}, {step: mid}, ${reads}]`), []);
  });
});

describe('the check of the data flow', () => {
  const parts = { make: ['{}', '{a: integer}'], use: ['{a: integer}', '{}'] } as const;
  const composite = (...execution: string[]) => [
    'composes: [make, use]',
    'input_schema: {ready: boolean}',
    'output_schema: {}',
    'execution:',
    ...execution.map((line) => `  ${line}`),
  ];

  it('follows the order of `execution`', () => {
    assert.deepEqual(flowOf(composite('- step: make', '- step: use'), parts), []);
    assert.deepEqual(flowOf(composite('- step: use', '- step: make'), parts), ['E001 use']);
  });

  it('finds no data flow between parallel steps', () => {
    assert.deepEqual(flowOf(composite('- parallel: [{step: make}, {step: use}]'), parts), ['E001 use']);
  });

  const otherwise = { ...parts, other: ['{}', '{a: integer}'] } as const;
  const choice = (...execution: string[]) =>
    composite(...execution).map((line) => line.replace('[make, use]', '[make, other, use]'));

  it('does not rely on a step that may not run', () => {
    const when = '- when: [{condition: $input.ready, steps: [{step: make}]}]';
    const takes = '- {step: use, inputs: {a: $make.output.a}}';
    assert.deepEqual(flowOf(composite(when, '- step: use'), parts), ['E001 use']);
    assert.deepEqual(flowOf(composite('- {step: make, condition: $input.ready}', '- step: use'), parts), ['E001 use']);
    assert.deepEqual(flowOf(composite('- {step: make, condition: $input.ready}', takes), parts), [
      'E001 $make.output.a',
    ]);
    assert.deepEqual(flowOf(composite(when, '  else: [{step: use}]'), parts), ['E001 use']);
    assert.deepEqual(
      flowOf(choice(when, '  else: [{step: other, condition: $input.ready}]', '- step: use'), otherwise),
      ['E001 use'],
    );
  });

  it('relies on outputs that every arm of a branch provides', () => {
    const when = '- when: [{condition: $input.ready, steps: [{step: make}]}]';
    assert.deepEqual(flowOf(choice(when, '  else: [{step: other}]', '- step: use'), otherwise), []);
    const takes = '- {step: use, inputs: {a: $make.output.a}}';
    assert.deepEqual(flowOf(composite(when, '  else: [{step: make}]', takes), parts), []);
  });

  it('relies on a conditional step if a later step repeats the condition or tests the output', () => {
    const make = '- {step: make, condition: $input.ready}';
    for (const condition of ['$input.ready', '$input.ready and $input.ready == true', '$make.output.a == 1']) {
      assert.deepEqual(flowOf(composite(make, `- {step: use, condition: ${condition}}`), parts), [], condition);
    }
    const other = '- {step: use, condition: not $input.ready}';
    assert.deepEqual(flowOf(composite(make, other), parts), ['E001 use']);
    const either = '- {step: use, condition: $input.ready or $input.ready == false}';
    assert.deepEqual(flowOf(composite(make, either), parts), ['E001 use']);
  });

  it('relies on a speculated step unless it may be cancelled', () => {
    const speculate = (keep: string) => `- {speculate: [{step: make${keep}}], until: other}`;
    assert.deepEqual(flowOf(choice(speculate(''), '- step: use'), otherwise), []);
    const two = { ...otherwise, other: ['{}', '{b: integer}'] } as const;
    assert.deepEqual(flowOf(choice(speculate(''), '- step: use'), two), []);
    assert.deepEqual(flowOf(choice(speculate(', keep_when: $other.output.b == 1'), '- step: use'), two), ['E001 use']);
  });

  it('treats all steps of a speculation as parallel, including the deciding step', () => {
    assert.deepEqual(flowOf(composite('- {speculate: [{step: use}], until: make}'), parts), ['E001 use']);
    assert.deepEqual(flowOf(composite('- {speculate: [{step: make}], until: {step: use}}'), parts), ['E001 use']);
    const takes = '- {step: use, inputs: {a: $make.output.a}}';
    assert.deepEqual(flowOf(choice('- {speculate: [{step: other}], until: make}', takes), otherwise), []);
  });

  it('includes the inputs of the deciding step of a speculation', () => {
    const lines = composite('- {speculate: [{step: make}], until: {step: use, inputs: {a: ready, b: 1}}}');
    assert.deepEqual(flowOf(lines, parts), ['E002 ready', 'E002 b']);
  });

  it('includes the outputs of either arm of a branch', () => {
    const lines = [
      'composes: [text, number, use]',
      'input_schema: {ready: boolean}',
      'output_schema: {}',
      'execution:',
      '  - when: [{condition: $input.ready, steps: [{step: number}]}]',
      '    else: [{step: text}]',
      '  - step: use',
    ];
    const arms = { number: ['{}', '{a: integer}'], text: ['{}', '{a: string}'], use: ['{a: integer}', '{}'] } as const;
    assert.deepEqual(flowOf(lines, arms), ['E002 use']);
  });

  it('ignores steps that never run', () => {
    assert.deepEqual(flowOf(composite('- step: make'), parts), []);
  });
});

describe('without an execution', () => {
  const parts = {
    use: ['{a: integer}', '{}'],
    make: ['{seed: integer}', '{a: integer}'],
    seed: ['{}', '{seed: integer}'],
    unseed: ['{a: integer}', '{seed: integer}'],
    rename: ['{x: integer}', '{y: integer}'],
  } as const;
  const of = (composes: string, input = '{}') =>
    flowFindings(open(`${head('whole', 3)}input_schema: ${input}\noutput_schema: {}\ncomposes: ${composes}\n`, parts));
  const reported = (composes: string, input?: string) =>
    of(composes, input).map(({ code, message }) => `${code} ${message}`);

  it('the order of the list does not matter', () => {
    assert.deepEqual(reported('[use, make, seed]'), []);
    assert.deepEqual(reported('[use, {skill: rename, input_mapping: {seed: x}, output_mapping: {y: a}}, seed]'), []);
  });

  it('a value of the wrong type is reported in any order', () => {
    const clash = { ...parts, make: ['{seed: integer}', '{a: string}'] } as const;
    const lines = ['composes: [use, make, seed]', 'input_schema: {}', 'output_schema: {}'];
    assert.deepEqual(flowOf(lines, clash), ['E002 use']);
  });

  it('a cycle of data is one finding at the first entry of the cycle', () => {
    const message =
      'E003 Circular data: `make` requires `seed` of `unseed` and `unseed` requires `a` of `make`. Add one of these values to the inputs, or map another value.';
    assert.deepEqual(reported('[use, make, unseed]'), [message]);
    assert.deepEqual(
      of('[use, make, unseed]').flatMap(({ fixes }) => fixes.map(({ title }) => title)),
      ['Add `seed` to the inputs'],
    );
    assert.deepEqual(reported('[use, make, unseed]', '{seed: integer}'), []);
    assert.deepEqual(reported('[{skill: rename, input_mapping: {a: x}, output_mapping: {y: seed}}, make]'), [
      'E003 Circular data: `rename` requires `a` of `make` and `make` requires `seed` of `rename`. Add one of these values to the inputs, or map another value.',
    ]);
  });
});

describe('nothing is reported', () => {
  const lines = ['composes: [make, use]', 'input_schema: {}', 'output_schema: {b: integer}'];
  const cases: Readonly<Record<string, readonly [readonly string[], Parts]>> = {
    'if a skill is unknown': [lines, { use: ['{a: integer}', '{}'] }],
    'if a skill has no output schema': [lines, { make: ['{}'], use: ['{a: integer}', '{}'] }],
    'if a schema is invalid': [lines, { make: ['{}', '{a: integr}'], use: ['{a: integer}', '{}'] }],
    'if a skill has invalid frontmatter': [lines, { make: ['{', '{}'], use: ['{a: integer}', '{}'] }],
    'if the output of a skill may have any field': [
      lines,
      { make: ['{}', '{type: object, additionalProperties: true}'], use: ['{a: integer}', '{}'] },
    ],
    'if the composite declares no inputs': [['composes: [use]', 'output_schema: {}'], { use: ['{a: integer}', '{}'] }],
    'for a skill that composes itself': [
      ['composes: [whole, use]', 'input_schema: {}', 'output_schema: {}'],
      { use: ['{a: integer}', '{}'] },
    ],
  };
  for (const [title, [composite, parts]] of Object.entries(cases)) {
    it(title, () => assert.deepEqual(flowOf(composite, parts), []));
  }

  it('for an atomic skill', () => {
    assert.deepEqual(flowOf(['composes: [use]', 'input_schema: {}'], { use: ['{a: integer}', '{}'] }, 1), []);
  });

  it('while files are still being read', () => {
    const workspace = open(`${head('whole', 2)}${lines.join('\n')}`, {
      make: ['{}', '{}'],
      use: ['{a: integer}', '{}'],
    });
    assert.equal(flowFindings(workspace).length, 2);
    workspace.apply({ kind: 'partial', partial: true });
    assert.deepEqual(flowFindings(workspace), []);
  });
});

describe('every fix', () => {
  const COMPOSES = [
    'composes: [make, use]',
    'composes:\n  - make\n  - use',
    'composes:\n- make\n- use # why',
    'composes:\n  - make\n  - skill: use\n    as: take',
    'composes:\n  - make\n  - {skill: use, input_mapping: {}}',
    'composes:\n  - make\n  - skill: use\n    input_mapping:\n      x: y',
    'composes:\n  - "make"\n  - "use"',
  ];
  const INPUTS = [
    'input_schema: {}',
    'input_schema: {q: string}',
    'input_schema:\n  q: string',
    'input_schema:\n  type: object\n  properties:\n    q: {type: string}',
  ];

  for (const composes of COMPOSES) {
    it(`removes its finding in \`${composes.replaceAll('\n', '⏎')}\``, () => {
      for (const input of INPUTS) {
        for (const lineBreak of ['\n', '\r\n']) {
          const text = `${head('whole', 2)}${input}\n${composes}\noutput_schema: {}\n`.replaceAll('\n', lineBreak);
          const workspace = open(text, {
            make: ['{}', '{n: integer}'],
            use: ['{y: string?, a: {type: integer, min: 3}, b: integer}', '{}'],
          });
          const before = flowFindings(workspace);
          const titles = before.flatMap(({ fixes }) => fixes.map(({ title }) => title));
          assert.ok(titles.length >= 3, titles.join(', '));
          for (const { message, fixes } of before) {
            for (const { title, edits } of fixes) {
              const after = applyEdits(
                text,
                edits.flatMap((file) => file.edits),
              );
              assert.ok(lineBreak === '\n' || !/[^\r]\n/.test(after), title);
              const left = flowFindings(
                open(after, {
                  make: ['{}', '{n: integer}'],
                  use: ['{y: string?, a: {type: integer, min: 3}, b: integer}', '{}'],
                }),
              );
              assert.ok(!left.some((finding) => finding.message === message), `${title} leaves ${message}\n${after}`);
              assert.ok(left.length < before.length, `${title}\n${after}`);
            }
          }
        }
      }
    });
  }
});

describe('parallel steps that write one name', () => {
  const parts = {
    one: ['{}', '{a: integer}'],
    two: ['{}', '{a: integer}'],
    text: ['{}', '{a: string}'],
    use: ['{a: integer}', '{b: integer}'],
    skip: ['{}', '{}'],
  } as const;
  const rulesOf = (composes: string, output: string, ...steps: readonly string[]): readonly string[] => {
    const lines = `input_schema: {ready: boolean}\noutput_schema: ${output}\nexecution:\n${steps.map((step) => `  - ${step}\n`).join('')}`;
    const workspace = open(`${head('whole', 3)}composes: [${composes}]\n${lines}`, parts);
    const file = workspace.analysis.file(uriOf('whole'));
    assert.ok(file);
    return check(file, workspace.analysis).map(({ rule, span }) => `${rule} ${sliceOf(file.text, span)}`);
  };
  const both = '{parallel: [{step: one}, {step: two}]}';

  it('are reported if the value is used by its name', () => {
    assert.deepEqual(rulesOf('one, two, use', '{}', both, '{step: use}'), ['parallel-outputs two']);
    assert.deepEqual(rulesOf('one, two', '{a: integer}', both), ['parallel-outputs two']);
    const mapped = '{skill: use, input_mapping: {a: a}}';
    assert.deepEqual(rulesOf(`one, two, ${mapped}`, '{}', both, '{step: use}'), ['parallel-outputs two']);
    const early = '{speculate: [{step: one}], until: two}';
    assert.deepEqual(rulesOf('one, two, use', '{}', early, '{step: use}'), ['parallel-outputs two']);
    const inArm = '{when: [{condition: ready, steps: [{parallel: [{step: one}, {step: two}]}]}], else: [{step: one}]}';
    assert.deepEqual(rulesOf('one, two, use', '{}', inArm, '{step: use}'), ['parallel-outputs two']);
  });

  it('are reported once, also if only one of the types fits', () => {
    const mixed = '{parallel: [{step: one}, {step: text}]}';
    assert.deepEqual(rulesOf('one, text, use', '{}', mixed, '{step: use}'), ['parallel-outputs text']);
    assert.deepEqual(rulesOf('one, two', '{a: string}', both), ['type-mismatch a', 'parallel-outputs two']);
  });

  it('are not reported if the value is not used, is replaced, or is in different arms', () => {
    assert.deepEqual(rulesOf('one, two', '{}', both), []);
    const takes = '{step: use, inputs: {a: $one.output.a}}';
    assert.deepEqual(rulesOf('one, two, use', '{}', both, takes), []);
    const again = '{skill: one, as: again}';
    assert.deepEqual(rulesOf(`one, two, ${again}, use`, '{}', both, '{step: again}', '{step: use}'), []);
    const arms = '{when: [{condition: ready, steps: [{step: one}]}], else: [{step: two}]}';
    assert.deepEqual(rulesOf('one, two, use', '{}', arms, '{step: use}'), []);
    const apart = '{parallel: [{step: one, condition: ready}, {step: two, condition: not ready}]}';
    assert.deepEqual(rulesOf('one, two', '{a: integer?}', apart), []);
    const kept =
      '{speculate: [{step: one, keep_when: $use.output.b == 1}, {step: two, keep_when: $use.output.b == 2}], until: {step: use, inputs: {a: 1}}}';
    assert.deepEqual(rulesOf('one, two, use', '{a: integer?, b: integer}', kept), []);
  });
});

describe('mappings', () => {
  const parts = { make: ['{}', '{a: integer, b: integer}'], use: ['{x: integer, y: integer?}', '{}'] } as const;
  const rulesOf = (composes: string, more = ''): readonly string[] => {
    const rest = `input_schema: {p: integer, q: integer}\noutput_schema: {}\ncomposes: [${composes}]\n${more}`;
    const workspace = open(`${head('whole', 3)}${rest}`, parts);
    const file = workspace.analysis.file(uriOf('whole'));
    assert.ok(file);
    return check(file, workspace.analysis).map(({ rule, span }) => `${rule} ${sliceOf(file.text, span)}`);
  };

  it('with the same target are reported', () => {
    assert.deepEqual(rulesOf('{skill: use, input_mapping: {p: x, q: x}}'), ['duplicate-mapping x']);
    assert.deepEqual(rulesOf('{skill: use, input_mapping: {p: x, q: y}}'), []);
    assert.deepEqual(rulesOf('{skill: make, output_mapping: {a: c, b: c}}'), ['duplicate-mapping c']);
    assert.deepEqual(rulesOf('{skill: make, output_mapping: {a: b}}'), ['duplicate-mapping b']);
    assert.deepEqual(rulesOf('{skill: make, output_mapping: {a: b, b: a}}'), []);
  });

  it('without an effect are reported', () => {
    const use = '{skill: use, input_mapping: {p: x}}';
    assert.deepEqual(rulesOf(use, 'execution: [{step: use, inputs: {x: 3}}]\n'), ['unused-mapping p: x']);
    assert.deepEqual(rulesOf(use, 'execution: [{step: use, inputs: {y: 3}}]\n'), []);
    const arms = '{when: [{condition: p > 1, steps: [{step: use, inputs: {x: 3}}]}], else: [{step: use}]}';
    assert.deepEqual(rulesOf(use, `execution: [${arms}]\n`), []);
  });
});

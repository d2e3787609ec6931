/**
 * Random skills with valid and invalid values for each key and each kind of artifact. The templates of these skills do
 * not fail because of a value.
 */
import fc from 'fast-check';

export const CATALOG = `tools: [{name: read_page}, {name: save_page, operation: WRITE}]
interrupts: [{name: on_doubt, node: plan}]
models: [anthropic, openai]
`;

const line = (...lines: readonly string[]) => fc.constantFrom('', ...lines);

const head = fc
  .tuple(
    line(
      'tools: []',
      'tools: [read_page]',
      'tools: [{name: read_page, optional: true}, save_page]',
      'tools: [read_pgae]',
    ),
    line('requires_tools: true', 'requires_tools: false'),
    line('output_schema: {text: string}', 'output_schema: {text: strnig}'),
    line('interrupts: [before_exit]', 'interrupts: [on_doubt, {name: before_write, when: tone == "grim"}]'),
    line(
      'exit: {on: output_schema}',
      'exit: {on: tool_budget, max_tool_calls: 3}',
      'exit: {on: tool_budget}',
      'exit: {on: tool_budget, max_tool_calls: 0}',
      'exit: {on: interrupt, name: before_exit}',
      'exit: {on: interrupt}',
      'exit: {on: caller}',
      'exit: {on: caller, max_tool_calls: 3}',
      'exit: {on: caler}',
      'exit: caller',
      'exit: {}',
    ),
    line('framing: main', 'framing: other', 'framing: mian', 'framing:'),
    line('planner_delegates_shape: true', 'model_preference: anthropic'),
    fc.constantFrom(
      'input_schema: {tone: [grim, wry], n: {type: integer, default: 2}, word: "string?"}',
      'input_schema: {tone: string, n: integer}',
      'input_schema: {type: object, properties: {tone: {type: string}}, required: [tone], additionalProperties: true}',
      'input_schema: {}',
      'input_schema: {tone: strnig, n: intger}',
      'input_schema: {tone: {type: string, regex: "^[A-Z]{2}_[0-9]{2}$"}, n: {type: number, multipleOf: 0.5, min: 1}}',
      'input_schema: {tone: string, n: {type: integer, exclusiveMinimum: 3, exclusiveMaximum: 4}}',
      '',
    ),
  )
  .map((lines) => lines.filter((one) => one !== '').join('\n'));

const EXPRESSIONS = [
  'tone == "grim"',
  'tnoe == "grim"',
  'not tnoe',
  'n is defined and n > 1',
  'missing is defined',
  'scope == "channel"',
  'parameters.tone',
  'tone ==',
] as const;

const TEXTS = [
  'Do it.',
  'Read with #tool:read_page.',
  'Save with #tool:save_page, then #interrupt:before_exit.',
  'Ask #tool:nobody.',
  '<!-- to do -->',
  '',
] as const;

const TEMPLATES = [
  'Plain words.',
  '{{ tone | default("none") | upper }}',
  '{% for one in memory %}{{ one.text }}{% endfor %}{{ user_request }}',
  '{% if tone is defined %}{{ tone }}{% endif %}',
  '{{ tnoe | upper }}',
  '{{ missing }}',
  '{{ "a" | uper }}',
  '{{ missing | default("") }}',
  '{% include "other" %}',
  '{% set a = 1 %}{{ a }}{% endfor %}',
  '{{ a | upper }}{% set a = 1 %}',
  '{{ tone.x.y }}',
  '{% for one in n %}{{ one }}{% endfor %}',
  '{{ tone + n }}',
  '{{ tone | round }}',
  '{{ memory | first }}',
] as const;

const fence = (lines: readonly string[]): string =>
  lines.length === 0 ? '' : `\n\`\`\`yaml artifact\n${lines.join('\n')}\n\`\`\`\n`;

const text = fc.constantFrom(...TEXTS);
const condition = fc.option(fc.constantFrom(...EXPRESSIONS), { nil: undefined });
const when = (expression: string | undefined): readonly string[] =>
  expression === undefined ? [] : [`include_when: '${expression}'`];

const artifact = fc.oneof(
  fc.tuple(condition, text).map(([one, prose]) => `## Description: d\n${fence(when(one))}\n${prose}\n`),
  fc
    .tuple(condition, line('tools: [read_page]', 'tools: [save_page, nobody]'), text)
    .map(
      ([one, tools, prose]) =>
        `## Approach: a\n${fence([...when(one), ...(tools === '' ? [] : [tools])])}\n1. ${prose}\n`,
    ),
  fc
    .tuple(line('tags: [grim]'), text)
    .map(
      ([tags, prose]) =>
        `## Example: e\n${fence(tags === '' ? [] : [tags])}\n### Input\n\n${prose}\n\n### Output\n\nDone.\n`,
    ),
  fc
    .tuple(fc.constantFrom('main', 'main', 'other'), line('model_variant: anthropic'), fc.constantFrom(...TEMPLATES))
    .map(
      ([name, variant, source]) => `## PromptTemplate: ${name}\n${fence(variant === '' ? [] : [variant])}\n${source}\n`,
    ),
);

export const randomSkill: fc.Arbitrary<string> = fc
  .tuple(head, text, fc.array(artifact, { maxLength: 4 }))
  .map(
    ([keys, prose, artifacts]) =>
      `---\nname: one\ndescription: Does one thing.\nversion: 1.0.0\n${keys}\n---\n\n${prose}\n\n${artifacts.join('\n')}`,
  );

// Random composites, whose mappings, steps, conditions and retries are often wrong.

const contract = (name: string, input: string, output: string, more = ''): string =>
  `name: ${name}\ndescription: Does ${name}.\nversion: 1.0.0\ninput_schema: ${input}\noutput_schema: ${output}\n${more}`;

/** The skills that a random composite composes, by file name. */
export const COMPOSED: Readonly<Record<string, string>> = {
  'p.skill.yaml': contract(
    'p',
    '{a: string}',
    '{b: string}',
    'errors: [{code: BUSY, description: Busy., retry: backoff}]\n',
  ),
  'q.skill.yaml': contract(
    'q',
    '{b: string, m: {x: string}?}',
    '{c: integer}',
    'operation: WRITE\nretry: {max_attempts: 2}\n',
  ),
  'obj.skill.yaml': contract('obj', '{}', '{o: {x: string, y: integer?}, flag: boolean, kind: [red, blue]}'),
  'weak.skill.yaml': contract('weak', '{a: strnig}', '{b: string}'),
  'deep.skill.yaml': contract('deep', '{a: string}', '{b: string}', 'level: 2\ncomposes: [p, gone]\n'),
};

const ENTRIES = [
  'p',
  'q',
  'obj',
  '{skill: p, as: p2}',
  '{skill: q, as: p}',
  '{skill: p, as: "p 2"}',
  '{skill: p, as: p3, output_mapping: {b: d}}',
  '{skill: p, as: p4, output_mapping: {b: d, bb: e}}',
  '{skill: q, as: q2, input_mapping: {a: b}}',
  '{skill: q, as: q3, input_mapping: {a: b, n: b}}',
  '{skill: q, as: q4, input_mapping: {a: bb}}',
  '{skill: q, as: q5, inputMapping: {a: b}}',
  '{skill: q, as: q6, input_mapping: {b: a}}',
  '{name: p, as: q7}',
  'gone',
  'weak',
  'deep',
] as const;

const CONDITIONS = [
  '',
  ', condition: true',
  ', condition: a == "x"',
  ', condition: $input.aa == "x"',
  ', condition: input.a == "x"',
  ', condition: $p.output.b == 5',
  ', condition: $p.output.b + n > 2',
  ', condition: f.y.z',
  ', condition: $obj.output.kind | uper == "RED"',
  ', condition: a == "$p.output.zz"',
  ', if: a == "x"',
] as const;

const RETRIES = [
  '',
  '',
  ', retry: {max_attempts: 2}',
  ', retry: {attempts: 0}',
  ', retry: {}',
  ', retry: {max_attempts: 0}',
  ', retry: {maxAttempts: 2}',
  ', retry: {max_attempts: 2, retry_on: [BUSSY]}',
  ', retry: 3',
] as const;

const INPUTS = [
  '',
  '',
  ', inputs: {a: $input.a}',
  ', inputs: {b: $p.output.b}',
  ', inputs: {b: $obj.output.o.x, m: {x: $obj.output.o.y}}',
  ', inputs: {b: p.output.b}',
  ', inputs: {b: "$p.output.b, $US and $q.output.zz"}',
  ', inputs: {b: 5, bb: 6}',
  ', inputs: [a]',
] as const;

const call = fc
  .tuple(
    fc.constantFrom('p', 'q', 'obj', 'p2', 'q2', 'p3', 'nobody', '[p]', '$p'),
    fc.constantFrom(...CONDITIONS),
    fc.constantFrom(...INPUTS),
    fc.constantFrom(...RETRIES),
  )
  .map(([step, ...rest]) => `{step: ${step}${rest.join('')}}`);

const listOf = (item: fc.Arbitrary<string>) => fc.array(item, { maxLength: 3 }).map((items) => `[${items.join(', ')}]`);

const node = fc.oneof(
  { weight: 4, arbitrary: call },
  listOf(call).map((steps) => `{parallel: ${steps}}`),
  fc
    .tuple(listOf(call), listOf(call))
    .map(([one, other]) => `{when: [{condition: a == "x", steps: ${one}}], else: ${other}}`),
  listOf(call).map((steps) => `{when: [{if: a, steps: ${steps}}]}`),
  fc
    .tuple(fc.constantFrom('p', 'q', 'p2'), fc.constantFrom('obj', '{step: obj}', '[obj]', 'flag', '$obj'))
    .map(([step, until]) => `{speculate: [{step: ${step}, keep_when: $obj.output.flag}], until: ${until}}`),
);

export const randomComposite: fc.Arbitrary<string> = fc
  .tuple(
    fc.uniqueArray(fc.constantFrom(...ENTRIES), { minLength: 1, maxLength: 5 }),
    fc.option(fc.array(node, { minLength: 1, maxLength: 4 }), { nil: undefined }),
  )
  .map(([entries, nodes]) =>
    contract(
      'w',
      '{a: string, n: integer, f: {y: string}}',
      '{b: string?, c: integer?}',
      `level: 3\ncomposes: [${entries.join(', ')}]\n${nodes ? `execution:\n${nodes.map((one) => `  - ${one}\n`).join('')}` : ''}`,
    ),
  );

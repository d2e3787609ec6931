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

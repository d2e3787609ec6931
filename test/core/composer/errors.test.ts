/** Every kind of error, with the text at its span and its suggestion. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type { Json } from '../../../server/src/languages/yaml/node.ts';
import { type Files, failures, type Options, skill } from './composing.ts';

const CATALOG = `tools:
  - {name: read_page, scope: read:pages, operation: READ}
scopes: [read:pages]
profiles:
  - {name: nobody, scopes: []}
composer: {context_tokens: 60}
`;

const withCatalog = (text: string): Files => ({ 'skills/test.skill.md': text, 'skills.config.yaml': CATALOG });
const withPart = (text: string, part: string): Files => ({
  'skills/test.skill.md': text,
  'skills/part.skill.md': part,
});
const templated = (template: string): string => skill('framing: main\n', `\n## PromptTemplate: main\n\n${template}\n`);

let deep: Json = 1;
for (let level = 0; level < 100_000; level++) deep = [deep];

/** Title, files, invocation, the kind with the text at the span, and a pattern for the suggestion. */
const cases: readonly (readonly [string, Files, Options, string, RegExp])[] = [
  [
    'no name',
    '---\ndescription: x\ninput_schema: {}\n---\nDo it.\n',
    {},
    'MissingRequiredField at ---',
    /`name: draft-scene`/,
  ],
  ['no framing', skill('', ''), {}, 'MissingRequiredField at name: test', /^Write the instructions for the model/],
  [
    'a framing that is not there',
    skill('framing: mian\n', '\n## PromptTemplate: main\n\nDo it.\n'),
    {},
    'MissingRequiredField at mian',
    /^Did you mean `main`\?$/,
  ],
  [
    'several framings',
    skill('', '\n## PromptTemplate: a\n\nDo it.\n\n## PromptTemplate: b\n\nDo it.\n'),
    {},
    'MissingRequiredField at name: test',
    /^Add `framing: a`/,
  ],
  [
    'no schema',
    '---\nname: test\ndescription: x\n---\nDo it.\n',
    {},
    'MissingRequiredField at name: test',
    /`input_schema: \{\}`/,
  ],
  [
    'a malformed schema',
    skill('input_schema: {a: strnig}\n', 'Do it.\n'),
    {},
    'MissingRequiredField at strnig',
    /^Correct the schema/,
  ],
  [
    'both malformed fields of a schema, the second',
    skill('input_schema: {a: strnig, b: nubmer}\n', 'Do it.\n'),
    {},
    'MissingRequiredField at nubmer',
    /^Correct the schema/,
  ],
  [
    'tools that are required and not declared',
    skill('requires_tools: true\n', 'Do it.\n'),
    {},
    'CapabilityNarrowing at true',
    /^Declare `tools`/,
  ],
  [
    'a budget without a number',
    skill('exit: {on: tool_budget}\n', 'Do it.\n'),
    {},
    'MissingRequiredField at tool_budget',
    /`max_tool_calls: 10`/,
  ],
  [
    'a budget that is no number',
    skill('exit: {on: tool_budget, max_tool_calls: few}\n', 'Do it.\n'),
    {},
    'MissingRequiredField at few',
    /`max_tool_calls: 10`/,
  ],
  [
    'an exit by a schema that is not there',
    skill('exit: {on: output_schema}\n', 'Do it.\n'),
    {},
    'MissingRequiredField at output_schema',
    /^Declare it/,
  ],
  [
    'an exit by an interrupt without a name',
    skill('exit: {on: interrupt}\n', 'Do it.\n'),
    {},
    'MissingRequiredField at interrupt',
    /^Add it with the name/,
  ],
  [
    'an exit by an interrupt that is not declared',
    skill('interrupts: [before_exit]\nexit: {on: interrupt, name: before_exti}\n', 'Do it.\n'),
    {},
    'MissingRequiredField at before_exti',
    /^Did you mean `before_exit`\?$/,
  ],
  [
    'an exit with a number that it does not read',
    skill('exit: {on: caller, max_tool_calls: 3}\n', 'Do it.\n'),
    {},
    'MissingRequiredField at max_tool_calls',
    /^Remove it, or write `on: tool_budget`/,
  ],
  [
    'an exit of no kind',
    skill('exit: {on: tool_bugdet}\n', 'Do it.\n'),
    {},
    'MissingRequiredField at tool_bugdet',
    /^Set it to `output_schema`/,
  ],
  ['broken YAML', '---\nname: [a\n---\nDo it.\n', {}, 'MissingRequiredField', /^Correct the YAML/],
  [
    'a composed skill that is not there',
    skill('level: 2\ncomposes: [part]\n', 'Do it.\n'),
    {},
    'InvalidComposition at part',
    /^Create it/,
  ],
  [
    'a circle',
    withPart(
      skill('level: 2\ncomposes: [part]\n', 'Do it.\n'),
      skill('level: 2\ncomposes: [test]\n', 'Do it.\n').replace('name: test', 'name: part'),
    ),
    {},
    'InvalidComposition at part',
    /Remove one of these compositions/,
  ],
  ['an unknown tool', withCatalog(skill('tools: [read_pag]\n', 'Do it.\n')), {}, 'UnknownTool at read_pag', /^Correct/],
  [
    'a tool that the body misspells',
    withCatalog(skill('tools: [read_page]\n', 'Use #tool:read_pag.\n')),
    {},
    'UnknownTool at #tool:read_pag',
    /^Did you mean `read_page`\?/,
  ],
  [
    'a caller who holds nothing',
    withCatalog(skill('tools: [read_page]\n', 'Do it.\n')),
    { profile: 'nobody' },
    'CapabilityNarrowing at [read_page]',
    /^Choose a caller/,
  ],
  [
    'a value that the schema refuses',
    skill('input_schema: {n: integer}\n', 'Do it.\n'),
    { parameters: { n: 'x' } },
    'ParameterMismatch at n',
    /^Change the value/,
  ],
  [
    'a missing parameter',
    skill('input_schema: {place: string}\n', 'Do it.\n'),
    { parameters: { plcae: 'x' } },
    'ParameterMismatch at place',
    /^Rename `plcae` to `place`/,
  ],
  [
    'a misspelt parameter that may be left out',
    skill('input_schema: {place: string?}\n', 'Do it.\n'),
    { parameters: { plcae: 'x' } },
    'ParameterMismatch at {place: string?}',
    /^Rename it to `place`\.$/,
  ],
  [
    'a misspelt parameter that has a default',
    skill('input_schema: {count: {type: integer, default: 3}}\n', 'Do it.\n'),
    { parameters: { coutn: 4 } },
    'ParameterMismatch at {count:',
    /^Rename it to `count`\.$/,
  ],
  [
    'a value nested too deep',
    skill('input_schema: {a: array}\n', 'Do it.\n'),
    { parameters: { a: deep } },
    'ParameterMismatch at {a: array}',
    /^Use fewer levels/,
  ],
  ['a syntax error', templated('{{ 1 + }}'), {}, 'MalformedTemplate at +', /./],
  ['an undefined variable', templated('🐉龙\r\n{{ plaec }}'), {}, 'MalformedTemplate at plaec', /./],
  ['a misspelt filter', templated('{{ "a" | uper }}'), {}, 'MalformedTemplate at uper', /^Did you mean `upper`\?$/],
  [
    'loops without end',
    templated('{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}'),
    {},
    'MalformedTemplate at range(9999)',
    /./,
  ],
  [
    'a condition that fails',
    skill('', 'Do it.\n\n## Description: d\n```yaml artifact\ninclude_when: tnoe\n```\n\nText.\n'),
    {},
    'MalformedTemplate at tnoe',
    /./,
  ],
  [
    'an undefined name that a filter lets pass',
    templated('{{ plaec | upper }}'),
    {},
    'MalformedTemplate at plaec',
    /./,
  ],
  [
    'an undefined name in a branch that does not run',
    templated('{% if false %}{{ plaec }}{% endif %}'),
    {},
    'MalformedTemplate at plaec',
    /./,
  ],
  [
    'an undefined name in a template that is taken in',
    `${templated('{% include "part" %}')}\n## PromptTemplate: part\n\n{{ plaec | upper }}\n`,
    {},
    'MalformedTemplate at plaec',
    /./,
  ],
  [
    'an undefined name that a comparison lets pass',
    skill(
      'input_schema: {tone: string}\n',
      'Do it.\n\n## Description: d\n```yaml artifact\ninclude_when: tnoe == "x"\n```\n\nText.\n',
    ),
    { parameters: { tone: 'grim' } },
    'MalformedTemplate at tnoe',
    /^Did you mean `tone`\?$/,
  ],
  [
    'an undefined name that `not` lets pass',
    skill('', 'Do it.\n\n## Approach: d\n```yaml artifact\ninclude_when: not tnoe\n```\n\nText.\n'),
    {},
    'MalformedTemplate at tnoe',
    /./,
  ],
  [
    'a prompt over the budget',
    withCatalog(skill('', `Do it.\n\n## Description: long\n\n${'word '.repeat(90)}\n`)),
    {},
    'ArtifactBudgetExceeded at ## Description: long',
    /^Without `Description: long` it has \d+\.$/,
  ],
];

for (const [title, files, options, place, suggestion] of cases) {
  test(`${title}: ${place}`, () => {
    const errors = failures(files, options);
    const told = errors.map(({ kind, at }) => `${kind} at ${at}`);
    assert.ok(
      told.some((one) => one.startsWith(place)),
      `${told}`,
    );
    const error = errors[told.findIndex((one) => one.startsWith(place))];
    assert.match(error?.suggestion ?? '', suggestion);
    assert.match(error?.message ?? '', /^.+[.!?]$/s);
    // The suggestion is shown after the message, so the message must not repeat the suggestion.
    assert.ok(!error?.message.includes(error.suggestion), error?.message);
  });
}

/** Random skills in which a few names have many roles: parameters, fields, variables, steps, artifacts. */
import fc from 'fast-check';

const NAMES = ['tone', 'cast', 'page', 'item', 'main'];
const name = fc.constantFrom(...NAMES);

/** The forms in which a name may be written as a key or a value of YAML. */
const quoted = name.chain((word) => fc.constantFrom(word, `"${word}"`, `'${word}'`));

const type = fc.oneof(
  fc.constantFrom('string', 'integer?', 'string[]', '[item, two]', '{type: string, default: item}'),
  fc
    .tuple(quoted, quoted)
    .map(([a, b]) => (a === b ? `{${a}: string}` : `{${a}: string, x${b.replaceAll(/["']/g, '')}: string?}`)),
  quoted.map((field) => `{type: array, items: {properties: {${field}: string}}}`),
);

/** Some of the names, each with a type. */
const fields = fc
  .uniqueArray(fc.record({ key: quoted, type }), {
    selector: ({ key }) => key.replaceAll(/["']/g, ''),
    maxLength: 3,
  })
  .map((all) => `{${all.map(({ key, type: value }) => `${key}: ${value}`).join(', ')}}`);

const expression = fc.oneof(
  name,
  fc.tuple(name, name).map(([a, b]) => `${a}.${b}`),
  fc.tuple(name, name).map(([a, b]) => `${a}["${b}"]`),
  name.map((a) => `parameters.${a}`),
  fc.tuple(name, name).map(([a, b]) => `${a} | default(${b})`),
  fc.tuple(name, name).map(([a, b]) => `${a} is defined and ${b} == "tone"`),
  name.map((a) => `${a} | map(attribute="${a}") | list`),
);

const statement = fc.oneof(
  expression.map((value) => `{{ ${value} }}`),
  fc.tuple(name, expression).map(([a, value]) => `{% set ${a} = ${value} %}`),
  fc.tuple(name, name, expression).map(([a, b, value]) => `{% for ${a} in ${b} %}{{ ${value} }}{% endfor %}`),
  fc.tuple(name, expression).map(([a, value]) => `{% if ${value} %}{% set ${a} = 1 %}{% endif %}`),
  fc.tuple(name, name, expression).map(([a, b, value]) => `{% macro ${a}(${b}) %}{{ ${value} }}{% endmacro %}`),
  fc.tuple(name, expression).map(([a, value]) => `{% with ${a} = ${value} %}{{ ${a} }}{% endwith %}`),
  name.map((a) => `{% include "${a}" %}`),
  name.map((a) => `The ${a}, #artifact:${a} and #skill:${a}.`),
);

const template = fc.array(statement, { maxLength: 4 }).map((lines) => lines.join('\n'));

const text = (head: readonly string[], body: string) => `---\n${head.join('\n')}\n---\n\n${body}`;

const part = fc
  .tuple(fields, fields, template, fc.option(expression), quoted)
  .map(([input, output, lines, when, key]) =>
    text(
      [
        'name: page',
        'description: d',
        'version: 1.0.0',
        'level: 1',
        `input_schema: ${input}`,
        `output_schema: ${output}`,
        ...(when === null ? [] : [`interrupts: [{name: before_exit, when: ${JSON.stringify(when)}}]`]),
        `samples: {one: {parameters: {${key}: tone}}}`,
      ],
      `## PromptTemplate: main\n\n${lines}\n\n## PromptTemplate: tone\n\n{{ tone }}\n\n## Example: one\n\n### Input\n\n\`\`\`yaml\n${key}: tone\n\`\`\`\n`,
    ),
  );

const whole = fc
  .tuple(fields, fields, quoted, quoted, name, fc.constantFrom('page', 'item', 'tone'))
  .map(([input, output, from, to, field, step]) =>
    text(
      [
        'name: main',
        'description: d',
        'version: 1.0.0',
        'level: 2',
        `input_schema: ${input}`,
        `output_schema: ${output}`,
        'composes:',
        `  - skill: page${step === 'page' ? '' : `\n    as: ${step}`}`,
        `    input_mapping: {${from}: ${to}}`,
        `    output_mapping: {${to}: ${from}}`,
        'execution:',
        `  - step: ${step}`,
        `    inputs: {${field}: $input.${field}}`,
        `  - {step: ${step}, condition: $${step}.output.${field} != ""}`,
      ],
      'Do it by #skill:page.\n',
    ),
  );

export const skillsWithSharedNames: fc.Arbitrary<Readonly<Record<string, string>>> = fc.record({
  'page.skill.md': part,
  'main.skill.md': whole,
});

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

/** Places in the frontmatter and the body of a skill that name its input `who` or its output `text`. */
const PLACES: readonly (readonly [frontmatter: string, body?: string])[] = [
  ['interrupts: [{name: before_exit, when: who != ""}]'],
  [
    'errors: [{code: LOST, description: Lost., fallback: text}, {code: GONE, description: Gone., fallback: $input.who}]',
  ],
  ['policy: {idempotent: true, idempotency_key: "{who}:{at.hour}"}'],
  ['samples: {ada: {parameters: {who: Ada, at: {hour: 9}}, expect: {output: [{type: equals, value: {text: Hi}}]}}}'],
  ['examples: [{name: one, input: {who: Ada, at: {hour: 1}}, output: {text: Hi}}]'],
  ['', '## Description: late\n```yaml artifact\ninclude_when: who == "Ada" and at.hour > 8\n```\n\nIt is late.\n'],
  ['', '## Example: two\n\n### Input\n\n```yaml\nwho: Ada\n```\n\n### Output\n\n```yaml\ntext: Hi\n```\n'],
  // The type of an item of a list in a template is not known, so that a rename may be refused.
  ['', '## Description: early\n```yaml artifact\ninclude_when: "[at][0].hour < 8"\n```\n\nIt is early.\n'],
  [
    'framing: main',
    '## PromptTemplate: main\n```yaml artifact\nassertions: [{type: structural, schema: {text: string}}]\n```\n\n' +
      '{{ who }} {{ parameters.who }} {{ parameters["at"].hour }} {% if who %}{% set time = at %}{{ time.hour }}{% endif %}\n',
  ],
];

const SCHEMAS = [
  '{who: string, at: {type: object, properties: {hour: {type: integer}}, default: {hour: 9}}}',
  '{type: object, properties: {who: {type: string}, at: {$ref: "#/$defs/time"}}, required: [who], ' +
    '$defs: {time: {type: object, properties: {hour: {type: integer}}, required: [hour], default: {hour: 9}}}}',
  '{type: object, properties: {who: {type: string}, at: {type: object, properties: {hour: {}}}}, ' +
    'dependentRequired: {at: [who]}, anyOf: [{required: [who]}, {properties: {who: {minLength: 1}}}]}',
];

/** A skill that names its input and its output in some of the possible places, and a composite that calls it. */
export const skillsWithFieldUses: fc.Arbitrary<Readonly<Record<string, string>>> = fc
  .tuple(
    fc.constantFrom(...SCHEMAS),
    fc.subarray([...PLACES], { minLength: 2 }),
    fc.constantFrom('input_mapping: {who: who}, ', 'input_mapping: {guest: who}, ', ''),
    fc.constantFrom('$input.who != "x"', '$input.who == "x" and $greet.output.text != ""'),
    fc.boolean(),
  )
  .map(([schema, places, mapping, condition, hasOrder]) => ({
    'greet.skill.md': text(
      [
        'name: greet\ndescription: Greets a guest. Use it at the door.\nversion: 1.0.0\nlevel: 1',
        `input_schema: ${schema}`,
        'output_schema: {text: string}',
        ...places.flatMap(([line]) => (line === '' ? [] : [line])),
      ],
      places.some(([line]) => line.startsWith('framing'))
        ? places.map(([, body = '']) => body).join('\n')
        : `Greet.\n\n${places.map(([, body = '']) => body).join('\n')}`,
    ),
    'visit.skill.yaml': [
      'name: visit\ndescription: Visits.\nversion: 1.0.0\nlevel: 2',
      'input_schema: {who: string, guest: string, at: {hour: integer}}\noutput_schema: {note: string?}',
      `composes:\n  - {skill: greet, ${mapping}output_mapping: {text: note}}`,
      ...(hasOrder
        ? [
            'execution:\n  - step: greet\n    inputs: {who: $input.who, at: $input.at}',
            `  - when: [{condition: '${condition}', steps: []}]`,
          ]
        : []),
      '',
    ].join('\n'),
  }));

/** Laws of the types in templates: a certain problem always fails in the engine, and other failures have a finding. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';
import { templateProblems } from '../../../server/src/skill/template-types.ts';
import { render } from '../../core/template/engine.ts';
import { scaled } from '../../random.ts';
import { type Random, randomOf } from './generate.ts';

const SCHEMA = `{s: string, n: integer, f: boolean, b: "string?", m: "integer?", l: "string[]", nums: "number[]",
  p: {author: {name: string, nick: "string?"}}, cast: {type: array, min_length: 1, items: {name: string, age: "integer?"}},
  nul: {type: [object, "null"], properties: {x: {type: string}}, required: [x]}, ns: {type: [string, "null"]}}`;

const FULL = {
  s: 'text',
  n: 3,
  f: true,
  b: 'word',
  m: 2,
  l: ['a', 'b'],
  nums: [1, 2],
  p: { author: { name: 'Ada', nick: 'A' } },
  cast: [
    { name: 'Bo', age: 4 },
    { name: 'Cy', age: 5 },
  ],
  nul: { x: 'y' },
  ns: 'z',
};

/** Valid values: with all optional fields, without them, and with null. */
const CONTEXTS: readonly Record<string, unknown>[] = [
  FULL,
  { ...FULL, b: undefined, m: undefined, p: { author: { name: 'Ada' } }, cast: [{ name: 'Bo' }] },
  { ...FULL, nul: null, ns: null, f: false, b: '' },
  { ...FULL, b: undefined, m: undefined, p: { author: { name: 'Ada' } }, cast: [{ name: 'Bo' }], nul: null, ns: null },
].map((values) => {
  const parameters = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
  return { ...parameters, parameters };
});

const ATOMS = [
  ...['s', 'n', 'f', 'b', 'm', 'l', 'nums', 'p', 'cast', 'nul', 'ns', 'parameters.b', 'p.author.name', 'p.author.nick'],
  ...[
    'p.author.nmae',
    'p.x.y',
    'cast[0].name',
    'cast[0].nmae',
    'nul.x',
    's.x',
    '1',
    '"a"',
    'none',
    '[1, 2]',
    '{"k": s}',
    '[b, s]',
    '{"k": m}',
    '("x" if b)',
  ],
];
const FILTERS = [
  ...[
    'upper',
    'length',
    'default("d")',
    'default(1)',
    'abs',
    'items',
    'join',
    'list',
    'first',
    'last',
    'sort',
    'lines',
  ],
  ...['string', 'reverse', 'truncate(length=9)', 'truncate(9)', 'round', 'map(attribute="name")', 'trim(x=1)', 'sum'],
];
const TESTS = [
  'is defined',
  'is none',
  'is string',
  'is upper',
  'is mapping',
  'is not defined',
  'is odd',
  'is not none',
];
const OPERATORS = ['+', '*', '-', '~', '==', '<', 'in', 'and', 'or'];

function expression(random: Random, depth = 0): string {
  const inner = () => expression(random, depth + 1);
  switch (depth > 2 ? 0 : random.upTo(9)) {
    case 0:
    case 1:
    case 2:
      return random.pick(ATOMS);
    case 3:
    case 4:
      return `${random.pick(ATOMS)} | ${random.pick(FILTERS)}`;
    case 5:
      return `(${inner()}) ${random.pick(OPERATORS)} (${inner()})`;
    case 6:
      return `(${inner()} if ${random.pick(ATOMS)} ${random.pick(TESTS)} else ${inner()})`;
    case 7:
      return `(${random.pick(['', 'not '])}${random.pick(ATOMS)})`;
    default:
      return `(${random.pick(ATOMS)} ${random.pick(TESTS)})`;
  }
}

function statement(random: Random): string {
  const value = () => expression(random);
  switch (random.upTo(7)) {
    case 0:
      return `{% set v = ${value()} %}{{ v }}`;
    case 1:
      return `{% for v in ${random.pick(['l', 'cast', 'n', 'p', 'b', 'nul', 'cast | selectattr("age")', value()])} %}{{ ${random.pick(['v', 'v.name', 'v.nmae', 'v.age', value()])} }}{% endfor %}`;
    case 2:
      return `{% if ${value()} %}{{ ${value()} }}{% else %}{{ ${value()} }}{% endif %}`;
    case 3: {
      const name = random.pick(['b', 'm', 'nul', 'ns']);
      const test = random.pick([
        '',
        'is defined',
        'is none',
        '> 1',
        '== s',
        'in l',
        '| default("") | string',
        '!= none',
      ]);
      const condition = `${random.pick(['', 'not '])}${name} ${test}`;
      const [before, tested] = random.upTo(2) === 0 ? ['', condition] : [`{% set c = ${condition} %}`, 'c'];
      return `${before}{% if ${tested} %}{{ ${name} }}{% else %}{{ ${name} }}{% endif %}`;
    }
    case 4:
      if (random.upTo(2) === 0) {
        const block = `{{ ${random.pick(['c', 'c.name', 'c | length'])} }}`;
        return `{% macro m(x) %}{{ caller(x) }}{% endmacro %}{% call(c) m(${random.pick(ATOMS)}) %}${block}{% endcall %}`;
      }
      return `{% macro m(x) %}{{ ${random.pick(['x', 'x.name', 'x | length'])} }}{% endmacro %}{{ m(${random.pick(ATOMS)}) }}`;
    default:
      return `{{ ${value()} }}`;
  }
}

/** Whether the result depends on values rather than types: the first item of an empty list, a loop without items. */
const dependsOnValues = (template: string): boolean => /\b(?:first|last|sum)\b|\]\.|\*|[-+]/.test(template);

test('a certain problem fails for every value, and a failure for any value has a problem', () => {
  const random = randomOf(11);
  let failed = 0;
  let certain = 0;
  for (let i = 0; i < scaled(3000); i++) {
    const template = statement(random);
    const text = `---\nname: t\ndescription: d\nversion: 1.0.0\ninput_schema: ${SCHEMA}\nframing: main\n---\n\n## PromptTemplate: main\n\n${template}\n`;
    const file = new SkillFile('file:///w/skills/t.skill.md', text);
    if (file.templates[0]?.source.template.problems.length !== 0) continue;
    const problems = templateProblems(file).templates[0]?.problems ?? [];
    const outputs = CONTEXTS.map((context) => render(template, context, 'semi_strct'));
    const told = `${template}\n${problems.map(({ message, isCertain }) => `${isCertain} ${message}`).join('\n')}\n${outputs.join('\n')}`;
    const isFlat = !/\{%|\bif\b|\band\b|\bor\b/.test(template);
    const [first] = problems.filter(({ isCertain, kind }) => isCertain && (isFlat || kind !== 'undefined-field'));
    if (first) {
      certain++;
      assert.ok(
        outputs.every((output) => output.startsWith('! ')),
        `fails only sometimes:\n${told}`,
      );
    }
    // The type of a conditional without `else`, and of many filters of it, is unknown.
    if (problems.length === 0 && !/\||"x" if/.test(template)) {
      assert.ok(!outputs.some((output) => output.includes('undefined')), told);
    }
    if (outputs.some((output) => output.startsWith('! '))) {
      failed++;
      if (!dependsOnValues(template)) assert.ok(problems.length > 0, `no problem:\n${told}`);
    }
  }
  assert.ok(failed > scaled(500) && certain > scaled(150), `${failed} failed, ${certain} certain`);
});

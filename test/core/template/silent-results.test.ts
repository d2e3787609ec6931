/** Compares the findings about iterators, and about differences from Jinja2, with what the engine renders. */
import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { patternFormOf, textFormOf } from '../../../server/src/languages/minijinja/types/facts.ts';
import type { TypeProblem } from '../../../server/src/languages/minijinja/types/problems.ts';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';
import { templateProblems } from '../../../server/src/skill/template-types.ts';
import { applyEdits } from '../../../server/src/text.ts';
import { render } from './engine.ts';

const SCHEMA = `{s: string, n: integer, f: number, l: "string[]", m: {type: object, additionalProperties: {type: string}}, flag: boolean,
  o: {type: array, items: {a: string, b: string}}, b: "string?"}`;
const VALUES = {
  s: 'x,y z',
  n: 1234,
  f: 12.5,
  l: ['p', 'q'],
  m: { k: 'v', j: 'w' },
  flag: true,
  o: [
    { a: '2', b: '1' },
    { a: '1', b: '2' },
    { a: '1', b: '1' },
  ],
};

/** Returns the text of a template and its problems. */
function checked(template: string): { readonly text: string; readonly problems: readonly TypeProblem[] } {
  const text = `---\nname: t\ndescription: d\nversion: 1.0.0\ninput_schema: ${SCHEMA}\nframing: main\n---\n\n## PromptTemplate: main\n\n${template}\n`;
  const file = new SkillFile('file:///w/skills/t.skill.md', text);
  assert.deepEqual(file.templates[0]?.source.template.problems, [], template);
  const [first] = file.templates;
  return { text: first?.source.template.text ?? '', problems: templateProblems(file).templates[0]?.problems ?? [] };
}

const problemsOf = (template: string): readonly TypeProblem[] => checked(template).problems;

const has = (template: string, kind: TypeProblem['kind']): boolean =>
  problemsOf(template).some((problem) => problem.kind === kind);

/** Expressions whose value is a list, an object or a string. */
const ITERABLES = [
  ...['s', 'l', 'm', 'range(3)', '(1, 2)', '[1, 2]', 's | lines', 's | string', 'n | string'],
  ...['s | split', 's | split(",")', 's | split(",", 1)', '"a b" | split'],
  ...['s | split | list', 's | split | sort', 's | split | unique', 's | split | reverse', 's | split | map("upper")'],
  ...['s | split | select', 's | split | reject("eq", "q")', 's | split | batch(2)', 's | split | slice(2)'],
  ...['s | split | default([])', 's | split | first', 's | split | join', 's | split | groupby("a", default=1)'],
  ...[
    '(s | split)[:1]',
    '(s | split)[0:2]',
    '(s | split)[1:]',
    's[1:]',
    'l[1:]',
    'range(5)[2:]',
    '(s | split | list)[1:]',
  ],
  ...[
    's | reverse',
    'l | reverse',
    'l | sort',
    'l | unique',
    'l | map("upper")',
    'l | select',
    'l | batch(2)',
    'l | slice(2)',
  ],
  ...['l | batch(2) | first', 'l | slice(2) | first', 'm | items', 'm | dictsort', 'm | list', 'm | items | first'],
  ...['o | groupby("a")', '(o | groupby("a") | first)[1]', 'o | map(attribute="a")', 'o | selectattr("a")'],
  ...[
    'l + l',
    'l + (s | split)',
    '(s | split) + l',
    '((s | split) + ["a", "b"])[0:2]',
    '((s | split) + ["a", "b"])[1:2]',
    '(["a"] + (s | split) + (s | lines))[:1]',
    '(["a", "b"] + (s | split))[:2][:1]',
    '((s | split) + ["a"])[:9]',
    'l * 2',
    'l | chain(l)',
    'l | chain(s | split)',
    'l | chain(s)',
    'l | chain(l[1:])',
    'range(2) | chain(l)',
    'l | sort | chain(l)',
  ],
  ...['[] or (s | split)', '(s | split if flag else l)', 'dict(x=s | split).x', '{"x": s | split}.x', '[s | split][0]'],
];

test('an iterator is reported if and only if the engine prints one', () => {
  for (const expression of ITERABLES) {
    const template = `{{ ${expression} }}`;
    assert.equal(
      has(template, 'iterator'),
      render(template, VALUES, 'semi_strct').includes('<iterator>') || isWrongSlice(expression),
      template,
    );
  }
});

test('a branch that never runs does not hide the type of the other', () => {
  for (const template of [
    '{{ (s if s is not none else s[1:]) | int }}',
    '{{ (s[1:] if s is none else s) | int }}',
    '{% if s is none %}{% set x = s[1:] %}{% else %}{% set x = s %}{% endif %}{{ x | int }}',
    '{% if s is string %}{% set x = s %}{% elif n %}{% set x = l | first %}{% else %}{% set x = s[1:] %}{% endif %}{{ x | int }}',
    '{% set x = s %}{% if s is undefined %}{% set x = o.b %}{% endif %}{{ x | int }}',
  ])
    assert.ok(has(template, 'refused-value'), template);
  // The test `sequence` is false for iterators.
  assert.ok(has('{% set x = s | split %}{{ (l if x is sequence else x) | length }}', 'refused-value'));
});

test('an empty slice of an iterator is a list', () => {
  assert.deepEqual(problemsOf('{{ (s | split)[1:1] }}'), []);
  assert.equal(render('{{ (s | split)[1:1] }}', VALUES), '[]');
});

test('a value that is an iterator only for some inputs is reported as such, with a fix', () => {
  for (const value of ['(s | split if flag else l)', '(l + (s | split))[:2]', '(l + (s | split))[:2][:1]']) {
    for (const [use, claim] of [
      ['X | length', 'may be the result of `split`'],
      ['X', 'may be an iterator'],
      ['"a" if X else "b"', 'may be an iterator'],
    ] as const) {
      const [problem] = problemsOf(`{{ ${use.replace('X', value)} }}`);
      assert.ok(problem?.message.includes(claim), problem?.message);
      assert.equal(problem?.isCertain, false);
      assert.match(problem?.fixes[0]?.title ?? '', /list/);
    }
  }
  const [problem] = problemsOf('{% for x in (s | split if flag else l) %}{{ loop.last }}{% endfor %}');
  assert.match(problem?.message ?? '', /^`loop.last` is false in a loop over .*, which may have no length/);
  assert.equal(problem?.fixes.length, 1);
});

/** A slice without an end is reported where it is made. */
const isWrongSlice = (expression: string): boolean => expression === '(s | split)[1:]';

test('the test `sequence` is reported if and only if it is false for a list', () => {
  // The engine makes groups of one item in another way than larger groups.
  for (const expression of ITERABLES.filter((one) => !isWrongSlice(one) && !/(?:slice|groupby)\(.*first/.test(one))) {
    const isList = render(`{{ (${expression}) is not string and (${expression}) is not mapping }}`, VALUES) === 'true';
    const isSequence = render(`{{ (${expression}) is sequence }}`, VALUES, 'semi_strct');
    assert.equal(has(`{{ (${expression}) is sequence }}`, 'iterator'), isList && isSequence === 'false', expression);
  }
});

test('fields of `loop` are reported if and only if the engine does not know the length', () => {
  for (const expression of ITERABLES.filter((one) => !isWrongSlice(one))) {
    for (const condition of ['', ' if true']) {
      const loop = (body: string): string => `{% for x in ${expression}${condition} %}${body}{% endfor %}`;
      const isKnown = render(loop('{{ loop.length is defined }}'), VALUES, 'semi_strct').startsWith('true');
      assert.equal(has(loop('{{ loop.last }}'), 'iterator'), !isKnown, loop(''));
      assert.equal(has(loop('{{ loop.length }}'), 'iterator'), !isKnown, loop(''));
      assert.equal(render(loop('{{ loop.last }}'), VALUES, 'semi_strct').endsWith('true'), isKnown, loop(''));
    }
  }
});

/** Templates, the output of the engine, and the output after the first fix of each finding. */
const FIXED: readonly (readonly [template: string, before: string, after: string])[] = [
  ['{{ s | split(",") }}', '<iterator>', '["x", "y z"]'],
  ['{{ "a: " ~ s | split(",") }}', 'a: <iterator>', 'a: x, y z'],
  ['{% set x = s | split %}{{ x }}{{ x | upper }}', '<iterator><ITERATOR>', '["x,y", "z"]["X,Y", "Z"]'],
  ['{% for x in s | split(",") %}{{ x }}{{ "; " if not loop.last }}{% endfor %}', 'x; y z; ', 'x; y z'],
  ['{% for x in s %}{{ x }}{{ "-" if not loop.last }}{% endfor %}', 'x-,-y- -z-', 'x-,-y- -z'],
  [
    '{% for x in (l + (s | split)) %}{{ x }}{{ loop.length }}{% endfor %}',
    '! undefined value (in <string>:1)',
    'p4q4x,y4z4',
  ],
  ['{{ "yes" if "" | split else "no" }}', 'yes', 'no'],
  ['{{ "yes" if not ("" | split(",")) else "no" }}', 'no', 'yes'],
  ['{{ (s | split(","))[1:] | join }}', '', 'y z'],
  ['{% set x = s | split(",") %}{{ x[:-1] | join }}{{ x[-1] }}', '! undefined value (in <string>:1)', 'xy z'],
  ['{{ (s | split) is sequence }}', 'false', 'true'],
  [
    '{{ (s | split(",") * 2) | join("+") }}',
    '! invalid operation: cannot repeat unsized iterables (in <string>:1)',
    'x+y z+x+y z',
  ],
  [
    '{{ 2 * (s | split) }}',
    '! invalid operation: cannot repeat unsized iterables (in <string>:1)',
    '["x,y", "z", "x,y", "z"]',
  ],
  ['{{ (l + (s | split))[1:] | join("+") }}', '', 'q+x,y+z'],
  ['{{ (s | split if flag else s | split(","))[1:] | join }}', '', 'z'],
  ['{{ n | round(-2) }} {{ f | round(-1) }}', '1234 10.0', '1200 10'],
  ['{{ "A B" is upper }}{{ "A b" is not upper }}{{ not "a-b" is lower }}', 'falsetruetrue', 'truetruefalse'],
  ['{{ ("A B" is upper) == true }}', 'false', 'true'],
  ['{{ b | default(none) is none }}{{ (b | default(none)) == none }}', 'falsefalse', 'truetrue'],
  ['{% for x in o | sort(attribute="a,b") %}{{ x.a }}{{ x.b }} {% endfor %}', '21 12 11 ', '11 12 21 '],
  ['{% for x in o | sort(attribute="a, b", reverse=true) %}{{ x.a }}{{ x.b }} {% endfor %}', '11 12 21 ', '21 12 11 '],
  ['{{ f / (n - 1234) if n > 1 else 0 }}', 'inf', 'inf'],
  ['{{ 1 / (l | length - 2) }}', 'inf', 'inf'],
  ['{{ 1 / (n - n) ~ "" }}', 'inf', 'inf'],
  ['{% for x in l %}{{ 1 / loop.index0 }} {% endfor %}', 'inf 1.0 ', '0 1.0 '],
  [
    '{% for x in l %}{{ "a" ~ 6 // loop.index0 }} {% endfor %}',
    '! invalid operation: unable to calculate 6 // 0 (in <string>:1)',
    'a0 a6 ',
  ],
];

describe('a fix of a silent difference', () => {
  for (const [template, before, after] of FIXED) {
    it(`renders the expected text: ${template}`, () => {
      assert.equal(render(template, VALUES, 'semi_strct'), before);
      const { text, problems } = checked(template);
      assert.ok(problems.length > 0);
      // Several problems may have the same fix, at the call of `split`.
      const edits = new Map(
        problems.flatMap(({ fixes: [fix] }) => fix?.edits ?? []).map((edit) => [JSON.stringify(edit), edit]),
      );
      const fixed = applyEdits(text, [...edits.values()]);
      assert.equal(render(fixed.trim(), VALUES, 'semi_strct'), after, fixed);
    });
  }
});

test('a message has at most 160 characters', () => {
  for (const [template] of FIXED) {
    for (const { message } of problemsOf(template)) assert.ok(message.length <= 160, `${message.length}: ${message}`);
  }
});

test('a form of text is known only if all strings have it', () => {
  for (const [strings, form] of [
    [['1', '-2.5', '3e4'], 'number'],
    [['AB', 'ÄÖ'], 'letters'],
    [['1', 'A'], 'character'],
    [['A B'], undefined],
    [['', '1'], undefined],
  ] as const) {
    assert.equal(textFormOf(strings), form, strings.join());
  }
  const numbers = [
    '^\\d+$',
    '^[0-9]{1,3}$',
    '^-?\\d+$',
    '^[1-9]\\d*$',
    '^\\d+(\\.\\d+)?$',
    '^[+-]?[0-9]+(?:\\.[0-9]+)?$',
  ];
  const letters = ['^[A-Z]+$', '^[A-Za-z]{2,4}$', '^[A-Z][a-z]*$'];
  const others = [
    '\\d+',
    '^\\d*$',
    '^[0-9A-F]+$',
    '^[A-Z -]+$',
    '^\\w+$',
    '^\\d+ $',
    '^a|b$',
    '^[A-z]+$',
    '^\\d{0,3}$',
    '^[^a]+$',
  ];
  for (const pattern of numbers) assert.equal(patternFormOf(pattern), 'number', pattern);
  for (const pattern of letters) assert.equal(patternFormOf(pattern), 'letters', pattern);
  for (const pattern of others) assert.equal(patternFormOf(pattern), undefined, pattern);
});

test('`int` and `float` accept the strings that have the form of a number', () => {
  for (const text of ['1', '-2.5', '+3', '.5', '5.', '1e3', ' 1', '1 ', '', 'x', '1_0', '0x1', '1,5']) {
    const accepts = (filter: string): boolean => !render(`{{ x | ${filter} }}`, { x: text }).startsWith('! ');
    assert.equal(accepts('int'), textFormOf([text]) === 'number', text);
    assert.equal(accepts('float'), textFormOf([text]) === 'number', text);
  }
});

/** The parser's problems and their spans: each mistake has one problem, and the text after a broken tag is not lost. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseExpression, parseTemplate } from '../../../server/src/languages/minijinja/parser.ts';
import { engineError } from './engine.ts';
import { checkMarked } from './marked.ts';

/** Checks the markers. The engine must refuse the text exactly if the parser reports problems. */
function check(source: string): void {
  checkMarked(source, (text) => {
    const { problems } = parseTemplate(text);
    assert.equal(engineError(text) === undefined, problems.length === 0, text);
    return problems;
  });
}

const kindsOf = (text: string): string[] => parseTemplate(text).nodes.map(({ kind }) => kind);

test('an unfinished tag affects only itself', () => {
  check(`Dear {{ user.
     ^^^^^^^^ unclosed-tag: \`{{\` is not closed. Add \`}}\`.
all of this stays text, and {{ this.works }}
{% if x
^^^^^^^ unclosed-tag: \`{%\` is not closed. Add \`%}\`.
yes
{% endif %}
{# a note
^^^^^^^^^ unclosed-tag: \`{#\` is not closed. Add \`#}\`.
{{ "text }} and {{ "more" }}
   ^^^^^ unclosed-string: This string is not closed. Add the closing \`"\`.
{{ end }}`);
  const template = parseTemplate('{{ user.\nmore {{ name }}');
  assert.deepEqual(kindsOf('{{ user.\nmore {{ name }}'), ['output', 'text', 'output']);
  const [output] = template.nodes;
  assert.ok(output?.kind === 'output' && output.value.kind === 'attribute');
  assert.deepEqual(output.value.name, { text: '', span: { start: 8, end: 8 } });
});

test('reports each of several mistakes', () => {
  check(`{{ a || b }} {{ a === 1 }} {{ a <> 1 }}
     ^^ bad-character: MiniJinja has no operator \`||\`. Write \`or\`.
                  ^^^ bad-character: MiniJinja has no operator \`===\`. Write \`==\`.
                                ^^ bad-character: MiniJinja has no operator \`<>\`. Write \`!=\`.
{{ a b }} {{ (1 }}
     ^ unexpected: Expected \`}}\` or an operator, found \`b\`.
             ^ unexpected: \`(\` is not closed. Add \`)\`.
{{ x | }} {{ x is }} {{ x. }} {{ }}
     ^ unexpected: Expected the name of a filter after \`|\`, but the tag ends.
               ^^ unexpected: Expected the name of a test after \`is\`, but the tag ends.
                         ^ unexpected: Expected the name of an attribute after \`.\`, but the tag ends.
                              ^^^^^ unexpected: Expected an expression, but the tag ends.
{{ a && b }} {{ größe }} {{ "\\q" }} {{ 0b12 }}
     ^^ bad-character: MiniJinja has no operator \`&&\`. Write \`and\`.
                ^^^^^ bad-character: \`größe\` is not a valid name: names consist of ASCII letters, digits and \`_\`. If it is text, put it in quotes.
                             ^^ bad-escape: MiniJinja has no escape \`\\q\`. For a backslash, write \`\\\\q\`.
                                       ^^^^ bad-number: \`0b12\` is not a valid binary number.`);
});

test('says what to write for operators and strings of JavaScript and Python', () => {
  check(`{{ a ?? "x" }} {{ a ? b : c }} {{ f"{a}" }}
     ^^ bad-character: MiniJinja has no operator \`??\`. Use the filter \`default\`, such as \`notes | default("none")\`.
                    ^ bad-character: MiniJinja has no operator \`?\`. Write \`a if condition else b\`.
                                  ^^^^^^ unexpected: MiniJinja has no f-strings. Join the parts with \`~\`, such as \`"Dear " ~ name\`.`);
});

test('matches opening and closing tags, and reports an unclosed block', () => {
  check(`{% if a %}{% for x in y %}{% endif %}{% endfor %}
          ^^^^^^^^^^^^^^^^ unclosed-block: \`{% for %}\` is not closed. Add \`{% endfor %}\`.`);
  check(`{% if a %}{% endfor %}
             ^^^^^^ stray-tag: \`endfor\` does not close \`{% if %}\`. Write \`endif\`.`);
  check(`{% endif %}{% else %}
   ^^^^^ stray-tag: \`endif\` has no matching \`{% if %}\`. Remove the tag.
              ^^^^ stray-tag: \`else\` has no matching \`{% if %}\`. Add the \`{% if %}\`, or remove the tag.`);
  check(`{% raw %}{{ whatever
^^^^^^^^^ unclosed-block: \`{% raw %}\` is not closed. Add \`{% endraw %}\`.`);
  check(`{% if a %}{% else %}{% else %}{% endif %}
                       ^^^^ misplaced-tag: \`else\` is not allowed after \`else\`, the last branch of \`{% if %}\`. Move or remove it.`);
  const [problem] = parseTemplate('{% if a %}{% endfor %}').problems;
  assert.deepEqual(
    problem?.related.map(({ span }) => span),
    [{ start: 0, end: 10 }],
  );
  assert.deepEqual(problem?.fix?.edit, { span: { start: 13, end: 19 }, newText: 'endif' });
});

test('an unfinished block does not affect the blocks around it', () => {
  check(`{% if a %}
{% if b
^^^^^^^ unclosed-tag: \`{%\` is not closed. Add \`%}\`.
{% endif %}`);
  check(`{% fro x in xs %}{{ x }}{% endfor %}
   ^^^ unknown-tag: MiniJinja has no statement \`fro\`. Did you mean \`for\`?`);
  check(`{% for x in xs %}{{ x }}{% endfro %}
                           ^^^^^^ unknown-tag: MiniJinja has no statement \`endfro\`. Did you mean \`endfor\`?`);
  check(`{% trans %}hello{% endtrans %}
   ^^^^^ unknown-tag: MiniJinja has no statement \`trans\`.`);
  check(`{% if a %}{% elseif b %}{% endif %}
             ^^^^^^ unknown-tag: MiniJinja has no statement \`elseif\`. Did you mean \`elif\`?`);
  check(`{% if a %}{% else if b %}{% endif %}
             ^^^^^^^ unexpected: MiniJinja has no \`else if\`. Write \`elif\`.`);
});

test('reports only one problem for a broken block', () => {
  const count = (text: string) => parseTemplate(text).problems.length;
  for (const text of [
    '{% \n a {% elif b %}{% else %}{% endif %}',
    'a {% elif b %}{% else %}{% endif %}',
    '{% if a %}{% for x in y %}{% en\n{% endif %}',
    '{% if a %}{% f\n{% else %}{% endfor %}{% endif %}',
    '{% macro m() %}{% block b %}{% endblock %}',
    '{% if a %}{% end %}',
    '{% with %}{% endwiht %}',
    '{% unknown %}{% if a %}{% endif %}{% endunknown %}',
  ]) {
    assert.equal(count(text), 1, text);
  }
  assert.equal(parseTemplate('{% for x in y %}{% end %}').problems[0]?.fix?.edit.newText, 'endfor');
  check(`{% endraw %}{% raw x %}
   ^^^^^^ stray-tag: \`endraw\` has no matching \`{% raw %}\`. Remove the tag.
               ^^^ stray-tag: \`{% raw %}\` accepts no arguments. Remove the text after \`raw\`.`);
});

test('reports common mistakes with specific messages', () => {
  check(`{% if {{ x }} %}yes{% endif %}
^^^^^ unclosed-tag: \`{%\` is not closed before the next tag. Add \`%}\`, or write \`name\` instead of \`{{ name }}\` inside a tag.`);
  check(`{{ x %} and {% if y }}{% endif %}
     ^^ unclosed-tag: A tag that starts with \`{{\` ends with \`}}\`. Write \`}}\`.
                    ^^ unclosed-tag: A tag that starts with \`{%\` ends with \`%}\`. Write \`%}\`.`);
  check(`{% if a = 1 %}{% endif %}
        ^ unexpected: Only \`{% set %}\` and \`{% with %}\` can assign a value. Write \`==\` to compare.`);
  check(`{% set loop = 1 %}
       ^^^^ reserved-name: \`loop\` is a reserved name. Choose another name.`);
  check(`{% set a, b = c %}{{ x.0 }}{{ x.0.name }}{{ x.0.1 }}
        ^ newer-syntax: Unpacking without parentheses requires MiniJinja 2.14 or later. Write \`set (a, b) = c\`.
                       ^ newer-syntax: \`.0\` requires MiniJinja 2.18 or later. Write \`[0]\`.
                                ^ newer-syntax: \`.0\` requires MiniJinja 2.18 or later. Write \`[0]\`.
                                              ^^^ newer-syntax: \`.0.1\` requires MiniJinja 2.18 or later. Write \`[0][1]\`.`);
  check(`{% set a, b = c, f(1) %}
        ^ newer-syntax: Unpacking without parentheses requires MiniJinja 2.14 or later. Write \`{% set (a, b) = (…, …) %}\`.`);
  const fixed = (text: string): string => {
    const { edit } = parseTemplate(text).problems[0]?.fix ?? assert.fail('no fix');
    return text.slice(0, edit.span.start) + edit.newText + text.slice(edit.span.end);
  };
  assert.equal(fixed('{{ a&&b }}'), '{{ a and b }}');
  assert.equal(fixed('{{ (a) || b }}'), '{{ (a) or b }}');
  assert.equal(fixed('{{ a if !b }}'), '{{ a if not b }}');
  assert.equal(fixed('{% set a, b = c, 1 -%}'), '{% set (a, b) = (c, 1) -%}');
  assert.equal(fixed('{{ x.0.name }}'), '{{ x[0].name }}');
  assert.equal(fixed('{{ x.0.1.y }}'), '{{ x[0][1].y }}');
  check(`{% block a %}{% endblock %}{% block a %}{% endblock b %}
                                    ^ duplicate-block: Duplicate block \`a\`. Rename one of the two.
                                                    ^ unexpected: This tag closes the block \`a\`, not \`b\`. Correct or remove the name.`);
  check(`{% macro m() %}{% block a %}{% endblock %}{% endmacro %}{% break %}
                        ^ misplaced-tag: A block is not allowed inside \`{% macro %}\`. Move it out.
                                                           ^^^^^ misplaced-tag: \`break\` is only allowed inside a \`{% for %}\` loop.`);
});

test('parses a condition as an expression without delimiters', () => {
  const problems = (text: string) =>
    parseExpression(text).problems.map(({ span, message }) => [text.slice(span.start, span.end), message]);
  assert.deepEqual(problems('tone == "grim" and not (a | default(0)) is odd'), []);
  assert.deepEqual(problems('f(a=1)'), []);
  assert.deepEqual(problems('tone = "grim"'), [['=', 'An expression cannot assign a value. Write `==` to compare.']]);
  assert.deepEqual(problems('{{ tone }}'), [
    ['{{ tone }}', 'A condition is already an expression. Remove the delimiters.'],
  ]);
  assert.deepEqual(problems('tone tone'), [['tone', 'Expected the end of the expression, found `tone`.']]);
  assert.deepEqual(problems(''), [['', 'Expected an expression, but the expression ends.']]);
  assert.deepEqual(parseExpression('{% if a and b %}', 5).problems[0]?.fix?.edit, {
    span: { start: 5, end: 21 },
    newText: 'a and b',
  });
});

test('parses statements', () => {
  const [node] = parseTemplate('{%- for k, (a, b) in xs if k recursive -%}x{% else %}y{%+ endfor %}').nodes;
  assert.ok(node?.kind === 'for' && node.target.kind === 'targets');
  assert.equal(node.recursive, true);
  assert.deepEqual([node.tag.trimBefore, node.tag.trimAfter], ['-', '-']);
  assert.deepEqual(
    [node.body.span, node.otherwise?.span],
    [
      { start: 42, end: 43 },
      { start: 53, end: 54 },
    ],
  );
  assert.deepEqual(
    kindsOf('{% set a = 1 %}{% set b %}{% endset %}{% do f() %}{% include ["a", "b"] ignore missing %}'),
    ['set', 'set-block', 'do', 'include'],
  );
  assert.deepEqual(kindsOf('{% raw %}{{ x }}{% endraw %}{# c #}\r\n'), ['text', 'comment', 'text']);
});

test('parses expressions', () => {
  const shape = (text: string): unknown =>
    JSON.parse(
      JSON.stringify(parseExpression(text).expression, (key, value) =>
        key === 'span' || key === 'content' ? undefined : value,
      ),
    );
  assert.deepEqual(shape('-a.b'), {
    kind: 'attribute',
    receiver: { kind: 'unary', operator: '-', operand: { kind: 'name', name: 'a' } },
    name: { text: 'b' },
  });
  assert.deepEqual(shape('a is not odd'), {
    kind: 'test',
    input: { kind: 'name', name: 'a' },
    negated: true,
    name: { text: 'odd' },
    args: [],
  });
  assert.deepEqual(shape('"a" \'\\u00e9\''), { kind: 'literal', value: 'aé' });
  assert.deepEqual(shape('a if b else c if d else e'), {
    kind: 'conditional',
    value: { kind: 'name', name: 'a' },
    condition: { kind: 'name', name: 'b' },
    otherwise: {
      kind: 'conditional',
      value: { kind: 'name', name: 'c' },
      condition: { kind: 'name', name: 'd' },
      otherwise: { kind: 'name', name: 'e' },
    },
  });
  assert.deepEqual(shape('x[1:]'), {
    kind: 'slice',
    receiver: { kind: 'name', name: 'x' },
    start: { kind: 'literal', value: 1 },
  });
});

test('accepts and marks newer syntax', () => {
  const features = (text: string) => {
    const { problems, newerSyntax } = parseTemplate(text);
    return [
      problems.length,
      ...newerSyntax.map(({ feature, span }) => `${feature} ${text.slice(span.start, span.end)}`),
    ];
  };
  assert.deepEqual(features('{% for x in y %}{% break %}{% endfor %}'), [0, 'loop-controls {% break %}']);
  assert.deepEqual(features('{% block a required %} {# c #} {% endblock %}'), [0, 'required-block required']);
  assert.deepEqual(features('{{ f(a=1 if b else 2) }}'), [0, 'conditional-keyword-argument 1 if b else 2']);
  assert.deepEqual(features('{{ f(a=(1 if b else 2)) }}'), [0]);
  assert.deepEqual(features('{% block a required %}x{% endblock %}'), [1, 'required-block required']);
});

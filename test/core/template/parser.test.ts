/** Which problems the parser reports, and where: each mistake once, and none of the text behind a broken tag is lost. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseExpression, parseTemplate } from '../../../server/src/languages/minijinja/parser.ts';
import { refusal } from './engine.ts';
import { checkMarked } from './marked.ts';

/** Checks the markers, and that the engine refuses the text too where there are any. */
function check(source: string): void {
  checkMarked(source, (text) => {
    const { problems } = parseTemplate(text);
    assert.equal(refusal(text) === undefined, problems.length === 0, text);
    return problems;
  });
}

const kindsOf = (text: string): string[] => parseTemplate(text).nodes.map(({ kind }) => kind);

test('a half-typed tag costs that tag and not the file', () => {
  check(`Dear {{ user.
     ^^^^^^^^ unclosed-tag: \`{{\` is never closed: add \`}}\`.
all of this stays text, and {{ this.works }}
{% if x
^^^^^^^ unclosed-tag: \`{%\` is never closed: add \`%}\`.
yes
{% endif %}
{# a note
^^^^^^^^^ unclosed-tag: \`{#\` is never closed: add \`#}\`.
{{ "text }} and {{ "more" }}
   ^^^^^ unclosed-string: This string is never closed: add the closing \`"\`.
{{ end }}`);
  const template = parseTemplate('{{ user.\nmore {{ name }}');
  assert.deepEqual(kindsOf('{{ user.\nmore {{ name }}'), ['output', 'text', 'output']);
  const [output] = template.nodes;
  assert.ok(output?.kind === 'output' && output.value.kind === 'attribute');
  assert.deepEqual(output.value.name, { text: '', span: { start: 8, end: 8 } });
});

test('several mistakes are several problems', () => {
  check(`{{ a b }} {{ (1 }}
     ^ unexpected: Expected \`}}\`, found \`b\`, which does not continue what stands before it.
             ^ unexpected: This \`(\` is never closed: add \`)\`.
{{ x | }} {{ x is }} {{ x. }} {{ }}
     ^ unexpected: Expected the name of a filter after \`|\`, but the tag ends.
               ^^ unexpected: Expected the name of a test after \`is\`, but the tag ends.
                         ^ unexpected: Expected the name of an attribute after \`.\`, but the tag ends.
                              ^^^^^ unexpected: Expected an expression, but the tag ends.
{{ a && b }} {{ größe }} {{ "\\q" }} {{ 0b12 }}
     ^^ bad-character: MiniJinja has no \`&&\`: write \`and\`.
                ^^^^^ bad-character: \`größe\` cannot be a name: MiniJinja's names are made of ASCII letters, digits and \`_\`. Quote it if it is text.
                             ^^ bad-escape: \`\\q\` is not an escape that MiniJinja knows: double the backslash (\`\\\\q\`) to write one.
                                       ^^^^ bad-number: \`0b12\` is not a number in the notation \`0b\`.`);
});

test('blocks are matched, and the one that is open is the one reported', () => {
  check(`{% if a %}{% for x in y %}{% endif %}{% endfor %}
          ^^^^^^^^^^^^^^^^ unclosed-block: \`{% for %}\` opened here is never closed: add \`{% endfor %}\`.`);
  check(`{% if a %}{% endfor %}
             ^^^^^^ stray-tag: \`endfor\` does not close the open \`{% if %}\`: write \`endif\`.`);
  check(`{% endif %}{% else %}
   ^^^^^ stray-tag: \`endif\` closes nothing: no \`{% if %}\` is open here. Remove the tag.
              ^^^^ stray-tag: \`else\` belongs to no \`{% if %}\`: none is open here.`);
  check(`{% raw %}{{ whatever
^^^^^^^^^ unclosed-block: \`{% raw %}\` opened here is never closed: add \`{% endraw %}\`.`);
  check(`{% if a %}{% else %}{% else %}{% endif %}
                       ^^^^ misplaced-tag: \`else\` cannot follow \`else\`: the \`else\` of a \`{% if %}\` is its last branch.`);
  const [problem] = parseTemplate('{% if a %}{% endfor %}').problems;
  assert.deepEqual(
    problem?.related.map(({ span }) => span),
    [{ start: 0, end: 10 }],
  );
  assert.deepEqual(problem?.fix?.edit, { span: { start: 13, end: 19 }, newText: 'endif' });
});

test('a block that is being typed does not break those around it', () => {
  check(`{% if a %}
{% if b
^^^^^^^ unclosed-tag: \`{%\` is never closed: add \`%}\`.
{% endif %}`);
  check(`{% fro x in xs %}{{ x }}{% endfor %}
   ^^^ unknown-tag: MiniJinja has no statement \`fro\`: did you mean \`for\`?`);
  check(`{% for x in xs %}{{ x }}{% endfro %}
                           ^^^^^^ unknown-tag: MiniJinja has no statement \`endfro\`: did you mean \`endfor\`?`);
  check(`{% trans %}hello{% endtrans %}
   ^^^^^ unknown-tag: MiniJinja has no statement \`trans\`.`);
  check(`{% if a %}{% elseif b %}{% endif %}
             ^^^^^^ unknown-tag: MiniJinja has no statement \`elseif\`: did you mean \`elif\`?`);
  check(`{% if a %}{% else if b %}{% endif %}
             ^^^^^^^ unexpected: MiniJinja writes \`else if\` as one word: \`elif\`.`);
});

test('an end or a block whose other half is broken is not reported as well', () => {
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
   ^^^^^^ stray-tag: \`endraw\` closes nothing: no \`{% raw %}\` is open here. Remove the tag.
               ^^^ stray-tag: \`{% raw %}\` takes nothing: remove what stands behind \`raw\`.`);
});

test('common confusions have messages of their own', () => {
  check(`{% if {{ x }} %}yes{% endif %}
^^^^^ unclosed-tag: \`{%\` is not closed before the next tag: add \`%}\`. A tag cannot hold another; inside one, write \`name\` for \`{{ name }}\`.`);
  check(`{{ x %} and {% if y }}{% endif %}
     ^^ unclosed-tag: A tag that \`{{\` opens is closed by \`}}\`: write \`}}\`.
                    ^^ unclosed-tag: A tag that \`{%\` opens is closed by \`%}\`: write \`%}\`.`);
  check(`{% if a = 1 %}{% endif %}
        ^ unexpected: Only \`{% set %}\` and \`{% with %}\` assign: write \`==\` to compare.`);
  check(`{% set loop = 1 %}
       ^^^^ reserved-name: \`loop\` is reserved: choose another name.`);
  check(`{% set a, b = c %}{{ x.0 }}
        ^ newer-syntax: Unpacking without parentheses needs MiniJinja 2.14 or later: put the names in parentheses, \`{% set (a, b) = … %}\`.
                       ^ newer-syntax: \`.0\` needs MiniJinja 2.18 or later: write \`[0]\`, which every version takes.`);
  check(`{% block a %}{% endblock %}{% block a %}{% endblock b %}
                                    ^ duplicate-block: The block \`a\` is defined twice: give one of them another name.
                                                    ^ unexpected: This ends the block \`a\`, not \`b\`: repeat the right name, or none.`);
  check(`{% macro m() %}{% block a %}{% endblock %}{% endmacro %}{% break %}
                        ^ misplaced-tag: A block cannot stand inside a \`{% macro %}\`: move it out.
                                                           ^^^^^ misplaced-tag: \`break\` must stand inside a \`{% for %}\` loop.`);
});

test('a condition is a bare expression', () => {
  const problems = (text: string) =>
    parseExpression(text).problems.map(({ span, message }) => [text.slice(span.start, span.end), message]);
  assert.deepEqual(problems('tone == "grim" and not (a | default(0)) is odd'), []);
  assert.deepEqual(problems('f(a=1)'), []);
  assert.deepEqual(problems('tone = "grim"'), [['=', 'An expression cannot assign: write `==` to compare.']]);
  assert.deepEqual(problems('{{ tone }}'), [
    ['{{ tone }}', 'A condition is an expression already: leave out the delimiters.'],
  ]);
  assert.deepEqual(problems('tone tone'), [['tone', 'Expected the end of the expression, found `tone`.']]);
  assert.deepEqual(problems(''), [['', 'Expected an expression, but the expression ends.']]);
  assert.deepEqual(parseExpression('{% if a and b %}', 5).problems[0]?.fix?.edit, {
    span: { start: 5, end: 21 },
    newText: 'a and b',
  });
});

test('the tree of a statement', () => {
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

test('the tree of an expression', () => {
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

test('newer syntax is accepted and noted', () => {
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

/** The variables that the engine passes to a macro, and those that templates pass to the templates that they include. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { allNodes } from '../../../server/src/languages/minijinja/ast.ts';
import { closureOf } from '../../../server/src/languages/minijinja/closures.ts';
import { parseTemplate } from '../../../server/src/languages/minijinja/parser.ts';
import { errorLines, failures, skill } from '../composer/composing.ts';
import { textOf } from '../composer/rendering.ts';
import { findingsOf } from '../rules/findings.ts';

const BODIES = [
  ...[
    '{{ q }}',
    '{{ q.a }}',
    '{{ q["a"] }}',
    '{{ q | upper }}',
    '{{ 1 | default(q) }}',
    '{{ 1 is eq(q) }}',
    '{{ -q }}',
  ],
  ...[
    '{{ q[1:] }}',
    '{{ (q | upper)[1:] }}',
    '{{ "abc"[q:] }}',
    '{{ "abc"[:q] }}',
    '{{ "abc"[::q] }}',
    '{{ q[1:][q] }}',
  ],
  ...[
    '{{ [q] }}',
    '{{ {"a": q} }}',
    '{{ {q: 1} }}',
    '{{ f(q) }}',
    '{{ f(a=q) }}',
    '{{ q() }}',
    '{{ not q }}',
    '{{ 1 ~ q }}',
  ],
  ...['{{ 1 if q }}', '{{ q if 1 else 2 }}', '{{ 1 if 1 else q }}', '{% do f(q) %}', '{% if q %}{% endif %}'],
  ...['{% if 1 %}{% elif q %}{% endif %}', '{% for x in q %}{% endfor %}', '{% for x in [1] if q %}{% endfor %}'],
  ...[
    '{% for q in [1] %}{{ q }}{% endfor %}',
    '{% for q in q %}{% endfor %}',
    '{% for x in [] %}{% else %}{{ q }}{% endfor %}',
  ],
  ...['{% set x = q %}', '{% set q = q %}', '{% set q = 1 %}{{ q }}', '{% if 1 %}{% set q = 1 %}{% endif %}{{ q }}'],
  ...['{% set q %}{% endset %}{{ q }}', '{% set x %}{{ q }}{% endset %}', '{% set x | replace("a", q) %}{% endset %}'],
  ...[
    '{% set q.a = 1 %}',
    '{% with x = q %}{% endwith %}',
    '{% with q = q %}{{ q }}{% endwith %}',
    '{% with q = 1 %}{% endwith %}{{ q }}',
  ],
  ...[
    '{% filter upper %}{{ q }}{% endfilter %}',
    '{% filter replace("a", q) %}{% endfilter %}',
    '{% autoescape q %}{% endautoescape %}',
  ],
  ...[
    '{% macro f() %}{{ q }}{% endmacro %}',
    '{% macro f(q) %}{{ q }}{% endmacro %}',
    '{% macro f(a=q) %}{% endmacro %}',
  ],
  ...['{% macro q() %}{% endmacro %}{{ q() }}', '{% call f() %}{{ q }}{% endcall %}', '{% call f(q) %}{% endcall %}'],
  ...[
    '{% call(q) f() %}{{ q }}{% endcall %}',
    '{% call q() %}{% endcall %}',
    '{% include q %}',
    '{% import "probe" as q %}{{ q }}',
  ],
  ...[
    '{% from "probe" import a as q %}{{ q }}',
    '{% set (q, x) = [1, 2] %}{{ q }}',
    'q',
    '{% raw %}{{ q }}{% endraw %}',
  ],
];

it('a macro sees the variables of its template that the engine passes to it', () => {
  for (const body of BODIES) {
    const main = `{% set q = 1 %}{% macro m() %}{% if false %}${body}{% endif %}{% include "probe" %}{% endmacro %}{{ m() }}`;
    const isPassed = textOf(main, { others: { probe: '{{ q is defined }}' } }) === 'true';
    const macro = [...allNodes(parseTemplate(main).nodes)].find(({ kind }) => kind === 'macro');
    assert.ok(macro?.kind === 'macro');
    assert.equal(closureOf(macro).has('q'), isPassed, body);
  }
});

const HEAD = 'framing: main\ninput_schema: {a: string, items: "string[]"}\n';
const withParts = (main: string, parts: Readonly<Record<string, string>> = {}): string =>
  skill(
    HEAD,
    Object.entries({ main, ...parts })
      .map(([name, text]) => `\n## PromptTemplate: ${name}\n\n${text}\n`)
      .join(''),
  );

const messagesOf = (main: string, parts?: Readonly<Record<string, string>>): readonly string[] =>
  findingsOf('skills/test.skill.md', withParts(main, parts)).flatMap(({ rule, message }) =>
    rule.startsWith('unused') ? [] : message,
  );

const CALLER = '{% macro box() %}[{{ caller() }}]{% endmacro %}';

describe('a variable that the engine does not pass to a macro', () => {
  it('is an error where it is used', () => {
    for (const main of [
      '{% set v = a %}{% macro m() %}{{ v[1:] }}{% endmacro %}{{ m() }}',
      '{% set v = a %}{% macro m() %}{% filter replace("a", v) %}a{% endfilter %}{% endmacro %}{{ m() }}',
      '{% set v = a %}{% macro m() %}{% set v = v ~ "." %}{{ v }}{% endmacro %}{{ m() }}',
    ]) {
      const [message] = messagesOf(main);
      const advice =
        /because MiniJinja 2\.11 finds no other use of it there\. Add `\{% set own = v %\}` at its start\./;
      assert.match(message ?? '', advice, main);
    }
  });

  it('is also one in the block of a call, and in an included template', () => {
    const sliced = `${CALLER}{% for v in items %}{% call box() %}{{ v[1:] }}{% endcall %}{% endfor %}`;
    assert.match(messagesOf(sliced)[0] ?? '', /^`v` is undefined in the `\{% call %\}` block/);
    const including = `${CALLER}{% for v in items %}{% call box() %}{% include "part" %}{% endcall %}{% endfor %}`;
    assert.match(messagesOf(including, { part: '{{ v }}' })[0] ?? '', /^`v` is undefined in the `\{% call %\}` block/);
    const [failure] = errorLines(
      failures(withParts(including, { part: '{{ v }}' }), { parameters: { a: 'x', items: ['y'] } }),
    );
    assert.match(failure ?? '', /MalformedTemplate/);
  });

  it('is not reported if the macro reads it, too, or if it is a parameter of the skill', () => {
    for (const main of [
      '{% set v = a %}{% macro m() %}{% set own = v %}{{ v[1:] }}{% endmacro %}{{ m() }}',
      '{% macro m() %}{{ a[1:] }}{% endmacro %}{{ m() }}',
      '{% macro m(v) %}{{ v[1:] }}{% include "part" %}{% endmacro %}{{ m(a) }}',
      `${CALLER}{% for v in items %}{% call box() %}{{ v }}{% include "part" %}{% endcall %}{% endfor %}`,
    ]) {
      assert.deepEqual(messagesOf(main, main.includes('part') ? { part: '{{ v }}{{ a }}' } : {}), [], main);
    }
  });
});

it('a template sees the variables of all templates that include it, and of all that it includes', () => {
  const parts = { one: '{% include "two" %}{{ w }}', two: '{{ v }}{% include "three" %}', three: '{% set w = 1 %}' };
  assert.deepEqual(messagesOf('{% for v in items %}{% include "one" %}{% endfor %}', parts), []);
  const unknown = { one: '{% include "two" %}', two: '{{ x }}' };
  assert.deepEqual(messagesOf('{% for v in items %}{% include "one" %}{% endfor %}', unknown).length, 1);
});

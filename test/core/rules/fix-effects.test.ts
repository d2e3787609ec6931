/** Fixes of templates and conditions: the fixed text has the meaning that the author intended, and no other finding. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { applyEdits } from '../../../server/src/text.ts';
import { findingsOf } from './findings.ts';

const HEAD = [
  '---\nname: a\ndescription: Says it.\nversion: 1.0.0\nframing: main',
  'input_schema: {title: string, rows: "string[]", n: integer}\n---\n\n## PromptTemplate: main\n\n{{ title }}{{ rows }}{{ n }}\n',
].join('\n');

/** The first fix of the first finding of a template, and the number of findings after it. */
function firstFix(template: string): { title?: string; template?: string; schema?: string; left?: number } {
  const text = `${HEAD}${template}\n`;
  const [finding] = findingsOf('a.skill.md', text);
  assert.ok(finding, 'there is a finding');
  const [fix] = finding.fixes;
  if (!fix) return {};
  const fixed = applyEdits(
    text,
    fix.edits.flatMap(({ edits }) => edits),
  );
  const [, schema = ''] = /input_schema: \{.*, n: integer(.*)\}/.exec(fixed) ?? [];
  const left = findingsOf('a.skill.md', fixed).filter(({ message }) => !message.includes('has no method'));
  const body = fixed.slice(fixed.indexOf('main\n\n') + 'main\n\n'.length).replace('{{ title }}{{ rows }}{{ n }}\n', '');
  return { title: fix.title, template: body.trimEnd(), schema, left: left.length };
}

describe('the filter for a method', () => {
  for (const [template, expected] of [
    ['{{ title.split(" ")[0] }}', '{{ (title | split(" "))[0] }}'],
    ['{{ title.split(" ")[-1] }}', '{{ (title | split(" ") | list)[-1] }}'],
    ['{{ title.split() }}{{ title }}', '{{ title | split | list }}{{ title }}'],
    [
      '{% for a in title.split(",") %}{{ loop.last }}{{ a }}{% endfor %}',
      '{% for a in title | split(",") | list %}{{ loop.last }}{{ a }}{% endfor %}',
    ],
    ['{{ title.split(",") | join("; ") }}', '{{ title | split(",") | join("; ") }}'],
    ['{{ title.casefold() }}', '{{ title | lower }}'],
    ['{% if title.isupper() %}{{ n }}{% endif %}', '{% if (title == title | upper) %}{{ n }}{% endif %}'],
    ['{{ {"a": 1}.values() }}', '{{ {"a": 1} | items | map("last") }}'],
    ['{{ {"a": 1}.get("a", n) }}', '{{ ({"a": 1}["a"] | default(n)) }}'],
    ['{{ title.split(" ") | length }}', '{{ title | split(" ") | list | length }}'],
    ['{{ title.upper().strip() }}', '{{ (title | upper).strip() }}'],
    ['{{ (title | upper).strip() }}', '{{ (title | upper) | trim }}'],
    ['{{ (title).strip()[0] }}', '{{ ((title) | trim)[0] }}'],
    ['{{ "a" ~ title . strip ( ) }}', '{{ "a" ~ title | trim }}'],
    ['{{ not title.strip("x") }}', '{{ not title | trim("x") }}'],
    ['{{ title is startingwith title.strip() }}', '{{ title is startingwith (title | trim) }}'],
    ['{{ ", ".join(rows)[0] }}', '{{ (rows | join(", "))[0] }}'],
    ['{{ title.join(rows + rows) }}', '{{ (rows + rows) | join(title) }}'],
    ['{{ {"a": 1}.keys()[0] }}', '{{ ({"a": 1} | list)[0] }}'],
  ] as const)
    it(`is right in \`${template}\``, () => {
      const fixed = firstFix(template);
      assert.equal(fixed.template, expected);
      assert.equal(fixed.left, 0);
    });

  for (const template of ['{{ title.items() }}', '{{ title.replace("a", "b", 1) }}', '{{ rows.count("x") }}'])
    it(`is not offered for \`${template}\`, which it would refuse`, () => assert.deepEqual(firstFix(template), {}));
});

describe('the fix of a silent difference', () => {
  for (const [template, expected] of [
    ['{{ title | split(",") }}', '{{ title | split(",") | list }}'],
    ['{{ "a" ~ title | split(",") }}', '{{ "a" ~ title | split(",") | join(", ") }}'],
    ['{% if title | split(",") %}{{ n }}{% endif %}', '{% if title %}{{ n }}{% endif %}'],
    [
      '{% for a in title | split %}{{ loop.last }}{{ loop.length }}{{ loop.revindex }}{% endfor %}',
      '{% for a in title | split | list %}{{ loop.last }}{{ loop.length }}{{ loop.revindex }}{% endfor %}',
    ],
    [
      '{% set x = title | split %}{{ x }}{% for a in x %}{{ loop.last }}{% endfor %}{% if x %}{{ x[1:] | join }}{% endif %}',
      '{% set x = title | split | list %}{{ x }}{% for a in x %}{{ loop.last }}{% endfor %}{% if x %}{{ x[1:] | join }}{% endif %}',
    ],
    [
      '{% macro m(x) %}{% for a in x %}{{ loop.last }}{% endfor %}{% endmacro %}{{ m(title | split) }}',
      '{% macro m(x) %}{% for a in x %}{{ loop.last }}{% endfor %}{% endmacro %}{{ m(title | split | list) }}',
    ],
    ['{{ title | split or rows }}', '{{ title | split | list or rows }}'],
    ['{{ n | round(-2) }}', '{{ n | float | round(-2) | int }}'],
    ['{{ title is not upper }}', '{{ title != title | upper }}'],
    ['{{ 1 / n }}', '{{ 1 / n if n else 0 }}'],
    ['{{ 1 // (rows | length) }}', '{{ 1 // (rows | length) if rows | length else 0 }}'],
  ] as const)
    it(`leaves no finding in \`${template}\``, () => {
      const fixed = firstFix(template);
      assert.equal(fixed.template, expected);
      assert.equal(fixed.left, 0);
    });
});

describe('the fix of an unknown argument', () => {
  for (const [template, expected] of [
    ['{{ rows | tojson(ensure_ascii=false) }}', '{{ rows | tojson }}'],
    ['{{ rows | tojson(sort_keys=true, separators=(",", ":")) }}', '{{ rows | tojson }}'],
    ['{{ rows | tojson(a=1, indent=2, b=[3, 4],) }}', '{{ rows | tojson(indent=2,) }}'],
    ['{{ rows | tojson(2, a=1) }}', '{{ rows | tojson(2) }}'],
    ['{{ rows | join(sep=",") }}', '{{ rows | join(",") }}'],
    ['{{ title | default(value="x", boolean=true) }}', '{{ title | default("x", true) }}'],
    ['{{ title | upper(locale="de") }}', '{{ title | upper }}'],
  ] as const)
    it(`removes all of it in \`${template}\``, () => {
      const fixed = firstFix(template);
      assert.equal(fixed.template, expected);
      assert.equal(fixed.left, 0);
    });

  it('does not rename it to an argument that is passed', () => {
    const macro = '{% macro m(title) %}{{ title }}{% endmacro %}';
    assert.deepEqual(firstFix(`${macro}{{ m(title=1, titel=2) }}`), {});
  });
});

describe('the fix of an undefined variable', () => {
  for (const [template, type] of [
    ['{{ topic }}', 'string'],
    ['{{ topic | upper }}', 'string'],
    ['{{ topic.name }}', 'any'],
    ['{% for one in topic %}{{ one.name }}{% endfor %}', 'any'],
    ['{{ topic + 1 }}', 'any'],
    ['{% if topic == 1 %}x{% endif %}', 'number'],
    ['{% if topic == true %}x{% endif %}', 'boolean'],
    ['{% if topic == true or topic == "x" %}x{% endif %}', 'any'],
  ] as const)
    it(`declares an input of the type ${type} for \`${template}\``, () => {
      const fixed = firstFix(template);
      assert.equal(fixed.schema, `, topic: ${type}`);
      assert.equal(fixed.left, 0);
    });

  it('moves a macro above its use', () => {
    const fixed = firstFix(
      '{% call(x) wrap() %}<{{ x }}>{% endcall %}\n{% macro wrap() %}\n[{{ caller(1) }}]\n{% endmacro %}\nEnd',
    );
    assert.equal(fixed.title, 'Move the macro to the start of the template');
    assert.equal(
      fixed.template,
      '{% macro wrap() %}\n[{{ caller(1) }}]\n{% endmacro %}\n{% call(x) wrap() %}<{{ x }}>{% endcall %}\nEnd',
    );
    assert.equal(fixed.left, 0);
  });

  it('declares no input for a call', () => {
    assert.deepEqual(firstFix('{% if n %}{{ wrap() }}{% macro wrap() %}x{% endmacro %}{% endif %}'), {});
  });

  it('declares no input for an output in a condition', () => {
    const text = [
      '---\nname: a\ndescription: Says it.\nversion: 1.0.0\ninput_schema: {}\noutput_schema: {ok: boolean}',
      'interrupts: [{name: before_exit, when: ok == false}]\n---\n\nSay it.\n',
    ].join('\n');
    const [finding, ...others] = findingsOf('a.skill.md', text);
    assert.deepEqual([finding?.fixes.map(({ title }) => title), others], [['Remove `when`'], []]);
    assert.match(finding?.message ?? '', /an output/);
  });
});

describe('the fix of a misspelt key', () => {
  const renames = (...lines: string[]) =>
    findingsOf(
      'a.skill.yaml',
      ['name: a', 'description: Says it.', 'version: 1.0.0', 'input_schema: {u: string}', ...lines, ''].join('\n'),
    )
      .flatMap(({ fixes }) => fixes.map(({ title }) => title))
      .filter((title) => title.startsWith('Rename'));

  it('is a key that can have the value', () => {
    assert.deepEqual(renames('policy:', '  idempotency_kye: "{u}"'), [
      'Rename to `idempotency_key`',
      'Rename to `idempotency_scope`',
    ]);
    assert.deepEqual(renames('policy:', '  idempotency_scope: [{surface: chat}]'), []);
  });

  it('is not a key that the map already has', () => {
    assert.deepEqual(renames('tags: [a]', 'tagz: [b]'), []);
  });
});

describe('a fix that replaces a key', () => {
  it('is not offered if the map already has the key', () => {
    const text = [
      'name: a\ndescription: Says it.\nversion: 1.0.0\ninput_schema: {}\ntools: [read_page]',
      'samples: {s: {parameters: {}, stubs: {raed_page: {output: 1}, read_page: {output: 2}}}}\n',
    ].join('\n');
    const catalog = 'version: 1\ntools: [{name: read_page, description: Reads., input_schema: {}, operation: READ}]\n';
    const findings = findingsOf('a.skill.yaml', text, { 'skills.config.yaml': catalog });
    assert.ok(findings.some(({ message }) => message.includes('`raed_page`')));
    assert.ok(!findings.some(({ fixes }) => fixes.some(({ title }) => title === 'Replace with `read_page`')));
  });
});

describe('the guard of an optional value', () => {
  const HEAD_OF_OPTIONAL = [
    '---\nname: a\ndescription: Says it.\nversion: 1.0.0\nframing: main\ninput_schema:\n  type: object',
    '  properties: {at: {type: object, properties: {hour: {}}}}\n---\n\n## PromptTemplate: main\n\n',
  ].join('\n');
  const titles = (template: string) =>
    findingsOf('a.skill.md', `${HEAD_OF_OPTIONAL}${template}\n`).flatMap(({ fixes }) =>
      fixes.map(({ title }) => title),
    );

  it('is offered in the tag that reads the value', () => {
    assert.ok(titles('{{ at.hour }}').includes('Add `if at is defined`'));
  });

  it('is not offered in the tag of another variable that has the value', () => {
    assert.ok(!titles('{% set time = at %}{{ time.hour }}').includes('Add `if at is defined`'));
  });

  it('is not added twice to one expression', () => {
    assert.ok(!titles('{{ parameters["at"].hour }}').includes('Add `if parameters["at"] is defined`'));
  });
});

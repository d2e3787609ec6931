/** What authors write who know Jinja2, Django, Liquid, Twig, JavaScript or Python, and what the fix makes of it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FILTERS, TESTS } from '../../../server/src/languages/minijinja/builtins.ts';
import { filterInstead, testInstead } from '../../../server/src/languages/minijinja/other-languages.ts';
import { applyEdits } from '../../../server/src/text.ts';
import { findingsOf } from '../rules/findings.ts';

const PATH = 'skills/a.skill.md';
const HEAD = `---
name: a
description: Says it.
version: 1.0.0
input_schema: {title: string, note: "string?", list: "string[]", n: number, map: object, flag: boolean}
`;
const inTemplate = (code: string): string => `${HEAD}framing: main\n---\n\n## PromptTemplate: main\n\n${code}\n`;
const inCondition = (code: string): string =>
  `${HEAD}interrupts: [{name: before_exit, message: Stop., when: ${code}}]\n---\n\nDo it.\n`;

const findings = (text: string) => findingsOf(PATH, text).filter(({ tag }) => tag !== 'unnecessary');

/** Applies the first fix of the first finding until there is none, and returns the text. */
function repaired(before: string): string {
  let text = before;
  for (let round = 0; round < 5; round++) {
    const edits = findings(text)
      .flatMap(({ fixes }) => fixes.slice(0, 1))[0]
      ?.edits.flatMap((one) => one.edits);
    if (!edits) break;
    text = applyEdits(text, edits);
  }
  return text;
}

const REPAIRED: readonly (readonly [before: string, after: string])[] = [
  // Operators
  ['{{ !flag }}', '{{ not flag }}'],
  ['{{!flag}}', '{{not flag}}'],
  ['{% if !flag && n > 1 %}x{% endif %}', '{% if not flag and n > 1 %}x{% endif %}'],
  ['{{ flag ? "a" : \'b\' }}', '{{ "a" if flag else \'b\' }}'],
  ['{{- n > 1 ? title : "b" -}}', '{{- title if n > 1 else "b" -}}'],
  ['{{ note ?? "x" }}', '{{ note | default("x") }}'],
  ['{{ note ?: "x" }}', '{{ note or "x" }}'],
  ['{% unless flag %}a{% endunless %}', '{% if not flag %}a{% endif %}'],
  ['{% if title == null %}a{% endif %}', '{% if title == none %}a{% endif %}'],
  // Tests
  ['{% if note is empty %}a{% endif %}', '{% if not note %}a{% endif %}'],
  ['{% if list is not empty and n %}a{% endif %}', '{% if list and n %}a{% endif %}'],
  ['{{ list is empty }}', '{{ (not list) }}'],
  ['{{ list is not empty }}', '{{ (true if list else false) }}'],
  ['{{ "a" if list is not blank else "b" }}', '{{ "a" if list else "b" }}'],
  ['{% if title is null or list is array %}x{% endif %}', '{% if title is none or list is sequence %}x{% endif %}'],
  ['{% if title is startswith("a") %}x{% endif %}', '{% if title is startingwith("a") %}x{% endif %}'],
  // Filters
  ['{{ title | titlecase }}', '{{ title | title }}'],
  ['{{ title | title_case | upcase }}', '{{ title | title | upper }}'],
  ['{{ title | TitleCase }}', '{{ title | title }}'],
  ['{{ list | size }}', '{{ list | length }}'],
  ['{{ map | json_encode }}', '{{ map | tojson }}'],
  ['{{ title | wordcount }}', '{{ title | split | list | length }}'],
  ['{{ list | concat(["a"]) | join }}', '{{ list | chain(["a"]) | join }}'],
  ['{{ n | floatformat(2) }}', '{{ n | round(2) }}'],
  ['{{ list | map("upcase") | join }}', '{{ list | map("upper") | join }}'],
  // Functions
  ['{{ len(title) }}', '{{ title | length }}'],
  ['{{ len(title) }}, {{ len(list) + 1 }}', '{{ title | length }}, {{ list | length + 1 }}'],
  ['{% if len(list) > 0 %}x{% endif %}', '{% if list | length > 0 %}x{% endif %}'],
  ['{{ len(title ~ "x") }}', '{{ (title ~ "x") | length }}'],
  ['{{ 1 - len(list) }}', '{{ 1 - (list | length) }}'],
  ['{{ sorted(list)[0] }}', '{{ (list | sort)[0] }}'],
  ['{{ max(n, 3) }}', '{{ [n, 3] | max }}'],
  ['{{ round(n, 2) }}', '{{ n | round(2) }}'],
  ['{{ coalesce(note, "x") }}', '{{ note | default("x") }}'],
  ['{{ isset(note) }}', '{{ (note is defined) }}'],
  ['{{ empty(list) }}', '{{ (not list) }}'],
  ['{{ contains(title, "a") }}', '{{ ("a" in title) }}'],
  // Fields and methods
  ['{% if list.length > 1 %}{{ title.size }}{% endif %}', '{% if list | length > 1 %}{{ title | length }}{% endif %}'],
  ['{{ list.first }}', '{{ list | first }}'],
  ['{{ title.toUpperCase() }}', '{{ title | upper }}'],
  ['{{ title.includes("a") }}', '{{ ("a" in title) }}'],
  ['{{ title.startsWith("a") }}', '{{ (title is startingwith("a")) }}'],
  ['{{ n.toFixed(2) }}', '{{ n | round(2) }}'],
];

describe('a fix repairs', () => {
  for (const [before, after] of REPAIRED)
    it(before, () => {
      assert.equal(repaired(inTemplate(before)), inTemplate(after));
      assert.deepEqual(findings(inTemplate(after)), []);
    });

  for (const [before, after] of [
    ['note is empty', 'not note'],
    ['n > 1 and list is not empty', 'n > 1 and list'],
    ['len(list) > 0', 'list | length > 0'],
    ['title is null', 'title is none'],
    ['title == null', 'title == none'],
  ] as const)
    it(`the condition ${before}`, () => assert.equal(repaired(inCondition(before)), inCondition(after)));
});

describe('only advice is given', () => {
  const ADVISED: readonly (readonly [code: string, advice: RegExp])[] = [
    ['{{ (title ~ "x") is empty }}', /Test the value itself/],
    ['{{ title | append("x") }}', /Join text with `~`/],
    ['{{ n | plus(2) }}', /Write `a \+ b`\.$/],
    ['{{ list | sort_by("x") }}', /Write `sort`\.$/],
    ['{{ len(len(title)) }}', /Use the filter `length`\.$/],
    ['{{ enumerate(list) }}', /Write `loop\.index0` in a loop\.$/],
    ['{{ title is startswith }}', /Write `startingwith`\.$/],
    ['{{ title is exists("a") }}', /Write `defined`\.$/],
    ['{{ null(title) }}', /^Unknown function `null`\. Pass its result as an input\.$/],
    ['{{ mod(n) }}', /^Unknown function `mod`\. Write `a % b`\.$/],
    ['{{ title | strftime }}', /Pass the text as an input\.$/],
    ['{{ list.push("x") }}', /Lists do not change/],
    ['{% unless flag and n %}a{% endif %}', /Did you mean `if not`\?$/],
    ['{{ flag ? n ? 1 : 2 : 3 }}', /Write `a if condition else b`\.$/],
  ];
  for (const [code, advice] of ADVISED)
    it(code, () => {
      const [finding] = findings(inTemplate(code));
      assert.match(finding?.message ?? '', advice);
      assert.deepEqual(finding?.fixes, []);
    });

  it('about a call with a syntax error', () => {
    const titles = findings(inTemplate('{{ lower("a"=1) }}')).flatMap(({ fixes }) => fixes.map(({ title }) => title));
    assert.ok(!titles.some((title) => title.includes('| lower')), titles.join());
  });

  it('in a quoted condition, which may have escapes', () => {
    const [finding] = findings(inCondition('"note is empty"'));
    assert.match(finding?.message ?? '', /Write `not note`\.$/);
    assert.deepEqual(finding?.fixes, []);
  });
});

it('a comment of Handlebars stays a tag of another language', () => {
  for (const tag of ['{{! a note }}', '{{!-- a note --}}', '{{!note to self}}'.replace('note', 'remark')])
    assert.match(findings(inTemplate(tag))[0]?.message ?? '', /If it is text/, tag);
});

it('a name of the file is preferred to a word of another language', () => {
  const text = inTemplate('{% macro len(x) %}{{ x }}{% endmacro %}{{ len("a") }}');
  assert.deepEqual(findings(text), []);
});

it('each word is replaced by filters and tests of the engine', () => {
  const filters =
    'uppercase lower_case TitleCase ucfirst len strip json to_nice_json str toInt parseFloat toBool uniq sorted'
      .concat(' reversed forceescape striptags2 raw splitlines keys dict2items values wordcount ifempty compact merge')
      .split(' ')
      .flatMap((word) => filterInstead(word)?.split(' | ') ?? []);
  assert.ok(filters.length > 20);
  assert.deepEqual(
    filters.map((one) => one.replace(/\(.*/, '')).filter((name) => !FILTERS.has(name)),
    [],
  );
  const tests = 'null present missing text array dict bool numeric whole equals notequal greater less oneof startswith'
    .split(' ')
    .flatMap((word) => testInstead(word) ?? []);
  assert.equal(tests.length, 15);
  assert.deepEqual(
    tests.filter((name) => !TESTS.has(name)),
    [],
  );
});

describe('a heading in a template without a fence', () => {
  const LOOP = '{% for x in list %}\n- {{ x }}\n\n## Details\n\n{{ x }} is good.\n{% endfor %}';

  it('is the cause of blocks that are not closed, and has two fixes', () => {
    const text = inTemplate(LOOP);
    const [finding, ...more] = findings(text);
    assert.deepEqual(more, []);
    assert.equal(text.slice(finding?.span.start, finding?.span.end), '## Details');
    assert.deepEqual(
      finding?.fixes.map(({ edits }) =>
        applyEdits(
          text,
          edits.flatMap((one) => one.edits),
        ),
      ),
      [inTemplate(`\`\`\`jinja\n${LOOP}\n\`\`\``), inTemplate(LOOP.replace('##', '###'))],
    );
  });

  it('is not the cause if the text after it closes no block', () => {
    const messages = findings(inTemplate(LOOP.replace('{% endfor %}', ''))).map(({ message }) => message);
    assert.deepEqual(messages, ['`{% for %}` is not closed. Add `{% endfor %}`.']);
  });
});

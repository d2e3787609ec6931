/** Texts made to be slow: each repeats one piece. */
import assert from 'node:assert/strict';
import { expectAt } from '../../../server/src/languages/minijinja/cursor/cursor.ts';
import { parseExpression, parseTemplate } from '../../../server/src/languages/minijinja/parser.ts';
import { resolveScopes } from '../../../server/src/languages/minijinja/scopes.ts';

/** Analyses texts of `size` characters, each in at most `limit` milliseconds of processor time. */
export function checkHostile(size: number, limit: number): void {
  const units = [
    '{{',
    '{%',
    '{#',
    '}}',
    '%}',
    '{{ "',
    "{{ '",
    '{{ "\\" ',
    '{% raw %}',
    '{% if x %}',
    '{% endif %}',
    '{% fro x %}',
    '{% if x %}{% for %}{% endwith %}',
    '{{ (',
    '{{ [ ',
    '{{ {',
    '{',
    '}',
    '{{ x }',
    '{{ x %}',
    '{% x }}',
    '{% x "',
    '{% set x = {"a": {',
    '\n',
    '{{ x\n',
    ' ',
    '"',
    'x',
    '{{ é',
    '{% else %}',
    '{{ x ',
    '{% if a %}{% else %}',
    '{% macro m() %}{% block b %}',
    '{{ -',
    '\0',
    '{% x }} ',
  ];
  const chains = [
    '+x',
    '.x',
    '|x',
    '[0]',
    '()',
    ' if x else x',
    ' and x',
    ' is x',
    ' ~ "a"',
    '[x',
    '(',
    'f(a=',
    '-',
    ' not',
    ', x',
    '{',
    '"a"',
    ' or not x',
    '.x()',
    '[x].y',
    ' if x',
    ' in x',
    'is not x',
  ];
  const texts = [
    ...units.map((unit) => unit.repeat(size / unit.length)),
    ...chains.map((link) => `{{ x${link.repeat(size / link.length)} }}`),
    ...chains.map((link) => `{{ ${link.repeat(size / link.length)}`),
    `{% if x %}${'{% elif x is defined and y %}'.repeat(5000)}{% endif %}`,
    `{{ ${'a.b is defined and '.repeat(10_000)} a.b }}`,
    `${'{% for x in x %}{% set y = x %}'.repeat(5000)}{{ y }}`,
    `{% set ${'('.repeat(size)}`,
    `{{ x }}${' '.repeat(size)}`,
  ];
  for (const text of texts) {
    // Garbage collection and compilation count too, so the best of several runs is taken.
    let spent = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < 4 && spent >= limit; tries++) spent = Math.min(spent, analyse(text));
    assert.ok(spent < limit, `${spent.toFixed(0)} ms for ${JSON.stringify(text.slice(0, 40))}`);
  }
}

/** Milliseconds of processor time. */
function analyse(text: string): number {
  const start = process.cpuUsage().user;
  const parsed = parseTemplate(text);
  resolveScopes(parsed);
  resolveScopes(parseExpression(text));
  expectAt(parsed, text.length);
  return (process.cpuUsage().user - start) / 1000;
}

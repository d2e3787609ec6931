/** Strings whose analysis could be slow, because each string repeats one piece. */
import { templateCursorAt } from '../../../server/src/languages/minijinja/cursor.ts';
import { parseExpression, parseTemplate } from '../../../server/src/languages/minijinja/parser.ts';
import { resolveScopes } from '../../../server/src/languages/minijinja/scopes.ts';
import { withoutHang } from '../../hang.ts';

/** Checks that the analysis of strings of `size` characters does not hang. */
export function checkHostile(size: number): void {
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
  for (const text of texts) withoutHang(() => analyse(text), JSON.stringify(text.slice(0, 40)));
}

function analyse(text: string): void {
  const parsed = parseTemplate(text);
  resolveScopes(parsed);
  resolveScopes(parseExpression(text));
  templateCursorAt(parsed, text.length);
}

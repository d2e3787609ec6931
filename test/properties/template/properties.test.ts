/** Properties of every text, however broken: nothing throws, spans are correct, and time is linear. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Node, Template, TemplateExpression } from '../../../server/src/languages/minijinja/ast.ts';
import { templateCursorAt } from '../../../server/src/languages/minijinja/cursor.ts';
import { parseExpression, parseTemplate } from '../../../server/src/languages/minijinja/parser.ts';
import { resolveScopes } from '../../../server/src/languages/minijinja/scopes.ts';
import { contains, type Span } from '../../../server/src/text.ts';
import { codePoints } from '../../code-points.ts';
import { extended } from '../../extended.ts';
import { cases } from '../../random.ts';
import { damage, randomOf, template } from './generate.ts';
import { checkHostile } from './hostile.ts';

const PIECES = [
  '{{',
  '}}',
  '{%',
  '%}',
  '{#',
  '#}',
  '-',
  '|',
  '.',
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '"',
  "'",
  '\\',
  '=',
  ' ',
  '\n',
  '\r\n',
  'if',
  'endif',
  'for',
  'x',
  'in',
  'is',
  'not',
  'else',
  'raw',
  'endraw',
  'set',
  'block',
  '1',
  ',',
  'é',
  '💡',
  '\0',
];

const anyText = fc.oneof(
  codePoints(60),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((pieces) => pieces.join('')),
  fc.nat().map((seed) => {
    const random = randomOf(seed);
    return damage(random, template(random));
  }),
);

/** Returns every span of a tree, and checks that it is within its parent's. Scopes and tags may be outside. */
function checkSpans(value: unknown, outer: Span, path: string): void {
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) checkSpans(item, outer, `${path}[${i}]`);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const { span } = value as { span?: Span };
  if (span !== undefined) {
    assert.ok(
      span.start <= span.end && contains(outer, span),
      `${path}: ${JSON.stringify(span)} in ${JSON.stringify(outer)}`,
    );
  }
  for (const [key, inner] of Object.entries(value))
    if (key !== 'span') checkSpans(inner, span ?? outer, `${path}.${key}`);
}

function checkNodes(nodes: readonly Node[], outer: Span): void {
  let end = outer.start;
  for (const node of nodes) {
    assert.ok(node.span.start >= end, 'nodes follow one another');
    end = node.span.end;
  }
  checkSpans(nodes, outer, 'nodes');
}

/** Checks that each problem, its related locations and its fix have spans in the template. */
function checkProblems({ problems, span }: Template | TemplateExpression): void {
  for (const problem of problems) {
    const { related, fix } = problem;
    for (const place of [problem, ...related, ...(fix ? [fix.edit] : [])])
      checkSpans({ span: place.span }, span, problem.message);
  }
}

test('parsing never throws, and every span is within the text and its parent', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const parsed = parseTemplate(text, 7);
      checkNodes(parsed.nodes, parsed.span);
      checkProblems(parsed);
      checkSpans(parsed.tags, parsed.span, 'tags');
      const { uses, filters, tests, functions, references } = resolveScopes(parsed);
      for (const found of [...uses, ...filters, ...tests, ...functions]) {
        assert.equal(text.slice(found.span.start - 7, found.span.end - 7), found.name);
      }
      checkSpans(references, parsed.span, 'references');
      const expression = parseExpression(text, 7);
      checkSpans(expression.expression, expression.span, 'expression');
      checkProblems(expression);
      resolveScopes(expression);
    }),
    cases(1500),
  );
});

test('a base offset shifts every span and changes nothing else', () => {
  const shifted = (value: unknown, by: number): unknown => {
    if (Array.isArray(value)) return value.map((item) => shifted(item, by));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([key, inner]) => {
      const place = (key === 'start' || key === 'end' || key === 'base') && typeof inner === 'number';
      return [key, place ? inner + by : shifted(inner, by)];
    });
    return Object.fromEntries(entries);
  };
  fc.assert(
    fc.property(anyText, (text) => {
      assert.deepEqual(shifted(parseTemplate(text), 100), shifted(parseTemplate(text, 100), 0));
    }),
    cases(200),
  );
});

test('the word at the cursor contains the cursor, at any offset in any text', () => {
  fc.assert(
    fc.property(anyText, fc.nat({ max: 200 }), (text, at) => {
      const parsed: Template = parseTemplate(text);
      const offset = Math.min(at, text.length);
      const cursor = templateCursorAt(parsed, offset);
      if (cursor !== undefined && 'word' in cursor) {
        const { span, prefix } = cursor.word;
        assert.ok(span.start <= offset && offset <= span.end && contains(parsed.span, span));
        assert.equal(text.slice(span.start, offset), prefix);
      }
      templateCursorAt(parseExpression(text), offset);
    }),
    cases(1000),
  );
});

test('long hostile strings do not hang the analysis', extended, () => {
  checkHostile(300_000);
});

test('hostile strings do not hang the analysis', () => {
  checkHostile(10_000);
});

import type { Draft } from '../../finding.ts';
import { fixHere } from '../../finding.ts';
import type { Expression, Template, TemplateExpression } from '../../languages/minijinja/ast.ts';
import { inFile } from '../../skill/conditions.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { type Span, shift, sliceOf } from '../../text.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';

/** Reports a chained comparison: MiniJinja 2.11 compares from left to right, newer versions compare each pair. */
export const chainedComparison: Rule = {
  name: 'chained-comparison',
  severity: 'warning',
  evidence: { kind: 'spec', source: 'docs/templates.md, "Differences in newer versions"' },
  dialects: SKILLS,
  *check(file) {
    for (const { span, source } of file.templates) {
      yield* chainsIn(file, source.template, (place) => shift(place, span.start), true);
    }
    for (const condition of file.conditions) {
      const { scalar, expression } = condition;
      // The references in a condition of a step are masked in the text of the expression.
      const parsed = { ...expression, text: String(scalar.value) };
      yield* chainsIn(file, parsed, (place) => inFile(file.text, condition, place), scalar.style === 'plain');
    }
  },
};

type Comparison = Expression & { readonly kind: 'binary' };

const OPERATORS: readonly string[] = ['<', '<=', '>', '>=', '==', '!='];

const isComparison = (part: unknown): part is Comparison =>
  typeof part === 'object' &&
  part !== null &&
  (part as Partial<Comparison>).kind === 'binary' &&
  OPERATORS.includes((part as Comparison).operator);

function* chainsIn(
  file: SkillFile,
  parsed: Template | TemplateExpression,
  placeOf: (span: Span) => Span,
  isFixable: boolean,
): Iterable<Draft> {
  if (parsed.problems.length > 0) return;
  const text = (place: Span) => sliceOf(parsed.text, shift(place, -parsed.base));
  const isInParentheses = ({ span }: Expression) => /^\s*\)/.test(parsed.text.slice(span.end - parsed.base));
  const root: unknown = parsed.kind === 'template' ? parsed.nodes : parsed.expression;
  // The stack replaces recursion, because a long expression is a deep tree.
  const pending: { readonly part: unknown; readonly parent: unknown }[] = [{ part: root, parent: undefined }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { part, parent } = next;
    if (typeof part !== 'object' || part === null) continue;
    const operands = isComparison(part) ? operandsOf(part, isInParentheses) : [];
    const isInner = isComparison(parent) && parent.left === part && !isInParentheses(part as Expression);
    if (isComparison(part) && !isInner && operands.length > 2) {
      const pairs = operands.slice(1).map(({ operator, operand }, at) => {
        const before = operands[at]?.operand ?? operand;
        return `${text(before.span)} ${operator} ${text(operand.span)}`;
      });
      const needed = isNegation(parent) && !isInParentheses(part);
      const newText = needed ? `(${pairs.join(' and ')})` : pairs.join(' and ');
      yield {
        span: placeOf(part.span),
        message: `MiniJinja 2.11 compares the result of \`${short(text(part.left.span))}\` with \`${short(text(part.right.span))}\`; newer versions compare each pair. Write \`${short(newText)}\`.`,
        fixes: isFixable
          ? fixHere(file, `Replace with \`${short(newText)}\``, [{ span: placeOf(part.span), newText }])
          : [],
      };
    }
    for (const [key, inner] of Object.entries(part)) {
      if (key !== 'tag' && key !== 'span') pending.push({ part: inner, parent: part });
    }
  }
}

/** Returns the operands of a chain, each with the operator before it. */
function operandsOf(chain: Comparison, isInParentheses: (part: Expression) => boolean) {
  const operands: { operator: string; operand: Expression }[] = [];
  let part: Expression = chain;
  for (; isComparison(part) && (part === chain || !isInParentheses(part)); part = part.left) {
    operands.unshift({ operator: part.operator, operand: part.right });
  }
  return [{ operator: '', operand: part }, ...operands];
}

const isNegation = (part: unknown): boolean =>
  typeof part === 'object' && part !== null && (part as { kind?: unknown }).kind === 'unary';

const short = (text: string): string => {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
};

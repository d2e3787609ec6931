/**
 * The conditions of steps, which are parsed once for all values that are compared with them (docs/format.md, section 4,
 * "Data flow").
 */
import type { BinaryOperator, Expression } from '../../languages/minijinja/ast.ts';
import { type ConditionPart, conditionParts, pathKeysIn } from '../../languages/minijinja/defined-names.ts';
import { parseExpression } from '../../languages/minijinja/parser.ts';
import { MAX_CONDITION_LENGTH, withPlainReferences } from '../../skill/conditions.ts';
import type { Guard } from '../../skill/execution/execution.ts';

/** An operand of a condition that is certainly true or false where the condition is. */
export interface Operand extends ConditionPart {
  /** The keys of all values that the operand reads (see `pathKeysIn`). */
  readonly keys: ReadonlySet<string>;
  /** A text that is equal for equal operands with the same truth value. */
  readonly form: string;
}

export interface ConditionFacts {
  readonly expression: Expression;
  /** The keys of the first values that the condition reads. */
  readonly keys: ReadonlySet<string>;
  /** A text that is equal for equal conditions, and that of the negated condition. */
  readonly form: string;
  readonly negatedForm: string;
}

export class StepCondition implements Guard {
  readonly source: Guard['source'];
  readonly span: Guard['span'];
  readonly references: Guard['references'];
  #parsed: { readonly expression: Expression | undefined } | undefined;
  #facts: ConditionFacts | undefined;
  readonly #operands = new Map<boolean, readonly Operand[]>();

  constructor({ source, span, references }: Guard) {
    this.source = source;
    this.span = span;
    this.references = references;
  }

  /** The expression; undefined if the condition is too long or has a syntax error, which `invalid-condition` reports. */
  get expression(): Expression | undefined {
    this.#parsed ??= { expression: this.#parse() };
    return this.#parsed.expression;
  }

  /** The facts for the comparison with other conditions. */
  get facts(): ConditionFacts | undefined {
    const { expression } = this;
    if (expression && !this.#facts) {
      const negatedForm = formOf(negationOf(expression));
      this.#facts = { expression, keys: pathKeysIn(expression), form: formOf(expression), negatedForm };
    }
    return this.#facts;
  }

  /** Returns the operands that are certainly true or false if the condition has this truth value. */
  operandsIf(truth: boolean): readonly Operand[] {
    let operands = this.#operands.get(truth);
    if (!operands) {
      const { expression } = this;
      operands = expression ? conditionParts(expression, truth).map(operandOf) : [];
      this.#operands.set(truth, operands);
    }
    return operands;
  }

  #parse(): Expression | undefined {
    if (this.source.length > MAX_CONDITION_LENGTH) return undefined;
    const { expression, problems } = parseExpression(withPlainReferences(this.source));
    return problems.length === 0 ? expression : undefined;
  }
}

function operandOf({ part, truth }: ConditionPart): Operand {
  let form: string | undefined;
  return {
    part,
    truth,
    keys: pathKeysIn(part, Number.POSITIVE_INFINITY),
    get form() {
      form ??= `${truth} ${formOf(part)}`;
      return form;
    },
  };
}

/** Returns a text that is equal for equal expressions, without regard to spaces and brackets. */
function formOf(expression: Expression): string {
  const words: string[] = [];
  // The stack replaces recursion, because a long expression is a deep tree.
  const pending: unknown[] = [expression];
  while (pending.length > 0) {
    const part = pending.pop();
    if (typeof part !== 'object' || part === null) {
      words.push(JSON.stringify(part) ?? '-');
      continue;
    }
    const inner = Object.entries(part).filter(([key]) => key !== 'span' && key !== 'content');
    // With the number of its values, each part has one reading.
    words.push(`${Array.isArray(part) ? 'list' : 'map'} ${inner.length}`);
    for (const [key, value] of inner.reverse()) pending.push(value, key);
  }
  return words.join(' ');
}

export const NEGATED: ReadonlyMap<string, BinaryOperator> = new Map<string, BinaryOperator>(
  Object.entries({
    ...({ '<': '>=', '<=': '>', '>': '<=', '>=': '<' } as const),
    ...({ '==': '!=', '!=': '==', in: 'not in', 'not in': 'in' } as const),
  }),
);

/** Returns an expression that is true if another one is false. */
function negationOf(expression: Expression): Expression {
  const { span } = expression;
  if (expression.kind === 'unary' && expression.operator === 'not') return expression.operand;
  if (expression.kind === 'test') return { ...expression, negated: !expression.negated };
  const operator = expression.kind === 'binary' ? NEGATED.get(expression.operator) : undefined;
  if (expression.kind === 'binary' && operator !== undefined) return { ...expression, operator };
  return { kind: 'unary', operator: 'not', operand: expression, span };
}

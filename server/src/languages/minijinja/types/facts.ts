/** The known facts about the numbers, the strings and the truth of values in templates, beyond their kinds. */
import type { BinaryOperator, Expression } from '../ast.ts';
import { hasKind, isOnly, type ValueFacts, type ValueType } from './value-type.ts';

/** The strings that the filters `int` and `float` accept, except names of special numbers. */
const NUMBER_TEXT = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/;
const LETTERS = /^\p{L}*$/u;

/** A pattern, between `^` and `$`, that only numbers match: `\d+`, `-?[0-9]{1,3}`, `\d+(\.\d+)?`. */
const NUMBER_PATTERN =
  /^\^(?:[-+]\??|\[[-+]{1,2}\]\??)?(?:\\d|\[\d-\d\]|\d)(?:\+|\{[1-9]\d{0,5}(?:,\d{0,6})?\})?(?:(?:\\d|\[\d-\d\]|\d)(?:[+*?]|\{\d{1,6}(?:,\d{0,6})?\})?)*(?:\((?:\?:)?\\\.(?:\\d|\[\d-\d\])[+*]\)\??)?\$$/;
/** A pattern that only strings of letters match: `^[A-Z]+$`, `^[A-Za-z]{2}$`. */
const LETTER_PATTERN =
  /^\^(?:(?:\[(?:[a-z]-[a-z]|[A-Z]-[A-Z]|[A-Za-z])+\]|[A-Za-z])(?:[+*?]|\{\d{1,6}(?:,\d{0,6})?\})?)+\$$/;

/** Returns the form that all of these strings have. */
export function textFormOf(strings: readonly string[]): ValueFacts['text'] {
  if (strings.every((text) => NUMBER_TEXT.test(text))) return 'number';
  if (strings.every((text) => LETTERS.test(text))) return 'letters';
  return strings.every((text) => [...text].length === 1) ? 'character' : undefined;
}

/** Returns the form of all strings that match a regular expression, if it is simple. */
export function patternFormOf(pattern: string): ValueFacts['text'] {
  if (NUMBER_PATTERN.test(pattern)) return 'number';
  return LETTER_PATTERN.test(pattern) ? 'letters' : undefined;
}

/** Returns what is known about a literal, whose text in the template is `source`. */
export function factsOfLiteral(value: string | number, source: string): ValueFacts {
  if (typeof value === 'number') {
    const isFloat = /[.eE]/.test(source) && !/^0[xX]/.test(source);
    return { least: value, ...(value !== 0 && { isTruthy: true }), ...(isFloat && { isFloat }) };
  }
  const text = value === '' ? undefined : textFormOf([value]);
  const size = [...value].length;
  return { ...(size > 0 && { isTruthy: true }), ...(size > 1 && { leastSize: size }), ...(text && { text }) };
}

/** Returns what is known about a number with the sign changed. */
export const negatedFacts = ({ isTruthy, isFloat }: ValueFacts = {}): ValueFacts => ({
  ...(isTruthy && { isTruthy }),
  ...(isFloat && { isFloat }),
});

const KEEPS_TEXT: readonly string[] = ['trim', 'upper', 'lower', 'capitalize', 'title', 'safe', 'string'];

/** Returns what is known about the number or the string that a filter returns. */
export function factsOfFilter(name: string, input: ValueType): ValueFacts | undefined {
  const { facts = {} } = input;
  const isNumber = isOnly(input, 'number');
  switch (name) {
    case 'length':
    case 'count':
      return { least: 0, ...(facts.isTruthy && { isTruthy: true }) };
    case 'abs':
      return { ...facts, least: Math.max(0, facts.least ?? 0) };
    case 'float':
      return { ...(isNumber && facts), isFloat: true };
    case 'round':
      return facts.isFloat ? { isFloat: true } : undefined;
    case 'int':
      if (!isNumber || facts.least === undefined) return undefined;
      return { least: Math.floor(facts.least), ...(facts.least >= 1 && { isTruthy: true }) };
    case 'string':
      if (isNumber) return { text: 'number', isTruthy: true };
  }
  // A character may become two, and `trim` may leave nothing.
  const isKept =
    KEEPS_TEXT.includes(name) && isOnly(input, 'string') && (facts.text === 'letters' || facts.text === 'number');
  return isKept && facts.text ? { text: facts.text } : undefined;
}

/** Returns what is known about the largest or smallest item of a list whose items are known. */
export function factsOfExtreme(name: 'max' | 'min', { list }: ValueType): ValueFacts | undefined {
  const items = list?.tuple?.map((item) => item()) ?? [];
  if (items.length === 0 || !items.every((item) => isOnly(item, 'number'))) return undefined;
  const bounds = items.map(({ facts }) => facts?.least ?? Number.NEGATIVE_INFINITY);
  const isPositive = ({ facts }: ValueType): boolean =>
    (facts?.least ?? -1) > 0 || (facts?.least === 0 && facts.isTruthy === true);
  const isTruthy = name === 'max' ? items.some(isPositive) : items.every(isPositive);
  const least = name === 'max' ? Math.max(...bounds) : Math.min(...bounds);
  const isFloat = items.every(({ facts }) => facts?.isFloat);
  return {
    ...(isTruthy && { isTruthy }),
    ...(Number.isFinite(least) && { least }),
    ...(isFloat && { isFloat }),
  };
}

/** Returns what is known about the number that an operator returns for two numbers. */
export function factsOfOperator(operator: BinaryOperator, left: ValueType, right: ValueType): ValueFacts | undefined {
  if (!isOnly(left, 'number') || !isOnly(right, 'number')) return undefined;
  const [one = {}, other = {}] = [left.facts, right.facts];
  const isFloat = operator === '/' || one.isFloat || other.isFloat;
  const arePositive = (one.least ?? -1) >= 0 && (other.least ?? -1) >= 0;
  const [a, b] = [one.least ?? 0, other.least ?? 0];
  const least = !arePositive
    ? undefined
    : operator === '+'
      ? a + b
      : operator === '*'
        ? a * b
        : operator === '-'
          ? undefined
          : 0;
  const isTruthy =
    operator === '+'
      ? arePositive && (one.isTruthy || other.isTruthy || a + b > 0)
      : operator === '*' && one.isTruthy && other.isTruthy;
  return {
    ...(isTruthy && { isTruthy: true }),
    ...(least !== undefined && { least }),
    ...(isFloat && { isFloat: true }),
  };
}

/** Returns whether a value may be a number that is 0. */
export const mayBeZero = (type: ValueType): boolean =>
  hasKind(type, 'number') && !hasKind(type, 'any') && !type.facts?.isTruthy && !((type.facts?.least ?? 0) > 0);

/** Returns whether a value may be a string that is not a number. */
export const mayBeNoNumber = (type: ValueType): boolean => hasKind(type, 'string') && type.facts?.text !== 'number';

/** Returns the value of a number that the template contains, with its sign. */
export function literalNumber(expression: Expression | undefined): number | undefined {
  if (expression?.kind === 'unary' && expression.operator === '-') {
    const value = literalNumber(expression.operand);
    return value === undefined ? undefined : -value;
  }
  return expression?.kind === 'literal' && typeof expression.value === 'number' ? expression.value : undefined;
}

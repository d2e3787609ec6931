/** Finds the problems in an assertion that its vocabulary cannot express (docs/testing.md, "Assertions"). */
import { parseSchema, regexProblems, type SchemaProblem } from '../languages/schema/schema.ts';
import {
  findEntry,
  findValue,
  numberOf,
  stringOf,
  type YamlEntry,
  type YamlMap,
  type YamlNode,
} from '../languages/yaml/node.ts';
import { inWords } from '../nearest.ts';
import type { Span } from '../text.ts';
import { ASSERTION_NEEDS, ASSERTION_OPTIONS, assertionKeys } from '../vocabulary/artifact-keys.ts';
import { checkShape } from '../vocabulary/check-shape.ts';
import { olderCheck } from '../vocabulary/older-checks.ts';
import { findKey, keysMeant } from '../vocabulary/shape.ts';

export interface AssertionProblem {
  readonly span: Span;
  readonly message: string;
  /** Undefined for an error. */
  readonly severity?: 'hint' | 'warning';
  /** A key without an effect. */
  readonly surplus?: string;
}

/**
 * Yields missing keys, keys without an effect, impossible ranges, and the problems in patterns and schemas. Never
 * throws.
 */
export function* assertionProblems(assertion: YamlMap): Iterable<AssertionProblem> {
  const type = findEntry(assertion, 'type') ?? findEntry(assertion, 'check');
  const written = stringOf(type?.value) ?? '';
  const name = olderCheck(written)?.type ?? written;
  const needed = ASSERTION_NEEDS.get(name);
  if (needed?.some((key) => findEntry(assertion, key))) yield* keysOfOtherTypes(assertion, name, needed);
  else if (type && needed && !assertion.entries.some((entry) => misspells(entry, needed))) {
    yield {
      span: type.value.span,
      message: `An assertion of type \`${written}\` requires ${inWords(needed, 'or')}. Add ${needed.length === 1 ? 'it' : 'one'}.`,
    };
  }
  const min = numberOf(findValue(assertion, 'min'));
  const max = findEntry(assertion, 'max');
  const most = numberOf(max?.value);
  if (max && min !== undefined && most !== undefined && min > most) {
    yield {
      span: max.value.span,
      message: `\`max\` (${most}) is less than \`min\` (${min}), so no output can match. Change one of them.`,
    };
  }
  for (const { rule, ...problem } of problemsWithin(assertion)) if (rule === undefined) yield problem;
}

/** Returns the first error or warning in an assertion; undefined for a valid one. Never throws. */
export function assertionFault(node: YamlNode): string | undefined {
  const [shape] = checkShape(node, assertionKeys);
  if (shape || node.kind !== 'map') return shape?.message;
  return [...assertionProblems(node)].find(({ severity }) => severity !== 'hint')?.message;
}

/** Returns whether an unknown key misspells one of the needed keys. The vocabulary reports it. */
const misspells = ({ key }: YamlEntry, needed: readonly string[]): boolean => {
  const name = String(key.value);
  return !findKey(assertionKeys, name) && keysMeant(name, assertionKeys).some((meant) => needed.includes(meant));
};

/** Yields the keys that only assertions of other types have. With them, the assertion seems to check more than it does. */
function* keysOfOtherTypes(assertion: YamlMap, type: string, needed: readonly string[]): Iterable<AssertionProblem> {
  const own = ['type', 'check', 'severity', ...needed, ...(ASSERTION_OPTIONS.get(type) ?? [])];
  for (const { key } of assertion.entries) {
    const surplus = String(key.value);
    if (own.includes(surplus) || !findKey(assertionKeys, surplus)) continue;
    const message = `\`${surplus}\` has no effect in an assertion of type \`${type}\`. Remove it.`;
    yield { span: key.span, severity: 'warning', message, surplus };
  }
}

/** Returns the problems in the patterns and the schema of an assertion. Never throws. */
export function problemsWithin(assertion: YamlMap): readonly SchemaProblem[] {
  const schema = findValue(assertion, 'schema');
  const patterns = ['match', 'not_match'].flatMap((key) => {
    const pattern = findValue(assertion, key);
    const source = stringOf(pattern);
    return pattern && source !== undefined ? regexProblems(source, pattern.span) : [];
  });
  return [...patterns, ...(schema ? parseSchema(schema).problems : [])];
}

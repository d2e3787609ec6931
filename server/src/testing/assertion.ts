/** Reads assertions, and checks strings against them (docs/testing.md, "Assertions"). */
import { isTooDeep, MAX_DEPTH } from '../composer/json.ts';
import { formatNumber } from '../format-amounts.ts';
import {
  canonical,
  isUsable,
  parseRegex,
  parseSchema,
  regexProblems,
  type Schema,
  validateJson,
} from '../languages/schema/schema.ts';
import { findValue, type Json, jsonOf, listItems, numberOf, stringOf, type YamlNode } from '../languages/yaml/node.ts';
import type { Span } from '../text.ts';
import { olderCheck } from '../vocabulary/older-checks.ts';

export type LengthUnit = 'characters' | 'tokens' | 'words' | 'lines';

interface Common {
  readonly span: Span;
  readonly severity: 'hard' | 'soft';
}

export type Assertion = Common &
  (
    | { readonly type: 'structural'; readonly schema: Schema }
    | { readonly type: 'length'; readonly min?: number; readonly max?: number; readonly unit: LengthUnit }
    | { readonly type: 'pattern'; readonly match?: string; readonly notMatch?: string }
    | { readonly type: 'contains' | 'equals'; readonly value: Json }
    | { readonly type: 'semantic'; readonly prompt: string; readonly expected: Json }
  );

/** Reads a list of assertions. Skips invalid assertions, which rules report. */
export const readAssertions = (list: YamlNode | undefined): readonly Assertion[] =>
  listItems(list).flatMap((item) => readAssertion(item) ?? []);

const UNITS: readonly LengthUnit[] = ['characters', 'tokens', 'words', 'lines'];

function readAssertion(item: YamlNode): Assertion | undefined {
  const text = (key: string): string | undefined => stringOf(findValue(item, key));
  const amount = (key: 'min' | 'max') => {
    const value = numberOf(findValue(item, key));
    return value === undefined ? {} : { [key]: value };
  };
  const common: Common = { span: item.span, severity: text('severity') === 'soft' ? 'soft' : 'hard' };
  const older = olderCheck(text('check'));
  const type = text('type') ?? older?.type;
  switch (type) {
    case 'structural': {
      const schema = findValue(item, 'schema');
      return schema && { ...common, type, schema: parseSchema(schema) };
    }
    case 'length':
      if (numberOf(findValue(item, 'min')) === undefined && numberOf(findValue(item, 'max')) === undefined)
        return undefined;
      return {
        ...common,
        type,
        ...amount('min'),
        ...amount('max'),
        unit: UNITS.find((unit) => unit === (text('unit') ?? older?.unit)) ?? 'characters',
      };
    case 'pattern': {
      const [match, notMatch] = [text('match'), text('not_match')];
      if (match === undefined && notMatch === undefined) return undefined;
      return {
        ...common,
        type,
        ...(match === undefined ? {} : { match }),
        ...(notMatch === undefined ? {} : { notMatch }),
      };
    }
    case 'contains':
    case 'equals': {
      const value = findValue(item, 'value');
      return value && { ...common, type, value: jsonOf(value) };
    }
    case 'semantic': {
      const prompt = text('prompt');
      return prompt === undefined
        ? undefined
        : { ...common, type, prompt, expected: jsonOf(findValue(item, 'expected')) };
    }
    default:
      return undefined;
  }
}

export interface Verdict {
  readonly status: 'passed' | 'failed' | 'skipped';
  /** The expected value, in words or as a string. This value and `actual` are undefined if the check passed. */
  readonly expected?: string;
  readonly actual?: string;
  /** True if `expected` and `actual` are strings of the same kind, so that a diff is useful. */
  readonly comparable?: true;
  /** The reason why the assertion failed or was skipped, as a sentence. */
  readonly message?: string;
  /** The part of the text that caused the result, if known. */
  readonly at?: Span;
}

const PASSED: Verdict = { status: 'passed' };

/** Checks a string against an assertion. `countTokens` counts tokens as a composition does. */
export function checkAssertion(assertion: Assertion, text: string, countTokens: (text: string) => number): Verdict {
  switch (assertion.type) {
    case 'structural':
      return checkStructure(assertion.schema, text);
    case 'length':
      return checkLength(assertion, text, countTokens);
    case 'pattern':
      return checkPattern(assertion, text);
    case 'contains':
      return checkContains(assertion.value, text);
    case 'equals':
      return checkEquals(assertion.value, text);
    case 'semantic':
      return { status: 'skipped', message: `Only a model can decide this: ${assertion.prompt}` };
  }
}

/** Returns an assertion in a few words, as the name of its test. */
export function nameOf(assertion: Assertion): string {
  switch (assertion.type) {
    case 'structural':
      return 'matches its schema';
    case 'length':
      return `has ${rangeOf(assertion)}`;
    case 'pattern':
      return [
        ...(assertion.match === undefined ? [] : [`matches ${brief(assertion.match)}`]),
        ...(assertion.notMatch === undefined ? [] : [`does not match ${brief(assertion.notMatch)}`]),
      ].join(', ');
    case 'contains':
      return `contains ${brief(asText(assertion.value))}`;
    case 'equals':
      return `equals ${brief(asText(assertion.value))}`;
    case 'semantic':
      return brief(assertion.prompt);
  }
}

const MAX_NAME = 60;

function brief(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > MAX_NAME ? `${line.slice(0, MAX_NAME - 1)}…` : line;
}

const asText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

function checkStructure(schema: Schema, text: string): Verdict {
  const { json, problem } = comparableJson(text);
  if (json === undefined) {
    return {
      status: 'failed',
      expected: 'JSON that matches the schema',
      actual: text,
      message: problem ?? 'The text contains no JSON.',
    };
  }
  const violations = violationsOf(schema, json);
  if (violations.length === 0) return PASSED;
  const expected = JSON.stringify(schema.json, undefined, 2);
  return { status: 'failed', expected, actual: JSON.stringify(json, undefined, 2), message: violations.join(' ') };
}

type Length = Extract<Assertion, { type: 'length' }>;

function checkLength(assertion: Length, text: string, countTokens: (text: string) => number): Verdict {
  const { min = 0, max = Number.POSITIVE_INFINITY, unit } = assertion;
  const length = lengthIn(unit, text, countTokens);
  if (length >= min && length <= max) return PASSED;
  const actual = `${formatNumber(length)} ${unit}`;
  return { status: 'failed', expected: rangeOf(assertion), actual, message: `The text has ${actual}.` };
}

function rangeOf({ min, max, unit }: Length): string {
  if (min !== undefined && max !== undefined) return `${formatNumber(min)} to ${formatNumber(max)} ${unit}`;
  return min === undefined ? `at most ${formatNumber(max ?? 0)} ${unit}` : `at least ${formatNumber(min)} ${unit}`;
}

function lengthIn(unit: LengthUnit, text: string, countTokens: (text: string) => number): number {
  switch (unit) {
    case 'characters':
      return [...text].length;
    case 'tokens':
      return countTokens(text);
    case 'words':
      return text.split(/\s+/).filter((word) => word !== '').length;
    case 'lines':
      // A line break at the end of a string does not begin a line.
      return text === '' ? 0 : text.replace(/\r?\n$/, '').split(/\r?\n/).length;
  }
}

function checkPattern({ match, notMatch, span }: Extract<Assertion, { type: 'pattern' }>, text: string): Verdict {
  for (const [pattern, isWanted] of [
    [match, true],
    [notMatch, false],
  ] as const) {
    if (pattern === undefined) continue;
    const fault = regexProblems(pattern, span).find(({ rule }) => rule === undefined);
    if (fault?.severity) return { status: 'skipped', message: fault.message };
    if (fault) return { status: 'failed', expected: pattern, actual: text, message: fault.message };
    const regex = parseRegex(pattern);
    if (!regex.canTest(text.length)) {
      const message = `\`${brief(pattern)}\` was not tried, because the text and the expression together are too long.`;
      return { status: 'skipped', message };
    }
    if (regex.test(text) === isWanted) continue;
    const at = regex.find(text);
    const expected = `${isWanted ? '' : 'no '}match for ${pattern}`;
    return {
      status: 'failed',
      expected,
      actual: text,
      message: `The text ${isWanted ? 'does not match' : 'matches'} \`${brief(pattern)}\`.`,
      ...(at ? { at } : {}),
    };
  }
  return PASSED;
}

function checkContains(value: Json, text: string): Verdict {
  const wanted = asText(value);
  if (text.includes(wanted)) return PASSED;
  const message = `The text does not contain \`${brief(wanted)}\`.`;
  return { status: 'failed', expected: wanted, actual: text, message };
}

function checkEquals(value: Json, text: string): Verdict {
  if (typeof value === 'string') {
    if (text.trim() === value.trim()) return PASSED;
    const message = 'The text differs from the expected text.';
    return { status: 'failed', expected: value, actual: text, comparable: true, message };
  }
  const { json, problem = 'The text contains no JSON.' } = comparableJson(text);
  if (json !== undefined && canonical(json) === canonical(value)) return PASSED;
  return {
    status: 'failed',
    expected: JSON.stringify(value, undefined, 2),
    actual: json === undefined ? text : JSON.stringify(json, undefined, 2),
    comparable: true,
    message: json === undefined ? problem : 'The value differs from the expected value.',
  };
}

// Violations of a schema, in words.

/** The largest number of violations in a message. */
const MAX_VIOLATIONS = 5;

/** Returns a sentence for each violation; empty without a schema, or if the schema is empty or has errors. */
export function violationsOf(schema: Schema | undefined, value: Json): readonly string[] {
  if (!schema || !isUsable(schema) || schema.form === 'empty') return [];
  return validateJson(schema, value)
    .slice(0, MAX_VIOLATIONS)
    .map(({ path, message }) => (path.length === 0 ? message : `At \`${path.join('.')}\`: ${message}`));
}

/** Returns the JSON in the output of a model as `jsonIn` does, or the problem if it has too many levels to be read. */
export function comparableJson(text: string): { readonly json?: Json; readonly problem?: string } {
  const json = jsonIn(text);
  if (json === undefined) return {};
  return isTooDeep(json) ? { problem: `The JSON is nested more than ${MAX_DEPTH} levels deep.` } : { json };
}

/**
 * Returns the JSON in the output of a model: the whole text as JSON, else the content of the first fence with JSON;
 * undefined if the text has no JSON.
 */
export function jsonIn(text: string): Json | undefined {
  const whole = parsed(text);
  if (whole !== undefined) return whole;
  let open: { readonly mark: string; readonly lines: string[] } | undefined;
  for (const line of text.split('\n')) {
    const [, mark = ''] = /^(`{3,}|~{3,})/.exec(line) ?? [];
    if (!open) {
      if (mark !== '') open = { mark, lines: [] };
    } else if (line.trimEnd() === open.mark) {
      const json = parsed(open.lines.join('\n'));
      if (json !== undefined) return json;
      open = undefined;
    } else open.lines.push(line);
  }
  return undefined;
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Assertions of a legacy package in the words of this format, and back. */
import type { Json } from '../languages/yaml/node.ts';
import { isObject, type JsonObject } from '../languages/yaml/same-json.ts';

export function toOwnAssertion(assertion: Json): Json {
  if (!isObject(assertion)) return assertion;
  const { check, severity, ...rest } = assertion;
  const soft = typeof severity === 'string' ? { severity: severity.toLowerCase() } : {};
  if (rest.type === 'length') {
    const unit = check === 'token_range' ? 'tokens' : 'characters';
    return { ...rest, unit, ...soft };
  }
  if (rest.type !== 'pattern' || rest.pattern === undefined) return { ...rest, ...soft };
  const { pattern, ...more } = rest;
  return check === 'regex_no_match' ? { ...more, not_match: pattern, ...soft } : { ...more, match: pattern, ...soft };
}

const CHECKS: ReadonlyMap<Json | undefined, string> = new Map<Json | undefined, string>([
  ['structural', 'json_schema'],
  ['semantic', 'llm_eval'],
]);

export function toPackageAssertion(assertion: Json): Json {
  if (!isObject(assertion)) return assertion;
  const { type } = assertion;
  if (type === 'length') {
    const { unit, ...rest } = assertion;
    if (unit === 'words' || unit === 'lines') return assertion;
    return { ...rest, check: unit === 'tokens' ? 'token_range' : 'char_range' };
  }
  if (type === 'pattern') return patternOf(assertion);
  const check = CHECKS.get(type);
  return check === undefined ? assertion : { ...assertion, check };
}

function patternOf(assertion: JsonObject): Json {
  const { match, not_match: refused, ...rest } = assertion;
  if (match !== undefined && refused !== undefined) return assertion;
  return refused === undefined
    ? { ...rest, check: 'regex_match', pattern: match ?? '' }
    : { ...rest, check: 'regex_no_match', pattern: refused };
}

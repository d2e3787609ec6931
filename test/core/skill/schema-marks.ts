/** Schemas in tests: YAML with the expected problems under each line, as `^^^ message` or `^^^ hint: message`. */

import assert from 'node:assert/strict';
import { parseSchema, type Schema, validate } from '../../../server/src/languages/schema/schema.ts';
import type { YamlNode } from '../../../server/src/languages/yaml/node.ts';
import { parseYaml } from '../../../server/src/languages/yaml/parse.ts';
import { lineStartsOf, positionAt, type Span, span } from '../../../server/src/text.ts';

const MARK = /^ *(\^+) (.*)$/;

/** Returns the tree of a string. Fails for broken YAML, which would test nothing. */
export function yaml(text: string): YamlNode | undefined {
  const tree = parseYaml(text, span(0, text.length));
  assert.deepEqual(tree.problems, [], text);
  return tree.root;
}

export const schemaOf = (text: string): Schema => parseSchema(yaml(text));

/** Returns the text with a mark for each problem that was found. */
function mark(text: string, found: readonly { span: Span; message: string; severity?: string }[]): string {
  const lines = text.split('\n');
  const starts = lineStartsOf(text);
  const below = new Map<number, string[]>();
  for (const { span: place, message, severity } of found) {
    const { line, character } = positionAt(starts, place.start);
    const width = Math.max(1, Math.min(place.end, (starts[line + 1] ?? text.length + 1) - 1) - place.start);
    const label = severity ? `${severity}: ${message}` : message;
    below.set(line, [...(below.get(line) ?? []), `${' '.repeat(character)}${'^'.repeat(width)} ${label}`]);
  }
  return lines.flatMap((line, index) => [line, ...(below.get(index) ?? [])]).join('\n');
}

const trimmed = (text: string): string => {
  const lines = text.replace(/^\n/, '').trimEnd().split('\n');
  const indent = Math.min(...lines.filter((line) => line.trim()).map((line) => line.search(/\S/)));
  return lines.map((line) => line.slice(indent)).join('\n');
};

const withoutMarks = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !MARK.test(line))
    .join('\n');

/** Asserts that a schema has exactly the marked problems. */
export function checkSchema(marked: string): Schema {
  const expected = trimmed(marked);
  const text = withoutMarks(expected);
  const schema = schemaOf(text);
  assert.equal(mark(text, schema.problems), expected);
  return schema;
}

/** Asserts that a value has exactly the marked violations. */
export function checkValue(schemaText: string, marked: string): void {
  const schema = checkSchema(schemaText);
  const expected = trimmed(marked);
  const text = withoutMarks(expected);
  assert.equal(mark(text, validate(schema, yaml(text) as YamlNode)), expected);
}

/** Returns the schema after its only fix. */
export function fixed(text: string): string {
  const problem = schemaOf(text).problems.find(({ fix }) => fix);
  assert.ok(problem?.fix, `no fix for ${text}`);
  const { span: place, newText } = problem.fix;
  return text.slice(0, place.start) + newText + text.slice(place.end);
}

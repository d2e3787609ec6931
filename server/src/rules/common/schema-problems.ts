/** Problems in schemas that a file declares, and in values that do not match a schema. */

import type { Draft, Fix } from '../../finding.ts';
import {
  isUsable,
  parseSchema,
  type Schema,
  type SchemaProblem,
  type SchemaViolation,
  validate,
} from '../../languages/schema/schema.ts';
import { findValue, listItems, type YamlNode } from '../../languages/yaml/node.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Span } from '../../text.ts';
import { fixHere } from '../rule.ts';

/**
 * Returns the problems in all schemas of a file: the schemas of a contract and its tool constraints, or of a catalog's
 * tools.
 */
export function schemaProblems(file: SkillFile): readonly SchemaProblem[] {
  const { contract, frontmatter } = file;
  if (file.dialect === 'catalog') {
    return listItems(findValue(frontmatter.tree.root, 'tools')).flatMap((tool) =>
      SCHEMA_KEYS.flatMap((key) => problemsIn(findValue(tool, key))),
    );
  }
  return [
    ...(contract.input?.schema.problems ?? []),
    ...(contract.output?.schema.problems ?? []),
    ...contract.tools.flatMap(({ constraints }) => problemsInFragment(constraints)),
  ];
}

const SCHEMA_KEYS = ['input_schema', 'inputSchema', 'input', 'output_schema', 'outputSchema', 'output'];

const problemsIn = (node: YamlNode | undefined): readonly SchemaProblem[] => (node ? parseSchema(node).problems : []);

/** A fragment such as `{required: [limit]}` is also valid shorthand, so only plain JSON Schema is checked. */
function problemsInFragment(node: YamlNode | undefined): readonly SchemaProblem[] {
  const schema = node && parseSchema(node);
  return schema?.form === 'json-schema' ? schema.problems : [];
}

/**
 * Returns a finding for each part of `value` that does not match the schema, or no findings if the schema has errors.
 * `what` is the subject of the messages. `judge` is passed to `validate`.
 */
export function draftsOfViolations(
  file: SkillFile,
  schema: Schema | undefined,
  value: YamlNode,
  what: string,
  judge?: Parameters<typeof validate>[2],
): readonly Draft[] {
  if (!schema || !isUsable(schema) || schema.form === 'empty') return [];
  return validate(schema, value, judge).map((violation) => ({
    span: placeOf(violation, value),
    message: `${what}: ${violation.message}`,
    related: [{ uri: file.uri, span: schema.span, message: 'The schema' }],
    fixes: fixesOf(file, violation),
  }));
}

/**
 * Returns the span of a violation. A missing field of the outermost map is reported at the first key of the map, not on
 * all lines of the map.
 */
function placeOf({ kind, path, span }: SchemaViolation, value: YamlNode): Span {
  const [first] = value.kind === 'map' ? value.entries : [];
  return kind === 'missing' && path.length === 1 && first ? first.key.span : span;
}

/** Returns the fix that corrects a misspelt key. */
function fixesOf(file: SkillFile, { kind, nearest, span }: SchemaViolation): Fix[] {
  if (kind !== 'additional' || nearest === undefined) return [];
  return fixHere(file, `Rename to \`${nearest}\``, [{ span, newText: nearest }]);
}

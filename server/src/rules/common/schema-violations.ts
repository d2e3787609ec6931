/** Where a value does not fit a schema, as findings. */
import type { Draft, Fix } from '../../finding.ts';
import { isUsable, type Schema, type SchemaViolation, validate } from '../../languages/schema/schema.ts';
import type { YamlNode } from '../../languages/yaml/node.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Span } from '../../text.ts';
import { fixHere } from '../rule.ts';

/** One for each place of `value` that the schema refuses; none where the schema itself has errors. */
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
    related: [{ uri: file.uri, span: schema.span, message: 'the schema is here' }],
    fixes: fixesOf(file, violation),
  }));
}

/** A field that the whole value lacks is reported at its first key, not under all of its lines. */
function placeOf({ kind, path, span }: SchemaViolation, value: YamlNode): Span {
  const [first] = value.kind === 'map' ? value.entries : [];
  return kind === 'missing' && path.length === 1 && first ? first.key.span : span;
}

/** Renames a misspelt key to the field that was likely meant. */
function fixesOf(file: SkillFile, { kind, nearest, span }: SchemaViolation): Fix[] {
  if (kind !== 'additional' || nearest === undefined) return [];
  return fixHere(file, `Rename to \`${nearest}\``, [{ span, newText: nearest }]);
}

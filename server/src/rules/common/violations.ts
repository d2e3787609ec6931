/** What a schema says against a value, as findings. */
import type { Draft, Fix } from '../../finding.ts';
import { isUsable, type SchemaViolation, type SkillSchema, validate } from '../../languages/schema/schema.ts';
import type { YamlNode } from '../../languages/yaml/node.ts';
import { createRecent } from '../../recent.ts';
import type { SkillDocument } from '../../skill/document.ts';
import type { Span } from '../../text.ts';
import { fixHere } from '../rule.ts';

/** Drafts for each place of `value` that the schema refuses; none where the schema itself is at fault. */
export function draftsOfViolations(
  document: SkillDocument,
  schema: SkillSchema | undefined,
  value: YamlNode,
  what: string,
  key: ValueKey = value,
): readonly Draft[] {
  if (!schema || !isUsable(schema) || schema.form === 'empty' || fits(schema, key)) return [];
  const violations = validate(schema, value);
  if (violations.length === 0) rememberFit(schema, key);
  return violations.map((violation) => ({
    span: placeOf(violation, value),
    message: `${what}: ${violation.message}`,
    related: [{ uri: document.uri, span: schema.span, message: 'the schema is here' }],
    fixes: fixesOf(document, violation),
  }));
}

/** What a value is known by: the node as long as nobody edits it, or its own text where that tells all of it. */
type ValueKey = YamlNode | string;

/**
 * The values of which a schema said last that they fit. Typing in a body changes neither the schema nor, nearly always,
 * the samples and examples that are held against it: that was a quarter of what all rules take for an edit.
 */
const fitting = createRecent<SkillSchema, Set<ValueKey>>(4);

/** A text may keep the whole file alive that it was cut from, so few are kept. */
const MAX_FITTING = 20;

const fits = (schema: SkillSchema, key: ValueKey): boolean => fitting.get(schema)?.has(key) ?? false;

function rememberFit(schema: SkillSchema, key: ValueKey): void {
  const known = fitting.get(schema) ?? fitting.set(schema, new Set());
  if (known.size >= MAX_FITTING) known.clear();
  known.add(key);
}

/** A field that the whole value lacks is shown at its first key: a mark under every line would say less. */
function placeOf({ kind, path, span }: SchemaViolation, value: YamlNode): Span {
  const [first] = value.kind === 'map' ? value.entries : [];
  return kind === 'missing' && path.length === 1 && first ? first.key.span : span;
}

/** A misspelt key is renamed to the field that was likely meant. */
function fixesOf(document: SkillDocument, { kind, nearest, span }: SchemaViolation): Fix[] {
  if (kind !== 'additional' || nearest === undefined) return [];
  return [fixHere(document, `Rename to \`${nearest}\``, [{ span, newText: nearest }])];
}

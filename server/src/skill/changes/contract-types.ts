/** How the type of a field has changed between two versions of a contract. */
import { boundedLabel, relateTypes, type SchemaField, type SchemaPart } from '../../languages/schema/schema.ts';
import type { SchemaEntry } from '../contract.ts';

export interface TypeChange {
  /** True where some values that fitted before do so no longer. */
  readonly isNarrowed: boolean;
  /** True where some values fit that did not before. */
  readonly isWidened: boolean;
  /** "was `string` and is `integer` now". */
  readonly words: string;
}

const NONE: TypeChange = { isNarrowed: false, isWidened: false, words: '' };

/** What cannot be compared counts as unchanged. */
export function typeChange(
  old: SchemaEntry | undefined,
  before: SchemaField,
  now: SchemaEntry | undefined,
  after: SchemaField,
): TypeChange {
  if (!old || !now) return NONE;
  const [from, to] = [partOf(old, before), partOf(now, after)];
  const narrowing = relateTypes(from, to, 'as-produced');
  const widening = relateTypes(to, from, 'as-produced');
  const clashes = [narrowing, widening].flatMap((verdict) => (verdict.kind === 'clash' ? verdict.clashes : []));
  const [first] = clashes;
  if (!first) return NONE;
  const labels = [boundedLabel(from.json, from.root), boundedLabel(to.json, to.root)];
  // Two maps that differ within are both called `object`.
  const inner = first.path.map((step) => (step === '[]' ? '[]' : `.${step}`)).join('');
  const words =
    labels[0] === labels[1]
      ? `has changed at \`${before.name}${inner}\``
      : `was \`${labels[0]}\` and is \`${labels[1]}\` now`;
  return { isNarrowed: narrowing.kind === 'clash', isWidened: widening.kind === 'clash', words };
}

const partOf = ({ schema }: SchemaEntry, { json }: SchemaField): SchemaPart => ({
  json,
  root: schema.json,
  dialect: schema.dialect,
});

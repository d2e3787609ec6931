/** What the parts of assignability share: verdicts, and the state of one comparison. */
import type { Json } from '../../yaml/node.ts';
import { boundedLabel } from '../label.ts';
import type { JsonObject, Path } from '../model.ts';
import type { Regex } from '../regex/regex.ts';
import type { SchemaContext } from '../validate/value.ts';

export type ClashKind = 'type' | 'value' | 'missing' | 'range' | 'pattern' | 'format';

/** Why a producer's values do not fit a consumer. */
export interface TypeClash {
  /** The way into the value. */
  readonly path: Path;
  readonly kind: ClashKind;
  /** Both types at that place, in words; `nothing` for a field that the producer does not have. */
  readonly from: string;
  readonly to: string;
  /** False where some of the producer's values fit, though not all. */
  readonly apart: boolean;
}

/** `unknown`: a schema has keywords that are not decided here, so nothing may be reported. */
export type Assignability =
  | { readonly kind: 'assignable' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'clash'; readonly clashes: readonly [TypeClash, ...TypeClash[]] };

export const YES: Assignability = { kind: 'assignable' };
export const UNKNOWN: Assignability = { kind: 'unknown' };

/** All verdicts have to hold; a clash outweighs an unknown one. */
export function every(verdicts: Iterable<Assignability>): Assignability {
  const clashes: TypeClash[] = [];
  let isKnown = true;
  for (const verdict of verdicts) {
    if (verdict.kind === 'clash') clashes.push(...verdict.clashes);
    else if (verdict.kind === 'unknown') isKnown = false;
  }
  const [first, ...others] = clashes;
  if (first) return { kind: 'clash', clashes: [first, ...others] };
  return isKnown ? YES : UNKNOWN;
}

/**
 * How the producer's schema is read. `any-value`: all that it accepts, as validation has it. `as-produced`: a field that
 * it does not name is not there, and one with a default is.
 */
export type Extent = 'any-value' | 'as-produced';

/** Pairs that one comparison visits at most. */
export const MAX_VISITS = 1_000;

export interface Comparison {
  readonly from: SchemaContext;
  readonly to: SchemaContext;
  readonly extent: Extent;
  readonly regexes: Map<string, Regex>;
  /** Pairs that are being decided; a reference back to one of them counts as assignable. */
  readonly open: Set<string>;
  readonly ids: Map<Json, number>;
  visits: number;
  /** Whether both roots are equal; undefined until it is needed. */
  hasSameRoot: boolean | undefined;
}

/** The place in the value that a consumer's schema applies to. */
export interface Place {
  readonly path: Path;
  /** Properties that defaults fill in before the consumer validates; none below alternatives. */
  readonly filled: ReadonlySet<string>;
  /** False below alternatives, where no default is filled in. */
  readonly fills: boolean;
  /** The producer's type here in words. */
  readonly label: string;
}

/** A variant of the producer's schema beside a schema of the consumer. */
export interface Pair {
  /** The producer's plain schemas, which all hold. */
  readonly all: readonly JsonObject[];
  /** The producer's type. */
  readonly type: string;
  readonly to: JsonObject;
  readonly place: Place;
  readonly comparison: Comparison;
  /** Decides for the schemas of a part of the value. */
  readonly relate: (from: readonly Json[], to: Json, place: Pick<Place, 'path' | 'fills'>) => Assignability;
}

export const clash = (
  { path, label }: Pick<Place, 'path' | 'label'>,
  kind: ClashKind,
  to: string,
  apart = false,
): Assignability => ({ kind: 'clash', clashes: [{ path, kind, from: label, to, apart }] });

/** A clash of the pair as a whole. */
export const clashOf = (
  { to, place, comparison }: Omit<Pair, 'relate'>,
  kind: ClashKind,
  apart = false,
): Assignability => clash(place, kind, boundedLabel(to, comparison.to.root), apart);

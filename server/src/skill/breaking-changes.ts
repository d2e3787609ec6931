/**
 * Finds the changes to a skill's contract since a baseline, and the version that they require (docs/format.md, section
 * 4, "Breaking changes").
 */
import { inc, parse } from 'semver';
import {
  boundedLabel,
  compareTypes,
  isUsable,
  type ProducerValues,
  type SchemaField,
  type SchemaPart,
} from '../languages/schema/schema.ts';
import { isEqualJson } from '../languages/yaml/json-values.ts';
import type { Json } from '../languages/yaml/node.ts';
import type { Span } from '../text.ts';
import type { Named, SchemaEntry, SkillContract } from './contract.ts';

/**
 * Returns the changes from one contract to another, sorted from the name, inputs and outputs to the requirements for
 * callers (docs/format.md, section 4, "Breaking changes"). Skips parts that cannot be read in one of the contracts.
 */
export function changesBetween(old: SkillContract, now: SkillContract): readonly ContractChange[] {
  return [
    ...nameChanges(old, now),
    ...inputChanges(old, now),
    ...outputChanges(old, now),
    ...effectChanges(old, now),
    ...operationChanges(old, now),
    ...callerChanges(old, now),
    ...adapterChanges(old, now),
    ...deprecationChanges(old, now),
  ];
}

function nameChanges({ name: before }: SkillContract, { name: after }: SkillContract): readonly ContractChange[] {
  if (!before || !after || before.name === after.name) return [];
  const message = `the skill was renamed from \`${before.name}\`, so callers no longer find it`;
  return [{ bump: 'major', path: 'name', message, span: after.span }];
}

interface Compared {
  readonly before: readonly SchemaField[];
  readonly after: readonly SchemaField[];
  readonly place: Span;
  readonly old: SchemaEntry | undefined;
  readonly now: SchemaEntry | undefined;
}

function compared(
  old: SchemaEntry | undefined,
  now: SchemaEntry | undefined,
  name: Named | undefined,
): Compared | undefined {
  const place = now?.entry.key.span ?? name?.span;
  if (!place || [old, now].some((side) => side && !isUsable(side.schema))) return undefined;
  return { before: old?.schema.fields ?? [], after: now?.schema.fields ?? [], place, old, now };
}

const named = (fields: readonly SchemaField[], name: string) => fields.find((field) => field.name === name);

/** Returns whether a caller must pass the input. */
const isRequiredInput = ({ required, default: value }: SchemaField): boolean => required && value === undefined;

function inputChanges(old: SkillContract, now: SkillContract): readonly ContractChange[] {
  const sides = compared(old.input, now.input, now.name);
  if (!sides) return [];
  const { before, after, place } = sides;
  const change = (bump: Bump, name: string, message: string, span: Span): ContractChange => ({
    bump,
    path: `input_schema.${name}`,
    message,
    span,
  });
  const gone = before
    .filter(({ name }) => !named(after, name))
    .map(({ name }) => change('major', name, `the input \`${name}\` was removed`, place));
  const kept = after.flatMap((field) => {
    const { name, keySpan } = field;
    const earlier = named(before, name);
    if (!earlier) {
      return isRequiredInput(field)
        ? [change('major', name, `the input \`${name}\` is new and required`, keySpan)]
        : [change('minor', name, `the optional input \`${name}\` is new`, keySpan)];
    }
    const type = typeChange(sides.old, earlier, sides.now, field, 'as-given');
    return [
      ...(isRequiredInput(field) && !isRequiredInput(earlier)
        ? [change('major', name, `the input \`${name}\` was optional and is now required`, keySpan)]
        : []),
      ...(!isRequiredInput(field) && isRequiredInput(earlier)
        ? [change('minor', name, `the input \`${name}\` was required and is now optional`, keySpan)]
        : []),
      ...(type.isNarrowed
        ? [change('major', name, `the input \`${name}\` ${type.words}, and accepts fewer values`, keySpan)]
        : []),
      ...(type.isWidened && !type.isNarrowed
        ? [change('minor', name, `the input \`${name}\` ${type.words}, and accepts more values`, keySpan)]
        : []),
      ...defaultChanges(earlier, field).map(([path, words, span]) =>
        change('minor', path, `the input \`${path}\` ${words}`, span),
      ),
    ];
  });
  return [...gone, ...kept];
}

function outputChanges(old: SkillContract, now: SkillContract): readonly ContractChange[] {
  const sides = compared(old.output, now.output, now.name);
  if (!sides) return [];
  const { before, after, place } = sides;
  const change = (bump: Bump, name: string, message: string, span: Span): ContractChange => ({
    bump,
    path: `output_schema.${name}`,
    message,
    span,
  });
  const gone = before
    .filter(({ name }) => !named(after, name))
    .map(({ name }) => change('major', name, `the output \`${name}\` was removed`, place));
  const kept = after.flatMap((field) => {
    const { name, keySpan } = field;
    const earlier = named(before, name);
    if (!earlier) return [change('minor', name, `the output \`${name}\` is new`, keySpan)];
    const type = typeChange(sides.old, earlier, sides.now, field, 'as-produced');
    const differs = type.isNarrowed || type.isWidened;
    return [
      ...(earlier.required && !field.required
        ? [change('major', name, `the output \`${name}\` was required and is now optional`, keySpan)]
        : []),
      ...(!earlier.required && field.required
        ? [change('minor', name, `the output \`${name}\` was optional and is now required`, keySpan)]
        : []),
      ...(differs ? [change('major', name, `the output \`${name}\` ${type.words}`, keySpan)] : []),
      ...defaultChanges(earlier, field).map(([path, words, span]) =>
        change('minor', path, `the output \`${path}\` ${words}`, span),
      ),
    ];
  });
  return [...gone, ...kept];
}

/**
 * Returns the changed defaults of a field and of the fields in it, each with its path, the predicate of a sentence, and
 * its span. Leaves out a default that makes a field optional or required, because that is another change.
 */
function defaultChanges(
  before: SchemaField,
  after: SchemaField,
  path = after.name,
): readonly (readonly [path: string, words: string, span: Span])[] {
  const isSame = isEqualJson(before.default, after.default);
  const isOther = isRequiredInput(before) !== isRequiredInput(after);
  return [
    ...(isSame || isOther ? [] : [[path, defaultWords(before.default, after.default), after.keySpan] as const]),
    ...after.fields.flatMap((field) => {
      const earlier = named(before.fields, field.name);
      return earlier ? defaultChanges(earlier, field, `${path}.${field.name}`) : [];
    }),
  ];
}

function defaultWords(before: Json | undefined, after: Json | undefined): string {
  if (before === undefined) return `now has the default ${shownValue(after)}`;
  return after === undefined
    ? `no longer has the default ${shownValue(before)}`
    : `had the default ${shownValue(before)} and now has ${shownValue(after)}`;
}

/** The largest number of characters of a default in a message. */
const MAX_VALUE = 40;

/** Returns a value as JSON in backticks, shortened if it is long. */
function shownValue(value: Json | undefined): string {
  const text = JSON.stringify(value);
  return `\`${text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text}\``;
}

function effectChanges(old: SkillContract, now: SkillContract): readonly ContractChange[] {
  const place = now.name?.span;
  const [before, after] = [old, now].map(({ effects }) => new Set(effects.map(({ name }) => name)));
  const added = now.effects.filter(({ name }) => !before?.has(name));
  const gone = old.effects.filter(({ name }) => !after?.has(name));
  return [
    ...added.map(
      ({ name, span }): ContractChange => ({
        bump: 'major',
        path: 'effects',
        message: `the effect \`${name}\` is new`,
        span,
      }),
    ),
    ...gone.flatMap(({ name }): ContractChange[] =>
      place ? [{ bump: 'patch', path: 'effects', message: `the effect \`${name}\` was removed`, span: place }] : [],
    ),
  ];
}

/** The operations, weakest first. */
const OPERATIONS = ['TRANSFORM', 'READ', 'WRITE'];

function operationChanges(
  { operation: old }: SkillContract,
  { operation: now, name }: SkillContract,
): readonly ContractChange[] {
  const [before, after] = [old, now].map((operation) => OPERATIONS.indexOf(operation?.name ?? ''));
  const span = now?.span ?? name?.span;
  if (before === undefined || after === undefined || !span || before === after || before < 0 || after < 0) return [];
  const message = `the operation was \`${old?.name}\` and is now \`${now?.name}\``;
  return [{ bump: after > before ? 'major' : 'patch', path: 'operation', message, span }];
}

/** Returns the changes to the deprecation. A new deprecation is a minor change; other changes need no new version. */
function deprecationChanges(
  { deprecation: before }: SkillContract,
  { deprecation: after, name }: SkillContract,
): readonly ContractChange[] {
  const path = 'deprecated';
  if (!before && after) return [{ bump: 'minor', path, message: 'the skill is now deprecated', span: after.span }];
  if (before && !after) {
    const message = 'the skill is no longer deprecated';
    return name ? [{ bump: 'patch', path, message, span: name.span }] : [];
  }
  if (!before || !after) return [];
  return (['since', 'sunset', 'use'] as const).flatMap((key): readonly ContractChange[] => {
    const [old, now] = [before[key], after[key]];
    if (old?.name === now?.name) return [];
    const was = old ? `was \`${old.name}\`` : 'was not set';
    const is = now ? `is now \`${now.name}\`` : 'is no longer set';
    const message = `\`${key}\` of the deprecation ${was} and ${is}`;
    return [{ bump: 'patch', path: `${path}.${key}`, message, span: now?.span ?? after.span }];
  });
}

/** Returns the changes to the older versions that adapters serve. */
function adapterChanges(
  { adapts: before }: SkillContract,
  { adapts: after, name }: SkillContract,
): readonly ContractChange[] {
  const path = 'adapts';
  const gone = before.filter(({ from }) => !after.some((entry) => entry.from.name === from.name));
  return [
    ...after.flatMap(({ from, adapter }): readonly ContractChange[] => {
      const earlier = before.find((entry) => entry.from.name === from.name)?.adapter.name;
      if (earlier === adapter.name) return [];
      return earlier === undefined
        ? [{ bump: 'minor', path, message: `callers of \`${from.name}\` are now served`, span: from.span }]
        : [
            {
              bump: 'patch',
              path,
              message: `the adapter for \`${from.name}\` was \`${earlier}\` and is now \`${adapter.name}\``,
              span: adapter.span,
            },
          ];
    }),
    ...gone.flatMap(({ from }): readonly ContractChange[] => {
      const message = `callers of \`${from.name}\` are no longer served`;
      return name ? [{ bump: 'major', path, message, span: name.span }] : [];
    }),
  ];
}

/** The version that the changes to a contract require (docs/format.md, section 4, "Breaking changes"). */
export interface VersionDemand {
  readonly changes: readonly ContractChange[];
  readonly bump: Bump | undefined;
  /** The lowest version that the changes require; undefined without changes, or if the old version is invalid. */
  readonly demanded: string | undefined;
  /** False if the version is lower than demanded. Changes that only require a patch require no new version immediately. */
  readonly isReached: boolean;
  /** True if the version is lower than the old version. */
  readonly hasDecreased: boolean;
  /** The lowest version that the contract can have; undefined if its version is high enough. */
  readonly least: string | undefined;
}

/** Returns the version that a contract must have after an old one. */
export function versionDemand(old: SkillContract, now: SkillContract): VersionDemand {
  const changes = changesBetween(old, now);
  const [before, after] = [old.version?.name, now.version?.name];
  const bump = bumpFor(changes);
  const demanded = bump && versionAfter(before, bump);
  const isReached = !demanded || bump === 'patch' || isAtLeastVersion(after, demanded) !== false;
  const hasDecreased = isLowerVersion(before, after);
  const least = hasDecreased ? (demanded ?? before) : isReached ? undefined : demanded;
  return { changes, bump, demanded, isReached, hasDecreased, least };
}

/** Returns the largest bump that the changes require; undefined without changes. */
const bumpFor = (changes: readonly ContractChange[]): Bump | undefined =>
  (['major', 'minor', 'patch'] as const).find((bump) => changes.some((change) => change.bump === bump));

/**
 * Returns the version after a bump (docs/format.md, section 4, "Breaking changes"). Before 1.0.0, a minor version may
 * break callers, so a major bump becomes a minor bump, and a minor bump becomes a patch. Returns undefined if `old` is
 * not a version, or is a pre-release, because a pre-release may break callers.
 */
export function versionAfter(old: string | undefined, bump: Bump): string | undefined {
  const version = parse(old ?? '');
  if (!version || version.prerelease.length > 0) return undefined;
  const place = version.major > 0 ? bump : bump === 'major' ? 'minor' : 'patch';
  const { major, minor, patch } = version;
  return inc(`${major}.${minor}.${patch}`, place) ?? undefined;
}

/** Returns the pre-release after a pre-release, such as `2.0.0-rc.2` after `2.0.0-rc.1`; undefined for other versions. */
export const nextPreRelease = (version: string): string | undefined =>
  parse(version)?.prerelease.length ? (inc(version, 'prerelease') ?? undefined) : undefined;

/** Returns whether `now` is lower than `old`, or false if one of the strings is not a version. */
export function isLowerVersion(old: string | undefined, now: string | undefined): boolean {
  const [before, after] = [parse(old ?? ''), parse(now ?? '')];
  return before !== null && after !== null && after.compare(before) < 0;
}

/**
 * Returns whether a version, without its pre-release part, is at least `demanded`; undefined if `version` is not a
 * version.
 */
export function isAtLeastVersion(version: string | undefined, demanded: string): boolean | undefined {
  const own = parse(version ?? '');
  if (!own) return undefined;
  const wanted = parse(demanded);
  return wanted === null || own.compareMain(wanted) >= 0;
}

// Finds changes to a skill's requirements for its callers, other than the schemas (docs/format.md, section 4, "Breaking
// changes").

/** Returns the changes in the order scopes, tools, interrupts, errors. */
const callerChanges = (old: SkillContract, now: SkillContract): readonly ContractChange[] => [
  ...listChanges(old, now, 'required_scopes', 'scope', (contract) => contract.requiredScopes),
  ...toolChanges(old, now),
  ...listChanges(old, now, 'interrupts', 'interrupt', (contract) => contract.interrupts),
  ...listChanges(old, now, 'errors', 'error', (contract) => contract.errors, 'minor'),
];

type List = (contract: SkillContract) => readonly Named[];

const names = (list: readonly Named[]): ReadonlySet<string> => new Set(list.map(({ name }) => name));

/**
 * Returns the changes to a list. Added names have the bump `added`; removed names are minor changes, shown at the
 * skill's name.
 */
function listChanges(
  old: SkillContract,
  now: SkillContract,
  path: string,
  noun: string,
  list: List,
  added: ContractChange['bump'] = 'major',
): readonly ContractChange[] {
  const [before, after] = [names(list(old)), names(list(now))];
  const fresh = list(now).filter(({ name }) => !before.has(name));
  const gone = list(old).filter(({ name }) => !after.has(name));
  const place = now.name?.span;
  return [
    ...fresh.map(({ name, span }) => ({ bump: added, path, message: `the ${noun} \`${name}\` is new`, span })),
    ...gone.flatMap(({ name }): ContractChange[] =>
      place ? [{ bump: 'minor', path, message: `the ${noun} \`${name}\` was removed`, span: place }] : [],
    ),
  ];
}

/** Returns the changes to tools. A caller needs only the required tools, so a change to an optional tool is minor. */
function toolChanges(old: SkillContract, now: SkillContract): readonly ContractChange[] {
  const before = new Map(old.tools.map((tool) => [tool.name, tool]));
  const after = names(now.tools);
  const place = now.name?.span;
  const change = (bump: ContractChange['bump'], message: string, span: Span): ContractChange => ({
    bump,
    path: 'tools',
    message,
    span,
  });
  const kept = now.tools.flatMap(({ name, optional, span }) => {
    const earlier = before.get(name);
    if (!earlier) {
      return optional
        ? [change('minor', `the optional tool \`${name}\` is new`, span)]
        : [change('major', `the tool \`${name}\` is new and required`, span)];
    }
    if (earlier.optional === optional) return [];
    return optional
      ? [change('minor', `the tool \`${name}\` was required and is now optional`, span)]
      : [change('major', `the tool \`${name}\` was optional and is now required`, span)];
  });
  const gone = old.tools.filter(({ name }) => !after.has(name));
  return [
    ...kept,
    ...gone.flatMap(({ name }) => (place ? [change('minor', `the tool \`${name}\` was removed`, place)] : [])),
  ];
}

export type Bump = 'major' | 'minor' | 'patch';

/** A change to a contract since a baseline (docs/format.md, section 4, "Breaking changes"). */
export interface ContractChange {
  readonly bump: Bump;
  /** The path in the contract: `output_schema.slug`, `effects`. */
  readonly path: string;
  /** A clause without a period: `the output slug was removed`. */
  readonly message: string;
  /** The span in the new file; for a removed part, the key or the name of the skill. */
  readonly span: Span;
}

/** The change to a field's type between two versions of a contract. */
interface TypeChange {
  /** True if some values were valid before and are invalid now. */
  readonly isNarrowed: boolean;
  /** True if some values were invalid before and are valid now. */
  readonly isWidened: boolean;
  /** The predicate of a sentence: "was `string` and is now `integer`". */
  readonly words: string;
}

const NONE: TypeChange = { isNarrowed: false, isWidened: false, words: '' };

/** Compares the types of a field. Types that cannot be compared count as unchanged. */
function typeChange(
  old: SchemaEntry | undefined,
  before: SchemaField,
  now: SchemaEntry | undefined,
  after: SchemaField,
  extent: ProducerValues,
): TypeChange {
  if (!old || !now) return NONE;
  const [from, to] = [partOf(old, before), partOf(now, after)];
  const narrowing = compareTypes(from, to, extent);
  const widening = compareTypes(to, from, extent);
  const clashes = [narrowing, widening].flatMap((verdict) => (verdict.kind === 'clash' ? verdict.clashes : []));
  const [first] = clashes;
  if (!first) return NONE;
  const labels = [boundedLabel(from.json, from.root), boundedLabel(to.json, to.root)];
  // Two maps with different fields have the same label, `object`.
  const inner = first.path.map((step) => (step === '[]' ? '[]' : `.${step}`)).join('');
  const words =
    labels[0] === labels[1]
      ? `has changed at \`${before.name}${inner}\``
      : `was \`${labels[0]}\` and is now \`${labels[1]}\``;
  return { isNarrowed: narrowing.kind === 'clash', isWidened: widening.kind === 'clash', words };
}

const partOf = ({ schema }: SchemaEntry, { json }: SchemaField): SchemaPart => ({
  json,
  root: schema.json,
  dialect: schema.dialect,
});

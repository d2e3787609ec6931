/** Completion of vocabulary keys that a map does not contain yet. */
import { clientKeyTables } from '../../vocabulary/agent-skill-clients.ts';
import { nameFromUri } from '../../vocabulary/dialect.ts';
import { alternatives, type Format, findKey, type KeySpec, type KeyTable, type Shape } from '../../vocabulary/shape.ts';
import { NAME_PATTERN, skillKeys } from '../../vocabulary/skill-keys.ts';
import { describeClientKey, describeKey, plainShape } from '../hover/describe.ts';
import { fittingKeys } from './fitting-keys.ts';
import { type Cursor, Kind, literal, type Proposal, Rank } from './proposal.ts';
import { columnAt, hasColon, type YamlCursor } from './yaml-place.ts';

export function keyProposals(cursor: YamlCursor, shape: Extract<Shape, { kind: 'map' }>): Proposal[] {
  const { file, place } = cursor;
  const { keys: table } = shape;
  const { needed, unfit } = fittingKeys(cursor, shape);
  const present = new Set(place.siblings.map((name) => findKey(table, name)?.name ?? name));
  const isRoot = place.path.length === 0;
  // A contract has no templates, so `framing` cannot refer to a template.
  if (isRoot && file.dialect === 'contract') present.add('framing');
  const isBare = hasColon(cursor) || cursor.quote !== '';
  const layout = { column: columnAt(cursor), flow: place.flow };
  const insertOf = (key: KeySpec): Partial<Proposal> => {
    const preset = isRoot && key.name === 'name' ? nameOfFile(cursor) : undefined;
    if (isBare) return {};
    const insert = keySkeleton(key, layout, preset);
    return { insert, isSnippet: true, opensNext: startsEmpty(insert) && offersWords(key.shape) };
  };
  const isCommon = (name: string): boolean => table === skillKeys && COMMON_KEYS.includes(name);
  const common = COMMON_KEYS.flatMap((name) => table.filter((key) => key.name === name && isCommon(name)));
  return [...common, ...table.filter(({ name }) => !isCommon(name))]
    .filter(({ name, isOlder }) => !isOlder && !present.has(name) && !unfit.has(name))
    .map((key) => ({
      label: key.name,
      kind: Kind.Property,
      detail: plainShape(key.shape),
      docs: (_, { dialect }) => describeKey(key, dialect),
      rank: key.mandatory || needed.has(key.name) ? Rank.demanded : isCommon(key.name) ? Rank.near : Rank.known,
      ...insertOf(key),
    }));
}

/** The optional keys that most skills have, in the order in which authors write them. */
const COMMON_KEYS: readonly string[] = [
  'output_schema',
  'tools',
  'samples',
  'composes',
  'execution',
  'interrupts',
  'trigger_phrases',
];

/** Returns the skill name that matches the file name, or the folder name of a `SKILL.md`. */
export function nameOfFile({ file: { uri } }: Cursor): string | undefined {
  const name = nameFromUri(uri);
  return NAME_PATTERN.test(name) ? name : undefined;
}

/** Returns the keys that some clients add to the Agent Skills standard, without duplicates. */
export function clientKeyProposals(cursor: YamlCursor, standard: KeyTable): Proposal[] {
  const taken = new Set([...cursor.place.siblings, ...standard.map(({ name }) => name)]);
  const isBare = hasColon(cursor) || cursor.quote !== '';
  return [...clientsByKey()]
    .filter(([name]) => !taken.has(name))
    .map(([name, clients]) => ({
      label: name,
      kind: Kind.Property,
      detail: `only ${clients.join(', ')}`,
      docs: () => describeClientKey(name),
      rank: Rank.rest,
      insert: isBare ? undefined : `${name}: `,
    }));
}

/** Returns the keys that clients add, each with the clients that support it. */
function clientsByKey(): ReadonlyMap<string, readonly string[]> {
  const clients = new Map<string, string[]>();
  for (const { client, keys } of clientKeyTables) {
    for (const { name } of keys) clients.set(name, [...(clients.get(name) ?? []), client]);
  }
  return clients;
}

interface Layout {
  /** The column of the key. */
  readonly column: number;
  readonly flow: boolean;
}

/** Returns the snippet `name: value` with tab stops. `preset` is the value, if it is already known. */
function keySkeleton(key: KeySpec, layout: Layout, preset?: string): string {
  const stops = { next: 1 };
  return `${key.name}:${preset === undefined ? skeletonOf(key.shape, layout, stops) : ` \${1:${literal(preset)}}`}`;
}

/** Returns whether the first tab stop is empty. */
const startsEmpty = (snippet: string): boolean => /\$1(?!\d)/.test(snippet);

/**
 * Returns whether completion has proposals for the value or for the first list item. A choice needs no proposals,
 * because its snippet lists the values.
 */
function offersWords(shape: Shape): boolean {
  const [first] = alternatives(shape);
  switch (first?.kind) {
    case 'list':
      return alternatives(first.items).some((item) => item.kind === 'choice' || offersWords(item));
    case 'map':
      return true;
    case 'string':
      return first.domain !== undefined || first.offers !== undefined || OFFERED.has(first.format);
    default:
      return false;
  }
}

const OFFERED: ReadonlySet<Format | undefined> = new Set<Format>(['semver-range', 'spdx', 'condition']);

interface Stops {
  next: number;
}

const stop = (stops: Stops, text = ''): string => {
  const number = stops.next++;
  return text === '' ? `$${number}` : `\${${number}:${text}}`;
};

/** Returns the skeleton of a value, including the space or line break before it. */
function skeletonOf(shape: Shape, layout: Layout, stops: Stops): string {
  const [first] = alternatives(shape);
  if (!first) return ' ';
  if (layout.flow) return ` ${inFlow(first, stops)}`;
  const below = `\n${' '.repeat(layout.column + 2)}`;
  const deeper = { ...layout, column: layout.column + 2 };
  switch (first.kind) {
    case 'map':
      return below + mapOf(first.keys, deeper, stops);
    case 'record':
      return `${below}${stop(stops, 'name')}:${skeletonOf(first.values, deeper, stops)}`;
    case 'schema':
      return `${below}${stop(stops, 'name')}: ${stop(stops, 'string')}`;
    case 'list':
      return listOf(first.items, layout, stops);
    default:
      return ` ${inFlow(first, stops)}`;
  }
}

/** Returns the skeleton of a list, with plain words on one line and maps on separate lines. */
function listOf(items: Shape, { column, flow }: Layout, stops: Stops): string {
  const options = alternatives(items);
  const map = options.find((option) => option.kind === 'map');
  if (!map) return ` [${stop(stops)}]`;
  const dash = `\n${' '.repeat(column + 2)}- `;
  // If both names and maps are allowed, names are more common.
  if (options.some(({ kind }) => kind === 'string')) return dash + stop(stops);
  return dash + mapOf(map.keys, { column: column + 4, flow }, stops);
}

function mapOf(keys: readonly KeySpec[], layout: Layout, stops: Stops): string {
  const mandatory = keys.filter((key) => key.mandatory);
  const shown = mandatory.length > 0 ? mandatory : keys.filter(({ name }) => name === 'step').slice(0, 1);
  if (shown.length === 0) return stop(stops);
  return shown
    .map(({ name, shape }) => `${name}:${skeletonOf(shape, layout, stops)}`)
    .join(`\n${' '.repeat(layout.column)}`);
}

function inFlow(shape: Shape, stops: Stops): string {
  switch (shape.kind) {
    case 'list':
      return `[${stop(stops)}]`;
    case 'map':
    case 'record':
    case 'schema':
      return `{${stop(stops)}}`;
    case 'boolean':
      return `\${${stops.next++}|true,false|}`;
    case 'choice':
      return `\${${stops.next++}|${shape.choices.map(({ value }) => value).join(',')}|}`;
    case 'string':
      return stop(stops, shape.format === 'semver' ? '1.0.0' : '');
    default:
      return stop(stops);
  }
}

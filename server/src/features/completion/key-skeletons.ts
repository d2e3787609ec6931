/** What stands behind a key's colon once the key is accepted: a value's skeleton as a snippet. */
import type { Format, KeySpec, Shape } from '../../vocabulary/shape.ts';
import { alternatives } from '../../vocabulary/shape.ts';
import { literal } from './proposal.ts';

interface Layout {
  /** The column of the key. */
  readonly column: number;
  readonly flow: boolean;
}

/** `name: value`, with tab stops. `preset` is a value that is known already. */
export function keySkeleton(key: KeySpec, layout: Layout, preset?: string): string {
  const stops = { next: 1 };
  return `${key.name}:${preset === undefined ? skeletonOf(key.shape, layout, stops) : ` \${1:${literal(preset)}}`}`;
}

/** Whether the first tab stop holds nothing yet. */
export const startsEmpty = (snippet: string): boolean => /\$1(?!\d)/.test(snippet);

/** Whether words are known for the value, or for the first item of a list; a choice shows its own. */
export function offersWords(shape: Shape): boolean {
  const [first] = alternatives(shape);
  switch (first?.kind) {
    case 'list':
      return alternatives(first.items).some((item) => item.kind === 'choice' || offersWords(item));
    case 'map':
      return true;
    case 'string':
      return first.domain !== undefined || OFFERED.has(first.format);
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

/** The blank or line break in front included. */
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

/** A list of plain words on one line, a list of maps on lines of its own. */
function listOf(items: Shape, { column, flow }: Layout, stops: Stops): string {
  const options = alternatives(items);
  const map = options.find((option) => option.kind === 'map');
  if (!map) return ` [${stop(stops)}]`;
  const dash = `\n${' '.repeat(column + 2)}- `;
  // Where names and maps are allowed, a name is more common.
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

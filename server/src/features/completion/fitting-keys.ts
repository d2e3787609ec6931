/** Compares a map with its shape: finds the keys that its values require, and the keys that would cause a finding. */
import { findValue, nodeAt, stringOf } from '../../languages/yaml/node.ts';
import { findKey, type Shape } from '../../vocabulary/shape.ts';
import type { YamlCursor } from './yaml-place.ts';

type MapShape = Extract<Shape, { kind: 'map' }>;

export interface FittingKeys {
  /** The keys of which the map needs one. */
  readonly needed: ReadonlySet<string>;
  /** The keys that conflict with the keys and values of the map. */
  readonly unfit: ReadonlySet<string>;
}

/** Compares the map at the cursor with its shape. Never throws. */
export function fittingKeys({ tree, place }: YamlCursor, { keys, needs = [], forms = [] }: MapShape): FittingKeys {
  const map = nodeAt(tree.root, place.path);
  const textOf = (name: string): string | undefined => stringOf(findValue(map, name));
  const present = place.siblings.map((name) => findKey(keys, name)?.name ?? name);
  const needed: string[] = [];
  const unfit: string[] = [];
  const used = needs.filter(({ key, unless }) => textOf(key) !== undefined && !(unless && present.includes(unless)));
  const own = used.filter(({ key, value }) => textOf(key) === value);
  const fits = own.flatMap(({ oneOf, also = [] }) => [...oneOf, ...also]);
  const isChosen = used.length === 0 || own.length > 0;
  // Without the key that selects the other ones, no other one fits.
  if (isChosen) unfit.push(...needs.flatMap(({ oneOf, also = [] }) => [...oneOf, ...also]));
  for (const { oneOf } of own) if (!oneOf.some((name) => present.includes(name))) needed.push(...oneOf);
  for (const { name, with: wanted } of keys) {
    if (wanted) (textOf(wanted[0]) === wanted[1] ? needed : unfit).push(name);
  }
  const known = present.filter((name) => forms.some((form) => form.includes(name)));
  const possible = forms.filter((form) => known.every((name) => form.includes(name)));
  if (possible.length > 0) unfit.push(...forms.flat().filter((name) => !possible.some((form) => form.includes(name))));
  return { needed: new Set(needed), unfit: new Set(unfit.filter((name) => !fits.includes(name))) };
}

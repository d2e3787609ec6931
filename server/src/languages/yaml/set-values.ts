/** Changes the values of a YAML map. Edits only the lines of values that differ. */
import { applyEdits, type Span, type TextEdit } from '../../text.ts';
import {
  appendItem,
  type EntryPosition,
  formatJson,
  insertEntry,
  moveItemUp,
  removeEntry,
  removeItem,
  setScalar,
} from './edit.ts';
import { asJson, isEqualJson, isObject, type JsonObject } from './json-values.ts';
import { findEntry, type Json, jsonOf, setProperty, type YamlMap, type YamlNode } from './node.ts';
import { formatBlock } from './quote.ts';

/**
 * The location of a map in a string: its tree, and the span where the first entry is inserted if there is no map yet.
 */
export interface MapLocation {
  readonly root: YamlNode | undefined;
  readonly content: Span;
}

export interface SetValues {
  readonly text: string;
  /** The keys whose values were not written. */
  readonly unwritten: readonly string[];
}

/** The maximum number of edit steps for one value. A value that needs more steps is replaced as a whole. */
const MAX_STEPS = 200;

/**
 * Returns the text after its map is set to the values `wanted`; other keys are removed. `read` finds the map in a
 * string. A change is dropped if reading the changed text does not return the new value. Never throws unless `read`
 * does.
 */
export function setValues(
  text: string,
  wanted: JsonObject,
  read: (text: string) => MapLocation | undefined,
): SetValues {
  const before = valuesIn(text, read);
  if (!before) return { text, unwritten: Object.keys(wanted) };
  const left: string[] = [];
  let now = text;
  for (const key of new Set([...Object.keys(before), ...Object.keys(wanted)])) {
    const value = Object.hasOwn(wanted, key) ? wanted[key] : undefined;
    if (isEqualJson(Object.hasOwn(before, key) ? before[key] : undefined, value)) continue;
    const next = setKey(now, key, value, { read, where: whereOf(wanted, key) });
    if (next === undefined) left.push(key);
    else now = next;
  }
  return { text: now, unwritten: left };
}

interface Setting {
  readonly read: (text: string) => MapLocation | undefined;
  readonly where: EntryPosition;
}

/** Returns the text in which only the value of the key is changed; undefined if no edit achieves that. */
function setKey(text: string, key: string, value: Json | undefined, { read, where }: Setting): string | undefined {
  const before = valuesIn(text, read);
  const goal = before && withKey(before, key, value);
  const isReached = (next: string | undefined): next is string => {
    const values = next === undefined ? undefined : valuesIn(next, read);
    return values !== undefined && goal !== undefined && isEqualJson(values, goal);
  };
  const [small, whole] = [
    () => inSteps(text, key, value, { read, where }),
    () => removedThenAdded(text, key, value, { read, where }),
  ];
  const first = small();
  if (isReached(first)) return first;
  const second = whole();
  return isReached(second) ? second : undefined;
}

function withKey(values: JsonObject, key: string, value: Json | undefined): JsonObject {
  const next: Record<string, Json> = {};
  for (const [name, old] of Object.entries(values)) if (name !== key) setProperty(next, name, old);
  if (value !== undefined) setProperty(next, key, value);
  return next;
}

function inSteps(text: string, key: string, value: Json | undefined, { read, where }: Setting): string | undefined {
  let now = text;
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    const place = read(now);
    if (!place) return undefined;
    const map = place.root;
    const entry = findEntry(map, key);
    if (value === undefined) return map?.kind === 'map' ? changed(now, removeEntry(now, map, key)) : undefined;
    if (!entry) return added(now, place, key, value, where);
    if (isEqualJson(asJson(jsonOf(entry.value)), value)) return now;
    const next = changed(now, stepTowards(now, { map: map as YamlMap, key }, entry.value, value));
    if (next === undefined) return undefined;
    now = next;
  }
  return undefined;
}

function removedThenAdded(text: string, key: string, value: Json | undefined, { read, where }: Setting) {
  const root = read(text)?.root;
  if (root?.kind !== 'map' || value === undefined) return undefined;
  const names = root.entries.map(({ key: { value: name } }) => String(name));
  const at = names.indexOf(key);
  const [after, before] = [names[at - 1], names[at + 1]];
  const own = at < 0 ? where : { ...(after !== undefined && { after }), ...(before !== undefined && { before }) };
  const without = at < 0 ? text : changed(text, removeEntry(text, root, key));
  const place = without === undefined ? undefined : read(without);
  return without !== undefined && place ? added(without, place, key, value, own) : undefined;
}

const changed = (text: string, edits: readonly TextEdit[]): string | undefined =>
  edits.length === 0 ? undefined : applyEdits(text, edits);

function added(
  text: string,
  { root, content }: MapLocation,
  key: string,
  value: Json,
  where: EntryPosition,
): string | undefined {
  if (root && root.kind !== 'map' && !(root.kind === 'scalar' && root.value === null)) return undefined;
  const isFlow = root?.kind === 'map' && root.flow;
  const target = root?.kind === 'map' && root.entries.length > 0 ? root : isFlow ? root : content;
  return changed(text, insertEntry(text, target, key, isFlow ? formatJson(value) : formatBlock(value), where));
}

/** Returns the position of a new key, which is after the key that precedes it in `wanted`. */
function whereOf(wanted: JsonObject, key: string): EntryPosition {
  const names = Object.keys(wanted);
  const after = names[names.indexOf(key) - 1];
  return after === undefined ? {} : { after };
}

/**
 * Returns edits that make the value of `node` more similar to `value`; no edits if `node` can only be replaced as a
 * whole.
 */
function stepTowards(
  text: string,
  owner: { readonly map: YamlMap; readonly key: string },
  node: YamlNode,
  value: Json,
): readonly TextEdit[] {
  if (node.kind === 'scalar') {
    return typeof value === 'object' && value !== null ? [] : setScalar(text, node, value as string | number | null);
  }
  if (node.kind === 'map') return isObject(value) ? stepInMap(text, node, value) : [];
  if (!Array.isArray(value)) return [];
  const items = value as readonly Json[];
  const now = node.items.map((item) => asJson(jsonOf(item)));
  const at = now.findIndex((item, i) => !isEqualJson(item, items[i]));
  const differs = at < 0 ? undefined : node.items[at];
  if (items.length < now.length) return removeItem(text, node, at < 0 ? now.length - 1 : at);
  const next = items[differs ? at : now.length] as Json;
  if (differs) {
    const later = now.findIndex((item, i) => i > at && isEqualJson(item, next));
    const moved = moveItemUp(text, node, later, at);
    if (moved.length > 0) return moved;
    // An item that is inserted between other items is first appended; the next step moves the item up.
    const isNew = items.length > now.length && items.slice(at + 1).some((item) => isEqualJson(item, now[at]));
    if (!isNew) return stepTowards(text, owner, differs, next);
  }
  return appendItem(text, owner.map, owner.key, formatJson(next));
}

function stepInMap(text: string, map: YamlMap, value: JsonObject): readonly TextEdit[] {
  const gone = map.entries.find(({ key }) => !Object.hasOwn(value, String(key.value)));
  if (gone) return removeEntry(text, map, String(gone.key.value));
  for (const [key, wanted] of Object.entries(value)) {
    const entry = findEntry(map, key);
    if (!entry) {
      return insertEntry(text, map, key, map.flow ? formatJson(wanted) : formatBlock(wanted), whereOf(value, key));
    }
    if (!isEqualJson(asJson(jsonOf(entry.value)), wanted)) return stepTowards(text, { map, key }, entry.value, wanted);
  }
  return [];
}

/** Returns the values of the map; undefined if it cannot be parsed or is not a map. */
function valuesIn(text: string, read: Setting['read']): JsonObject | undefined {
  const place = read(text);
  if (!place) return undefined;
  const value = asJson(jsonOf(place.root));
  if (value === null) return {};
  return isObject(value) ? value : undefined;
}

/**
 * Gives a value in YAML another one by the smallest edits: equal parts stay as they are written, with their comments and
 * their order. The text is edited step by step, and read again after each.
 */
import { canonical, isObject } from '../languages/schema/schema.ts';
import { formatBlock } from '../languages/yaml/block.ts';
import { appendItem, formatJson, insertEntry, setScalar } from '../languages/yaml/edit.ts';
import {
  findEntry,
  findValue,
  type Json,
  jsonOf,
  nodeAt,
  type YamlList,
  type YamlMap,
  type YamlNode,
} from '../languages/yaml/node.ts';
import { removeEntry, removeItem } from '../languages/yaml/remove.ts';
import { applyEdits, type TextEdit } from '../text.ts';

/** Finds the map that is edited in a text, also in one that was edited. */
export type FindRoot = (text: string) => YamlNode | undefined;

type Path = readonly (string | number)[];

/** The text with `wanted` at a path that is there. Undefined where no edit can write it. */
export function changeValue(text: string, find: FindRoot, path: Path, wanted: Json): string | undefined {
  const changed = changeParts(text, find, path, wanted);
  if (changed !== undefined && holds(changed, find, path, wanted)) return changed;
  const replaced = replaceEntry(text, find, path, wanted);
  return replaced !== undefined && holds(replaced, find, path, wanted) ? replaced : undefined;
}

/** A value behind its key: lists of plain values on one line, everything else in a block. */
export const writtenValue = (value: Json): string =>
  Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null)
    ? formatJson(value)
    : formatBlock(value);

function holds(text: string, find: FindRoot, path: Path, wanted: Json): boolean {
  const node = nodeAt(find(text), path);
  return node !== undefined && canonical(jsonOf(node)) === canonical(wanted);
}

function changeParts(text: string, find: FindRoot, path: Path, wanted: Json): string | undefined {
  const node = nodeAt(find(text), path);
  if (!node) return undefined;
  if (canonical(jsonOf(node)) === canonical(wanted)) return text;
  if (node.kind === 'scalar' && (typeof wanted !== 'object' || wanted === null)) {
    return edited(text, setScalar(text, node, wanted));
  }
  if (node.kind === 'map' && isObject(wanted) && Object.keys(wanted).length > 0) {
    return changeMap(text, find, path, node, wanted);
  }
  if (node.kind === 'list' && Array.isArray(wanted) && wanted.length > 0) {
    return changeList(text, find, path, node, wanted);
  }
  return replaceEntry(text, find, path, wanted);
}

function changeMap(
  text: string,
  find: FindRoot,
  path: Path,
  { entries }: YamlMap,
  wanted: { readonly [key: string]: Json },
): string | undefined {
  let current: string | undefined = text;
  for (const [key, value] of Object.entries(wanted)) {
    const map: YamlNode | undefined = current === undefined ? undefined : nodeAt(find(current), path);
    if (current === undefined || map?.kind !== 'map') return undefined;
    current = findValue(map, key)
      ? changeParts(current, find, [...path, key], value)
      : edited(current, insertEntry(current, map, key, map.flow ? formatJson(value) : writtenValue(value)));
  }
  for (const { key } of entries) {
    const name = String(key.value);
    if (Object.hasOwn(wanted, name)) continue;
    const map: YamlNode | undefined = current === undefined ? undefined : nodeAt(find(current), path);
    if (current === undefined || map?.kind !== 'map') return undefined;
    current = edited(current, removeEntry(current, map, name));
  }
  return current;
}

function changeList(
  text: string,
  find: FindRoot,
  path: Path,
  { items, flow }: YamlList,
  wanted: readonly Json[],
): string | undefined {
  if (flow) return replaceEntry(text, find, path, wanted);
  let current: string | undefined = text;
  for (const [at, value] of wanted.entries()) {
    if (current === undefined) return undefined;
    current =
      at < items.length ? changeParts(current, find, [...path, at], value) : appended(current, find, path, value);
  }
  for (let at = items.length - 1; at >= wanted.length; at--) {
    const list: YamlNode | undefined = current === undefined ? undefined : nodeAt(find(current), path);
    if (current === undefined || list?.kind !== 'list') return undefined;
    current = edited(current, removeItem(current, list, at));
  }
  return current;
}

function appended(text: string, find: FindRoot, path: Path, value: Json): string | undefined {
  const map = nodeAt(find(text), path.slice(0, -1));
  const key = path.at(-1);
  return map?.kind === 'map' && typeof key === 'string'
    ? edited(text, appendItem(text, map, key, formatJson(value)))
    : undefined;
}

/** Writes the whole value anew: in a block map below its key, anywhere else on its line. */
function replaceEntry(text: string, find: FindRoot, path: Path, wanted: Json): string | undefined {
  const node = nodeAt(find(text), path);
  if (!node) return undefined;
  const { start, end } = node.span;
  const inline = () =>
    applyEdits(text, [{ span: node.span, newText: `${start === end ? ' ' : ''}${formatJson(wanted)}` }]);
  const map = nodeAt(find(text), path.slice(0, -1));
  const key = path.at(-1);
  const isShort = node.kind !== 'scalar' && node.flow;
  if (map?.kind !== 'map' || map.flow || typeof key !== 'string' || isShort) return inline();
  const at = map.entries.findIndex((entry) => String(entry.key.value) === key);
  const [before, after] = [map.entries[at - 1], map.entries[at + 1]];
  const without = before || after ? edited(text, removeEntry(text, map, key)) : undefined;
  const rest = without === undefined ? undefined : nodeAt(find(without), path.slice(0, -1));
  if (without === undefined || rest?.kind !== 'map') return inline();
  const where = before ? { after: String(before.key.value) } : after ? { before: String(after.key.value) } : {};
  return edited(without, insertEntry(without, rest, key, writtenValue(wanted), where));
}

/** Undefined where there is no edit: it was not possible. */
const edited = (text: string, edits: readonly TextEdit[]): string | undefined =>
  edits.length > 0 ? applyEdits(text, edits) : undefined;

/** The text without an entry of a map. Undefined where no edit takes it away. */
export function withoutEntry(text: string, find: FindRoot, path: readonly string[], key: string): string | undefined {
  const map = nodeAt(find(text), path);
  return map?.kind === 'map' && findEntry(map, key) ? edited(text, removeEntry(text, map, key)) : text;
}

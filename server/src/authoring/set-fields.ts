/** Changes fields of the frontmatter (docs/mcp.md, "update_skill"). */
import { canonical, isObject } from '../languages/schema/schema.ts';
import type { KeyPath } from '../languages/yaml/cursor.ts';
import { appendItem, formatJson, insertEntry, removeEntry, removeItem, setScalar } from '../languages/yaml/edit.ts';
import { isUnclosed } from '../languages/yaml/frontmatter.ts';
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
import { MAX_YAML_LENGTH } from '../languages/yaml/parse.ts';
import { formatBlock } from '../languages/yaml/quote.ts';
import { inWords } from '../nearest.ts';
import { findSkillEntry } from '../skill/contract.ts';
import { insertKey } from '../skill/insert-key.ts';
import { SkillFile } from '../skill/skill-file.ts';
import { applyEdits, type TextEdit } from '../text.ts';
import { isRefused, type Refusal, type Rewriting, refusal } from './refusal.ts';

export type Fields = Readonly<Record<string, Json>>;

/** Sets and removes top-level keys. The other keys stay unchanged. */
export function setFields(file: SkillFile, set: Fields, unset: readonly string[]): Rewriting {
  const problem = problemOf(file, set, unset);
  if (problem) return problem;
  let text = file.text;
  for (const [key, value] of Object.entries(set)) {
    const next = setKey(file.uri, text, key, value);
    if (isRefused(next)) return next;
    text = next.text;
  }
  for (const key of unset) {
    const own = findSkillEntry(rootOf(file.uri)(text), key)?.key.value;
    const next = own === undefined ? text : withoutEntry(text, rootOf(file.uri), [], String(own));
    if (next === undefined) return cannotEdit(key);
    text = next;
  }
  return hasOnlyChanged(file, text, set, unset) ? { text } : cannotEdit(inWords(Object.keys(set), 'and'));
}

/** Returns a function that parses the frontmatter of a string. */
const rootOf = (uri: string) => (text: string) => new SkillFile(uri, text).frontmatter.tree.root;

/** Refuses values that make the YAML too long to be parsed again. */
export const tooLong = (values: Fields): Refusal | undefined =>
  JSON.stringify(values).length > MAX_YAML_LENGTH
    ? refusal(
        'invalid-content',
        `The limit for YAML is ${MAX_YAML_LENGTH.toLocaleString('en-US')} characters. Move long text to the body.`,
      )
    : undefined;

function problemOf({ frontmatter, dialect }: SkillFile, set: Fields, unset: readonly string[]): Refusal | undefined {
  if (set.source === 'marketplace') {
    return refusal('reserved-source', 'The source `marketplace` is reserved. Use `user` or `imported`.');
  }
  if (frontmatter.tree.broken || isUnclosed(frontmatter)) {
    return refusal('not-editable', 'The frontmatter does not parse. Fix its YAML first, for example with `apply_fix`.');
  }
  if (!frontmatter.open && dialect !== 'contract') {
    return refusal('not-editable', 'The file has no frontmatter. Add it before you set keys.');
  }
  const both = unset.filter((key) => Object.hasOwn(set, key));
  if (both.length === 0) return tooLong(set);
  return refusal(
    'invalid-argument',
    `\`set\` and \`unset\` both contain ${inWords(both, 'and')}. Use only one of the two.`,
  );
}

function setKey(uri: string, text: string, key: string, value: Json): Rewriting {
  const file = new SkillFile(uri, text);
  const entry = findSkillEntry(file.frontmatter.tree.root, key);
  if (entry) {
    const changed = changeValue(text, rootOf(uri), [String(entry.key.value)], value);
    return changed === undefined ? cannotEdit(key) : { text: changed };
  }
  const edits = insertKey(file, key, writtenValue(value));
  return edits.length === 0 ? cannotEdit(key) : { text: applyEdits(text, edits) };
}

const cannotEdit = (key: string): Refusal => {
  const quoted = key.startsWith('`') ? key : `\`${key}\``;
  return refusal('not-editable', `${quoted} cannot be changed automatically in this YAML. Edit the file directly.`);
};

/** Returns true if the named keys have the wanted values, and all other keys are unchanged. */
function hasOnlyChanged(before: SkillFile, text: string, set: Fields, unset: readonly string[]): boolean {
  const after = new SkillFile(before.uri, text);
  if (after.frontmatter.tree.broken) return false;
  const root = after.frontmatter.tree.root;
  const isSet = Object.entries(set).every(([key, value]) => {
    const entry = findSkillEntry(root, key);
    return entry && canonical(jsonOf(entry.value)) === canonical(value);
  });
  const named = [...Object.keys(set), ...unset];
  return isSet && canonical(without(before, named)) === canonical(without(after, named));
}

function without({ frontmatter }: SkillFile, keys: readonly string[]): Json {
  const { root } = frontmatter.tree;
  const json = jsonOf(root);
  if (!isObject(json)) return {};
  const own = new Set(keys.map((key) => String(findSkillEntry(root, key)?.key.value)));
  return Object.fromEntries(Object.entries(json).filter(([key]) => !own.has(key)));
}

// Replaces a YAML value with the smallest edits: equal parts keep their text, comments and order. The text is edited in
// steps, and parsed again after each step.

/** Parses a string, such as the text after an edit, and returns the root node of its YAML. */
type FindRoot = (text: string) => YamlNode | undefined;

/** Returns the text with `wanted` at an existing path; undefined if no edit can write it. */
export function changeValue(text: string, find: FindRoot, path: KeyPath, wanted: Json): string | undefined {
  const changed = changeParts(text, find, path, wanted);
  if (changed !== undefined && hasValue(changed, find, path, wanted)) return changed;
  const replaced = replaceEntry(text, find, path, wanted);
  return replaced !== undefined && hasValue(replaced, find, path, wanted) ? replaced : undefined;
}

/** Returns the YAML for the value of a key, with lists of scalars on one line and all other values in a block. */
const writtenValue = (value: Json): string =>
  Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null)
    ? formatJson(value)
    : formatBlock(value);

function hasValue(text: string, find: FindRoot, path: KeyPath, wanted: Json): boolean {
  const node = nodeAt(find(text), path);
  return node !== undefined && canonical(jsonOf(node)) === canonical(wanted);
}

function changeParts(text: string, find: FindRoot, path: KeyPath, wanted: Json): string | undefined {
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
  path: KeyPath,
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
  path: KeyPath,
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

function appended(text: string, find: FindRoot, path: KeyPath, value: Json): string | undefined {
  const map = nodeAt(find(text), path.slice(0, -1));
  const key = path.at(-1);
  return map?.kind === 'map' && typeof key === 'string'
    ? edited(text, appendItem(text, map, key, formatJson(value)))
    : undefined;
}

/** Replaces the whole value with a block below its key in a block map, and with an inline value elsewhere. */
function replaceEntry(text: string, find: FindRoot, path: KeyPath, wanted: Json): string | undefined {
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

/** Applies edits; undefined if the list is empty, because the edit was not possible. */
const edited = (text: string, edits: readonly TextEdit[]): string | undefined =>
  edits.length > 0 ? applyEdits(text, edits) : undefined;

/** Returns the text without an entry of a map; undefined if no edit can remove it. */
function withoutEntry(text: string, find: FindRoot, path: readonly string[], key: string): string | undefined {
  const map = nodeAt(find(text), path);
  return map?.kind === 'map' && findEntry(map, key) ? edited(text, removeEntry(text, map, key)) : text;
}

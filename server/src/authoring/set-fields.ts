/** Changes of the frontmatter, field by field (docs/mcp.md, "update_skill"). */
import { canonical, isObject } from '../languages/schema/schema.ts';
import { isUnclosed } from '../languages/yaml/frontmatter.ts';
import { type Json, jsonOf } from '../languages/yaml/node.ts';
import { MAX_YAML_LENGTH } from '../languages/yaml/parse.ts';
import { inWords } from '../nearest.ts';
import { insertKey } from '../rules/common/insert-key.ts';
import { findSkillEntry } from '../skill/contract.ts';
import { SkillFile } from '../skill/skill-file.ts';
import { applyEdits } from '../text.ts';
import { changeValue, withoutEntry, writtenValue } from './change-value.ts';
import { isRefused, type Refusal, type Rewriting, refusal } from './refusal.ts';

export type Fields = Readonly<Record<string, Json>>;

/** Sets and removes top-level keys; what is not named stays as it is written. */
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
  return isWhatWasMeant(file, text, set, unset) ? { text } : cannotEdit(inWords(Object.keys(set), 'and'));
}

/** The frontmatter as the text has it. */
const rootOf = (uri: string) => (text: string) => new SkillFile(uri, text).frontmatter.tree.root;

/** Values that make YAML too long to be read again. */
export const tooLong = (values: Fields): Refusal | undefined =>
  JSON.stringify(values).length > MAX_YAML_LENGTH
    ? refusal(
        'invalid-content',
        `YAML has at most ${MAX_YAML_LENGTH.toLocaleString('en-US')} characters: write a long text into the body.`,
      )
    : undefined;

function problemOf({ frontmatter, dialect }: SkillFile, set: Fields, unset: readonly string[]): Refusal | undefined {
  if (set.source === 'marketplace') {
    return refusal('reserved-source', 'The source `marketplace` is reserved: use `user` or `imported`.');
  }
  if (frontmatter.tree.broken || isUnclosed(frontmatter)) {
    return refusal('not-editable', 'The frontmatter does not parse: fix its YAML first, by `apply_fix` or by hand.');
  }
  if (!frontmatter.open && dialect !== 'contract') {
    return refusal('not-editable', 'The file has no frontmatter, so no key can be set: write it first.');
  }
  const both = unset.filter((key) => Object.hasOwn(set, key));
  if (both.length === 0) return tooLong(set);
  return refusal('invalid-argument', `${inWords(both, 'and')} is to be set and removed at once: choose one.`);
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

const cannotEdit = (key: string): Refusal =>
  refusal(
    'not-editable',
    `The frontmatter is written so that no small edit changes ${key.startsWith('`') ? key : `\`${key}\``}: edit it by hand.`,
  );

/** Whether the named keys have the wanted values, and all others those from before. */
function isWhatWasMeant(before: SkillFile, text: string, set: Fields, unset: readonly string[]): boolean {
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

/** Enables or disables a skill with the smallest edit to its catalog (docs/format.md, section 6, "Permissions"). */
import { formatScalar, insertEntry, isAliased, removeEntry, setScalar } from '../languages/yaml/edit.ts';
import { findEntry, findValue, listItems, type YamlMap, type YamlNode } from '../languages/yaml/node.ts';
import { SkillFile } from '../skill/skill-file.ts';
import { applyEdits, type TextEdit } from '../text.ts';
import { isDisabled, permissionOf, readPermissions } from './may-use.ts';

type Edits = readonly TextEdit[];

/**
 * Returns the edits to a catalog that enable or disable the skill named `skill` (docs/format.md, section 6,
 * "Permissions"). The result is empty if the skill already has this state, if the catalog does not parse, or if no
 * small edit is possible.
 */
export function setEnabled(catalog: SkillFile, skill: string, enabled: boolean): Edits {
  if (catalog.frontmatter.tree.broken || isEnabled(catalog, skill) === enabled) return [];
  // Undoes an earlier edit for the opposite state if there is one, so that two changes restore the original text.
  const undoing = undoCandidates(catalog, skill).find(
    (edits) =>
      changesOnly(catalog, edits, skill, enabled) &&
      isUndoneBy(after(catalog, edits), catalog.text, writeEnabled(after(catalog, edits), skill, !enabled)),
  );
  if (undoing) return undoing;
  const written = writeEnabled(catalog, skill, enabled);
  return changesOnly(catalog, written, skill, enabled) ? written : [];
}

const after = ({ uri, text }: SkillFile, edits: Edits): SkillFile => new SkillFile(uri, applyEdits(text, edits));

const isUndoneBy = (file: SkillFile, text: string, edits: Edits): boolean => applyEdits(file.text, edits) === text;

function isEnabled(catalog: SkillFile, skill: string): boolean {
  const permission = permissionOf(readPermissions(catalog), skill);
  return !permission || !isDisabled(permission);
}

/** Returns whether edits change the state of this skill and of no other skill. */
function changesOnly(catalog: SkillFile, edits: Edits, skill: string, enabled: boolean): boolean {
  const edited = after(catalog, edits);
  if (edits.length === 0 || edited.frontmatter.tree.broken || isEnabled(edited, skill) !== enabled) return false;
  return othersOf(edited, skill) === othersOf(catalog, skill);
}

/** Returns the permissions of other skills as JSON, without spans. */
const othersOf = (catalog: SkillFile, skill: string): string => {
  const { permissions, permissionsDefault } = readPermissions(catalog);
  const others = [...permissions].filter(([name]) => name !== skill);
  return JSON.stringify([...others.flat(), permissionsDefault], (key, value) => (key === 'span' ? undefined : value));
};

/** Returns the edits that write the state; no edits if the catalog's structure does not allow a small edit. */
function writeEnabled({ text, frontmatter }: SkillFile, skill: string, enabled: boolean): Edits {
  const { root, span } = frontmatter.tree;
  const whole = `{enabled: ${enabled}}`;
  const permissions = findValue(root, 'permissions');
  if (!permissions) {
    const entry = `${formatScalar(skill, true)}: ${whole}`;
    const isFlow = root?.kind === 'map' && root.flow;
    if (root?.kind === 'list') return [];
    return insertEntry(text, root ?? span, 'permissions', isFlow ? `{${entry}}` : `\n  ${entry}`);
  }
  const value = findValue(permissions, skill);
  if (!value) return permissions.kind === 'list' ? [] : insertEntry(text, permissions, skill, whole);
  if (value.kind === 'map') return writeInEntry(text, value, enabled);
  const isEmpty = value.kind === 'scalar' && value.value === null;
  return isEmpty ? insertEntry(text, value, 'enabled', String(enabled)) : replaceWith(value, whole);
}

function writeInEntry(text: string, entry: YamlMap, enabled: boolean): Edits {
  if (isAliased(text, entry)) return [];
  const written = findValue(entry, 'enabled');
  const contexts = findValue(entry, 'contexts');
  // A skill without allowed contexts is also disabled.
  const isNowhere = contexts?.kind === 'list' && listItems(contexts).length === 0;
  const opened = enabled && isNowhere ? removeEntry(text, entry, 'contexts') : [];
  if (!written) return opened.length > 0 ? opened : insertEntry(text, entry, 'enabled', String(enabled));
  const own = written.kind === 'scalar' ? setScalar(text, written, enabled) : replaceWith(written, String(enabled));
  return [...own, ...opened];
}

const replaceWith = ({ span }: YamlNode, newText: string): Edits => [{ span, newText }];

/**
 * Returns alternative edits that remove the skill's entry, the whole `permissions` map or only `enabled`; the largest
 * removal first.
 */
function undoCandidates({ text, frontmatter }: SkillFile, skill: string): readonly Edits[] {
  const { root } = frontmatter.tree;
  const permissions = findValue(root, 'permissions');
  if (root?.kind !== 'map' || permissions?.kind !== 'map') return [];
  const entry = findEntry(permissions, skill)?.value;
  return [
    ...(permissions.entries.length === 1 ? [removeEntry(text, root, 'permissions')] : []),
    removeEntry(text, permissions, skill),
    ...(entry?.kind === 'map' && entry.entries.length > 1 ? [removeEntry(text, entry, 'enabled')] : []),
  ];
}

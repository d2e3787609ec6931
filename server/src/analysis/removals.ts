/** Fixes that remove a name: an item of a list, references in prose, or a composed skill. */

import type { FileEdits, Fix } from '../finding.ts';
import { fixHere, fixIn } from '../finding.ts';
import { formatScalar, removeEntry, removeItem, setScalar } from '../languages/yaml/edit.ts';
import { findEntry, findValue, listItems, stringOf, type YamlList, type YamlNode } from '../languages/yaml/node.ts';
import type { Body } from '../skill/body.ts';
import { type ComposesEntry, findSkillEntry } from '../skill/contract.ts';
import type { Mention } from '../skill/mentions.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { contains, lineBreakOf, overlaps, type Span, sliceOf, span, type TextEdit } from '../text.ts';
import { resolveSummary } from '../workspace/resolve-skill.ts';
import type { Diamond } from '../workspace/shared-skills.ts';
import type { IndexedSkill } from '../workspace/workspace-index.ts';
import type { Analysis } from './analysis.ts';

/** Returns the fix that removes the item at `place` from the list under a frontmatter key. */
export function removeFromList(file: SkillFile, key: string, place: Span, title: string, safe = false): Fix[] {
  const list = findSkillEntry(file.frontmatter.tree.root, key)?.value;
  if (list?.kind !== 'list') return [];
  // A skill of level 2 or 3 must compose another skill.
  if (key === 'composes' && list.items.length === 1 && (file.contract.level ?? 1) > 1) return [];
  const item = list.items.findIndex((candidate) => contains(candidate.span, place));
  return item < 0 ? [] : fixHere(file, title, removeItem(file.text, list, item), safe);
}

/** Returns the fix that removes the items at `places` from the list under a frontmatter key; other items are left. */
export function removeAllFromList(
  file: SkillFile,
  key: string,
  places: readonly { readonly span: Span }[],
  title: string,
): readonly Fix[] {
  const list = findSkillEntry(file.frontmatter.tree.root, key)?.value;
  const [first] = places;
  if (list?.kind !== 'list' || !first) return [];
  if (places.length === 1) return removeFromList(file, key, first.span, title);
  const isRemoved = (item: YamlNode): boolean => places.some((place) => contains(item.span, place.span));
  if (list.flow) {
    const kept = list.items.filter((item) => !isRemoved(item)).map((item) => sliceOf(file.text, item.span));
    return fixHere(file, title, [{ span: list.span, newText: `[${kept.join(', ')}]` }]);
  }
  const edits = list.items.flatMap((item, at) => (isRemoved(item) ? removeItem(file.text, list, at) : []));
  return hasOverlap(edits) ? [] : fixHere(file, title, edits);
}

/**
 * Returns the fix that removes all mentions of a name: references in prose, and items of the lists of approaches. Returns
 * no fix if a list would be empty, because the approach then could use no tool.
 */
export function removeMentions(file: SkillFile, mentions: readonly Mention[]): Fix[] {
  const [first] = mentions;
  const edits = mentions.map(({ span, isReference }) =>
    isReference ? [removalOf(file.text, span)] : removeFromApproach(file, span),
  );
  if (!first || edits.some((own) => own.length === 0)) return [];
  const title = mentions.every(({ isReference }) => isReference) ? 'Remove the reference' : `Remove \`${first.name}\``;
  return fixHere(file, title, edits.flat());
}

/** Returns the edits that remove the item at `place` from the `tools` of an Approach. */
function removeFromApproach({ text, metadata }: SkillFile, place: Span): readonly TextEdit[] {
  for (const { tree } of metadata) {
    const list = findValue(tree.root, 'tools');
    const item = listItems(list).findIndex((candidate) => contains(candidate.span, place));
    if (list?.kind === 'list' && item >= 0) return list.items.length > 1 ? removeItem(text, list, item) : [];
  }
  return [];
}

/** Returns the edit that removes a reference, and the space before it if a space or punctuation follows. */
function removalOf(text: string, { start, end }: Span): TextEdit {
  const doubled = /[ \t]/.test(text[start - 1] ?? '') && /[ \t.,;:]/.test(text[end] ?? '');
  return { span: { start: doubled ? start - 1 : start, end }, newText: '' };
}

/** Removes a passage of the framing with the empty lines after it; at the end of the file, with those before it. */
export function removePassage(text: string, { framing }: Pick<Body, 'framing'>, place: Span): TextEdit {
  const end = framing.find((whole) => contains(whole, place))?.end ?? place.end;
  if (end < text.length) return { span: span(place.start, end), newText: '' };
  const kept = text.slice(0, place.start).trimEnd().length;
  return { span: span(kept, end), newText: lineBreakOf(text) };
}

// Removal of a composed skill: its entry in `composes`, and the steps that run it.

/**
 * Returns the fix that removes an entry and its steps. The fix keeps references to the output, because their
 * replacement is unknown.
 */
export function removeComposedSkill(file: SkillFile, entry: ComposesEntry, title: string): readonly Fix[] {
  const steps = file.contract.composes.filter(({ step }) => step === entry.step);
  if (file.contract.composes.length === 1 && (file.contract.level ?? 1) > 1) {
    const edits = atomic(file);
    return edits.length > 0 ? fixIn(`${title}, and set the level to 1`, edits) : [];
  }
  // If two entries have the same step name, a step may run either entry.
  const added = steps.length > 1 ? [] : removeSteps(file, entry.step);
  return removeFromList(file, 'composes', entry.span, title).map((fix) => ({
    ...fix,
    edits: fix.edits.map((edited) => {
      const edits = [...edited.edits, ...added];
      return { ...edited, edits: hasOverlap(edits) ? edited.edits : edits };
    }),
  }));
}

function removeSteps({ text, frontmatter }: SkillFile, step: string): readonly TextEdit[] {
  const { root } = frontmatter.tree;
  const key = findSkillEntry(root, 'execution');
  if (root?.kind !== 'map' || key?.value.kind !== 'list' || key.value.items.length === 0) return [];
  // An empty block would run nothing, but without a block every composed skill runs, so the whole block is removed.
  if (key.value.items.every((item) => runsOnly(item, step))) return removeEntry(text, root, 'execution');
  return removeStepFrom(text, key.value, step);
}

function removeStepFrom(text: string, list: YamlList, step: string): readonly TextEdit[] {
  return list.items.flatMap((item, at) =>
    runsOnly(item, step)
      ? removeItem(text, list, at)
      : listsIn(item).flatMap((inner) => removeStepFrom(text, inner, step)),
  );
}

/** Returns whether an item is the step, or a group in which no other step runs. */
function runsOnly(item: YamlNode, step: string): boolean {
  if (findEntry(item, 'step')) return stringOf(findValue(item, 'step')) === step;
  const lists = listsIn(item);
  const items = lists.flatMap((list) => list.items);
  return items.length > 0 && items.every((inner) => runsOnly(inner, step));
}

/** Returns the lists of steps in a group, including the list in each arm of a branch. */
function listsIn(item: YamlNode): readonly YamlList[] {
  const steps = listItems(findValue(item, 'when')).map((arm) => findValue(arm, 'steps'));
  const groups = ['parallel', 'speculate', 'else'].map((key) => findValue(item, key));
  return [...groups, ...steps].flatMap((node) => (node?.kind === 'list' ? [node] : []));
}

/** Returns whether two of the edits overlap. */
export function hasOverlap(edits: readonly TextEdit[]): boolean {
  const sorted = [...edits].sort((a, b) => a.span.start - b.span.start);
  return sorted.some(({ span }, at) => overlaps(sorted[at - 1]?.span ?? { start: 0, end: 0 }, span));
}

// Fixes for a diamond: the composite where the paths meet runs the shared skill once (docs/format.md, section 4).

/** Returns the fixes for a diamond. Inputs that a composed skill lacks after the fix are reported separately. */
export function fixesOfDiamond(
  analysis: Analysis,
  file: SkillFile,
  root: IndexedSkill,
  { shared, composers }: Diamond,
): readonly Fix[] {
  const { name } = shared.summary;
  if (name === undefined) return [];
  const own = composers.some(({ uri }) => uri === root.uri);
  const others = composers.filter(({ uri }) => uri !== root.uri);
  const freed = others.map((composer) => withoutPart(analysis.file(composer.uri), name));
  const added = own ? [] : addPart(analysis, file, root, shared);
  return [
    ...(freed.every((files) => files.length > 0) && (own || added.length > 0)
      ? fixIn(`Compose \`${name}\` only in this skill`, [...added, ...freed.flat()])
      : []),
    ...(own ? removeFromThisSkill(file, name) : []),
  ];
}

function removeFromThisSkill(file: SkillFile, name: string): readonly Fix[] {
  const entry = onlyEntry(file, name);
  return entry ? removeComposedSkill(file, entry, `Remove \`${name}\` from this skill's \`composes\``) : [];
}

const onlyEntry = ({ contract }: SkillFile, name: string): ComposesEntry | undefined => {
  const entries = contract.composes.filter((entry) => entry.name === name);
  return entries.length === 1 ? entries[0] : undefined;
};

/** Returns the edits that remove a composed skill. A composite that composes nothing else becomes atomic. */
function withoutPart(file: SkillFile | undefined, name: string): readonly FileEdits[] {
  const entry = file && onlyEntry(file, name);
  if (!entry) return [];
  if (file.contract.composes.length > 1) return removeComposedSkill(file, entry, '').flatMap(({ edits }) => edits);
  return atomic(file);
}

/** Returns the edits that make a composite of one skill atomic; none if it has an order of execution. */
function atomic(file: SkillFile): readonly FileEdits[] {
  const { root } = file.frontmatter.tree;
  const level = findValue(root, 'level');
  if (root?.kind !== 'map' || level?.kind !== 'scalar' || findSkillEntry(root, 'execution')) return [];
  const removed = removeEntry(file.text, root, 'composes');
  if (removed.length === 0) return [];
  return [{ uri: file.uri, edits: [...setScalar(file.text, level, 1), ...removed] }];
}

/** Returns the edits that compose the shared skill before all others, so that all others can use its outputs. */
function addPart({ graph }: Analysis, file: SkillFile, root: IndexedSkill, shared: IndexedSkill): readonly FileEdits[] {
  const { name } = shared.summary;
  const list = findSkillEntry(file.frontmatter.tree.root, 'composes')?.value;
  // The right position of a step for the shared skill in an execution block is not known.
  if (name === undefined || list?.kind !== 'list' || root.summary.execution) return [];
  if (resolveSummary(graph, root, name)?.uri !== shared.uri) return [];
  const [item] = list.items;
  if (!item || /[&*]/.test(sliceOf(file.text, list.span))) return [];
  const edits = insertBefore(file, item.span.start, list.flow, formatScalar(name, true));
  return edits.length > 0 ? [{ uri: file.uri, edits }] : [];
}

function insertBefore({ text }: SkillFile, at: number, flow: boolean, item: string): readonly TextEdit[] {
  if (flow) return [{ span: { start: at, end: at }, newText: `${item}, ` }];
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  if (!/^ *- +$/.test(line)) return [];
  const start = at - line.length;
  return [{ span: { start, end: start }, newText: `${line}${item}${lineBreakOf(text)}` }];
}

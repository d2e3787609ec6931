/** Fixes that take a name out again: an item of a list, or references in prose. */

import type { Analysis } from '../../analysis/analysis.ts';
import type { FileEdits, Fix } from '../../finding.ts';
import { formatScalar, removeEntry, removeItem, setScalar } from '../../languages/yaml/edit.ts';
import { findEntry, findValue, listItems, stringOf, type YamlList, type YamlNode } from '../../languages/yaml/node.ts';
import { type ComposesEntry, findSkillEntry } from '../../skill/contract.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { contains, lineBreakOf, overlaps, type Span, sliceOf, type TextEdit } from '../../text.ts';
import { resolveSummary } from '../../workspace/resolve-skill.ts';
import type { Diamond } from '../../workspace/shared-parts.ts';
import type { IndexedSkill } from '../../workspace/workspace-index.ts';
import { fixHere, fixIn } from '../rule.ts';
import type { Mention } from './mentions.ts';

/** Removes the item that holds `place` from the list under a frontmatter key. */
export function removeFromList(file: SkillFile, key: string, place: Span, title: string, safe = false): Fix[] {
  const list = findSkillEntry(file.frontmatter.tree.root, key)?.value;
  if (list?.kind !== 'list') return [];
  const item = list.items.findIndex((candidate) => contains(candidate.span, place));
  return item < 0 ? [] : fixHere(file, title, removeItem(file.text, list, item), safe);
}

/** Removes the mentions that are references; none where the first of them is not one. */
export function removeReferences(file: SkillFile, mentions: readonly Mention[]): Fix[] {
  if (!mentions[0]?.isReference) return [];
  const edits = mentions.flatMap(({ span, isReference }) => (isReference ? [removalOf(file.text, span)] : []));
  return fixHere(file, 'Remove the reference', edits);
}

/** The reference together with one blank that it leaves doubled. */
function removalOf(text: string, { start, end }: Span): TextEdit {
  const doubled = /[ \t]/.test(text[start - 1] ?? '') && /[ \t.,;:]/.test(text[end] ?? '');
  return { span: { start: doubled ? start - 1 : start, end }, newText: '' };
}

// Taking a part out of a composite: its entry in `composes`, and the steps that would run it.

/** References to the output of such a step stay, because it is not known what should replace them. */
export function removePart(file: SkillFile, entry: ComposesEntry, title: string): readonly Fix[] {
  const steps = file.contract.composes.filter(({ step }) => step === entry.step);
  // With two entries of one step it is not known which of them a step runs.
  const added = steps.length > 1 ? [] : removeSteps(file, entry.step);
  return removeFromList(file, 'composes', entry.span, title).map((fix) => ({
    ...fix,
    edits: fix.edits.map((edited) => {
      const edits = [...edited.edits, ...added];
      return { ...edited, edits: isTangled(edits) ? edited.edits : edits };
    }),
  }));
}

function removeSteps({ text, frontmatter }: SkillFile, step: string): readonly TextEdit[] {
  const { root } = frontmatter.tree;
  const key = findSkillEntry(root, 'execution');
  if (root?.kind !== 'map' || key?.value.kind !== 'list' || key.value.items.length === 0) return [];
  // A block without steps would run nothing; without the block, every part runs.
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

/** True for the step itself, and for a group in which nothing else runs. */
function runsOnly(item: YamlNode, step: string): boolean {
  if (findEntry(item, 'step')) return stringOf(findValue(item, 'step')) === step;
  const lists = listsIn(item);
  const items = lists.flatMap((list) => list.items);
  return items.length > 0 && items.every((inner) => runsOnly(inner, step));
}

/** The lists of steps within a group, each arm's of a branch. */
function listsIn(item: YamlNode): readonly YamlList[] {
  const steps = listItems(findValue(item, 'when')).map((arm) => findValue(arm, 'steps'));
  const groups = ['parallel', 'speculate', 'else'].map((key) => findValue(item, key));
  return [...groups, ...steps].flatMap((node) => (node?.kind === 'list' ? [node] : []));
}

/** Whether two of the edits would touch the same text. */
function isTangled(edits: readonly TextEdit[]): boolean {
  const sorted = [...edits].sort((a, b) => a.span.start - b.span.start);
  return sorted.some(({ span }, at) => overlaps(sorted[at - 1]?.span ?? { start: 0, end: 0 }, span));
}

// Ways out of a diamond: the shared skill runs once, where the two ways meet (docs/format.md, section 4).

/** Inputs that a part then lacks are reported at that part, with fixes. */
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
      ? fixIn(`Compose \`${name}\` in this skill alone`, [...added, ...freed.flat()])
      : []),
    ...(own ? leaveToOthers(file, name) : []),
  ];
}

function leaveToOthers(file: SkillFile, name: string): readonly Fix[] {
  const entry = onlyEntry(file, name);
  return entry ? removePart(file, entry, `Remove \`${name}\` from \`composes\` of this skill`) : [];
}

const onlyEntry = ({ contract }: SkillFile, name: string): ComposesEntry | undefined => {
  const entries = contract.composes.filter((entry) => entry.name === name);
  return entries.length === 1 ? entries[0] : undefined;
};

/** The edits that take a part out of a composite; one that had no other becomes atomic. */
function withoutPart(file: SkillFile | undefined, name: string): readonly FileEdits[] {
  const entry = file && onlyEntry(file, name);
  if (!entry) return [];
  if (file.contract.composes.length > 1) return removePart(file, entry, '').flatMap(({ edits }) => edits);
  const { root } = file.frontmatter.tree;
  const level = findValue(root, 'level');
  if (root?.kind !== 'map' || level?.kind !== 'scalar' || findSkillEntry(root, 'execution')) return [];
  const removed = removeEntry(file.text, root, 'composes');
  if (removed.length === 0) return [];
  return [{ uri: file.uri, edits: [...setScalar(file.text, level, 1), ...removed] }];
}

/** The edits that compose the shared skill before all others, so that all others can use its outputs. */
function addPart({ graph }: Analysis, file: SkillFile, root: IndexedSkill, shared: IndexedSkill): readonly FileEdits[] {
  const { name } = shared.summary;
  const list = findSkillEntry(file.frontmatter.tree.root, 'composes')?.value;
  // Where a further step belongs in an execution block is not known.
  if (name === undefined || list?.kind !== 'list' || root.summary.execution) return [];
  if (resolveSummary(graph, root.summary, name)?.uri !== shared.uri) return [];
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

/** Taking a part out of a composite: its entry in `composes`, and the steps that would run it. */
import type { Fix } from '../../finding.ts';
import { findEntry, findValue, listItems, stringOf, type YamlList, type YamlNode } from '../../languages/yaml/node.ts';
import { removeEntry, removeItem } from '../../languages/yaml/remove.ts';
import { type ComposesEntry, findSkillEntry } from '../../skill/contract.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { overlaps, type TextEdit } from '../../text.ts';
import { removeFromList } from './removals.ts';

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

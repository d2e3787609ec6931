/** The fixes that run a step earlier, or at all, so that its outputs are available in time. */

import type { DataFlow, VisitedStep } from '../../analysis/data-flow/data-flow.ts';
import { isAlwaysSet } from '../../analysis/data-flow/fields.ts';
import { pairsOf } from '../../analysis/data-flow/mappings.ts';
import { type Fix, fixHere } from '../../finding.ts';
import { appendItem, formatScalar, insertItem, moveItemOut, moveItemUp } from '../../languages/yaml/edit.ts';
import { findEntry, findValue, listItems, type YamlList, type YamlNode } from '../../languages/yaml/node.ts';
import { type ComposesEntry, findSkillEntry } from '../../skill/contract.ts';
import { visitExecution } from '../../skill/execution/steps.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { contains, type Span, span, type TextEdit } from '../../text.ts';

/** A list of steps, and the item of it that contains a place. Steps of one that is not `inOrder` run in parallel. */
interface Level {
  readonly list: YamlList;
  readonly index: number;
  readonly inOrder: boolean;
}

/** Returns the lists of steps around an offset, from the `execution` to the innermost list. */
function levelsAt(file: SkillFile, offset: number): readonly Level[] {
  const place = span(offset, offset);
  const levels: Level[] = [];
  let list = findSkillEntry(file.frontmatter.tree.root, 'execution')?.value;
  for (let inOrder = true; list?.kind === 'list'; ) {
    const index: number = list.items.findIndex((item) => contains(item.span, place));
    const item: YamlNode | undefined = list.items[index];
    if (!item) break;
    levels.push({ list, index, inOrder });
    const arms: readonly YamlNode[] = listItems(findValue(item, 'when'));
    const within: (YamlNode | undefined)[] = [...arms.map((arm) => findValue(arm, 'steps')), findValue(item, 'else')];
    const next: YamlNode | undefined = within.find((steps) => steps && contains(steps.span, place));
    inOrder = next !== undefined;
    list = next ?? findValue(item, 'parallel') ?? findValue(item, 'speculate');
  }
  return levels;
}

/**
 * Returns the fix that moves the step of an entry before the step or the condition at `reader`, which needs its outputs;
 * no fix if the step would no longer run in every case, or depends on a step in between.
 */
export function runEarlier(file: SkillFile, data: DataFlow, reader: Span, entry: ComposesEntry): readonly Fix[] {
  const mover = data.visits.find((one) => one.entry === entry);
  if (!mover) return [];
  const levels = levelsAt(file, reader.start);
  const places = placesOf(levels, levelsAt(file, mover.span.start));
  const target = places?.to.list.items[places.to.index];
  if (!places || !target) return [];
  const first = data.visits.find(({ span: at }) => contains(target.span, at));
  const moved = places.from.list.items[places.from.index];
  if (!first || !moved || !mayRunBefore(file, data, first, mover, moved)) return [];
  const own = levels.at(-1);
  const around = own?.list.items[own.index]?.span ?? reader;
  const before = data.visits.find((one) => contains(around, one.span)) ?? first;
  return fixHere(file, `Run \`${entry.step}\` before \`${before.entry.step}\``, movedEdits(file.text, places));
}

interface Places {
  /** The item to move. */
  readonly from: Level;
  /** The item before which it is moved, in a list whose steps run in order. */
  readonly to: Level;
}

function placesOf(reader: readonly Level[], mover: readonly Level[]): Places | undefined {
  const shared = reader.findIndex(({ index, list }, at) => mover[at]?.list !== list || mover[at]?.index !== index);
  const from = mover.at(-1);
  const [here, there] = [reader[shared], mover[shared]];
  if (!from || !here || here.list !== there?.list) return undefined;
  // A step of an arm, or of a speculation, would then run in every case.
  const inner = mover.slice(shared + 1);
  if (inner.length > 1 || inner.some(({ inOrder }) => inOrder)) return undefined;
  if (here.inOrder) return { from, to: here };
  const outer = reader[shared - 1];
  return outer?.inOrder && inner.length === 0 ? { from, to: outer } : undefined;
}

function movedEdits(text: string, { from, to }: Places): readonly TextEdit[] {
  if (from.list === to.list) return moveItemUp(text, from.list, from.index, to.index);
  const owner = to.list.items.find((item) => findValue(item, 'parallel') === from.list);
  return owner ? moveItemOut(text, from.list, from.index, to.list, to.index) : [];
}

/** Returns whether a step in the item `moved` needs no outputs of the steps from `first` on, which run before it. */
function mayRunBefore(
  file: SkillFile,
  { visits }: DataFlow,
  first: VisitedStep,
  mover: VisitedStep,
  moved: YamlNode,
): boolean {
  const between = visits.slice(visits.indexOf(first), visits.indexOf(mover));
  const sources = sourcesIn(file, moved);
  return !between.some((one) => sources.has(one.entry.step)) && isServedBy(mover, first, between);
}

/** Returns the steps to which an item of the execution refers. */
const sourcesIn = (file: SkillFile, item: YamlNode): ReadonlySet<string> =>
  new Set(
    (file.derive(visitExecution)?.references ?? [])
      .filter((reference) => contains(item.span, reference.span))
      .map(({ source }) => source),
  );

/** Returns whether no required input of a step needs an output of the steps `between`, which ran before it so far. */
const isServedBy = (step: Needs, { flow }: VisitedStep, between: readonly VisitedStep[]): boolean =>
  namesRead(step).every(
    ({ name, isRequired }) =>
      !isRequired ||
      flow.values.get(name)?.some((one) => isAlwaysSet(one.field)) ||
      !between.some((one) => one.gives.values.get(name)),
  );

type Needs = Pick<VisitedStep, 'entry' | 'input'> & Partial<Pick<VisitedStep, 'inputs'>>;

/** Returns the names that a step reads from the flow. */
function namesRead({
  entry,
  input,
  inputs,
}: Needs): readonly { readonly name: string; readonly isRequired: boolean }[] {
  const mapped = new Map(pairsOf(entry.inputMapping).map(({ from, to }) => [to, from]));
  return (input?.fields ?? [])
    .filter(({ name }) => !findEntry(inputs, name))
    .map(({ name, isRequired }) => ({ name: mapped.get(name) ?? name, isRequired }));
}

/**
 * Returns the fix that adds a step for an entry: before the first step that reads one of its outputs, or at the end.
 */
export function addStep(file: SkillFile, data: DataFlow | undefined, { step }: ComposesEntry): readonly Fix[] {
  const { root } = file.frontmatter.tree;
  const execution = findSkillEntry(root, 'execution');
  if (root?.kind !== 'map' || !execution) return [];
  const list = execution.value;
  const isFlow = list.kind === 'list' && list.flow;
  const item = isFlow ? `{step: ${formatScalar(step, true)}}` : `step: ${formatScalar(step)}`;
  const index = list.kind === 'list' && data ? indexFor(file, data, list, step) : undefined;
  const edits =
    list.kind === 'list' && index !== undefined
      ? insertItem(file.text, list, index, item)
      : appendItem(file.text, root, String(execution.key.value), item);
  return fixHere(file, `Add a step that runs \`${step}\``, edits);
}

/** Returns the index of the first item that reads an output of a step, if the step could run before it. */
function indexFor(file: SkillFile, data: DataFlow, list: YamlList, step: string): number | undefined {
  const own = data.steps.get(step);
  if (!own) return undefined;
  const isReader = (visit: VisitedStep): boolean => namesRead(visit).some(({ name }) => own.gives.values.get(name));
  const places = [
    data.visits.find((visit) => contains(list.span, visit.span) && isReader(visit))?.span.start ?? Infinity,
    file.derive(visitExecution)?.references.find(({ source }) => source === step)?.span.start ?? Infinity,
  ];
  const start = Math.min(...places);
  const index = list.items.findIndex((item) => contains(item.span, span(start, start)));
  const target = list.items[index];
  const first = target && data.visits.find(({ span: at }) => contains(target.span, at));
  return first && isServedBy(own, first, data.visits.slice(data.visits.indexOf(first))) ? index : undefined;
}

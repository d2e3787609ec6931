/** The fix that runs a step earlier, so that its outputs are available in time. */

import type { DataFlow, VisitedStep } from '../../analysis/data-flow/data-flow.ts';
import { isAlwaysSet } from '../../analysis/data-flow/fields.ts';
import { pairsOf } from '../../analysis/data-flow/mappings.ts';
import { type Fix, fixHere } from '../../finding.ts';
import { moveItemUp } from '../../languages/yaml/edit.ts';
import { findValue, mapEntries, stringOf, type YamlList, type YamlNode } from '../../languages/yaml/node.ts';
import { type ComposesEntry, findSkillEntry } from '../../skill/contract.ts';
import { referencesIn } from '../../skill/execution/execution.ts';
import type { SkillFile } from '../../skill/skill-file.ts';

/**
 * Returns the fix that moves the step of an entry before the step that needs its outputs, or no fix if the entry
 * depends on a step in between.
 */
export function runEarlier(file: SkillFile, data: DataFlow, visit: VisitedStep, entry: ComposesEntry): readonly Fix[] {
  const list = findSkillEntry(file.frontmatter.tree.root, 'execution')?.value;
  const places = list && placesOfSteps(list, entry, visit.entry);
  if (!places || !mayRunBefore(file, data, visit, entry, places)) return [];
  const edits = moveItemUp(file.text, places.list, places.from, places.to);
  return fixHere(file, `Run \`${entry.step}\` before \`${visit.entry.step}\``, edits);
}

interface Places {
  readonly list: YamlList;
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the positions of two steps in the outermost list; undefined if the first step is not directly in that list.
 */
function placesOfSteps(list: YamlNode, entry: ComposesEntry, before: ComposesEntry): Places | undefined {
  if (list.kind !== 'list') return undefined;
  const from = list.items.findIndex((item) => stringOf(findValue(item, 'step')) === entry.step);
  const to = list.items.findIndex((item) => runs(item, before.step));
  return from < 0 || to < 0 ? undefined : { list, from, to };
}

/** Returns whether a step runs in an item, at any depth. */
function runs(item: YamlNode, step: string): boolean {
  // A recursive search would overflow the stack if blocks are nested very deeply.
  const waiting = [item];
  for (let at = waiting.pop(); at; at = waiting.pop()) {
    if ([findValue(at, 'step'), findValue(at, 'until')].some((name) => stringOf(name) === step)) return true;
    waiting.push(...(at.kind === 'list' ? at.items : mapEntries(at).map(({ value }) => value)));
  }
  return false;
}

function mayRunBefore(
  file: SkillFile,
  { visits }: DataFlow,
  visit: VisitedStep,
  entry: ComposesEntry,
  { list, from }: Places,
): boolean {
  const first = visits.indexOf(visit);
  const last = visits.findIndex((one) => one.entry === entry);
  const mover = visits[last];
  if (!mover || last < first) return false;
  const between = visits.slice(first, last);
  const item = list.items[from];
  const sources = new Set(referencesIn(file.text, item).map(({ source }) => source));
  if (between.some((one) => sources.has(one.entry.step))) return false;
  const mapped = new Map(pairsOf(entry.inputMapping).map(({ from: flow, to }) => [to, flow]));
  const bound = new Set((mover.inputs?.entries ?? []).map(({ key }) => String(key.value)));
  return (mover.input?.fields ?? []).every((field) => {
    const name = mapped.get(field.name) ?? field.name;
    if (
      bound.has(field.name) ||
      !field.isRequired ||
      visit.flow.values.get(name)?.some((one) => isAlwaysSet(one.field))
    ) {
      return true;
    }
    return !between.some((one) => one.gives.values.get(name));
  });
}

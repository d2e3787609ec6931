/** Running a step earlier, so that what it gives is there in time. */
import type { Fix } from '../../../finding.ts';
import { findValue, mapEntries, stringOf, type YamlList, type YamlNode } from '../../../languages/yaml/node.ts';
import { moveItemUp } from '../../../languages/yaml/remove.ts';
import { findSkillEntry, type SkillContract } from '../../../skill/contract.ts';
import { referencesIn } from '../../../skill/execution/execution.ts';
import type { SkillFile } from '../../../skill/skill-file.ts';
import { contains } from '../../../text.ts';
import { fixHere } from '../../rule.ts';
import type { DataFlow, VisitedStep } from './data-flow.ts';
import { isGiven, pairsOf } from './values.ts';

type Entry = SkillContract['composes'][number];

/** Moves the entry, or its step, before the step that needs it; none where it needs something that runs between. */
export function runEarlier(file: SkillFile, data: DataFlow, visit: VisitedStep, entry: Entry): readonly Fix[] {
  const list = findSkillEntry(file.frontmatter.tree.root, 'execution')?.value;
  const places = list ? placesOfSteps(list, entry, visit.entry) : placesOfEntries(file, entry, visit.entry);
  if (!places || !mayRunBefore(file, data, visit, entry, places)) return [];
  const edits = moveItemUp(file.text, places.list, places.from, places.to);
  return fixHere(file, `Run \`${entry.step}\` before \`${visit.entry.step}\``, edits);
}

interface Places {
  readonly list: YamlList;
  readonly from: number;
  readonly to: number;
}

function placesOfEntries({ frontmatter }: SkillFile, entry: Entry, before: Entry): Places | undefined {
  const list = findSkillEntry(frontmatter.tree.root, 'composes')?.value;
  if (list?.kind !== 'list') return undefined;
  const indexOf = ({ span }: Entry) => list.items.findIndex((item) => contains(item.span, span));
  return { list, from: indexOf(entry), to: indexOf(before) };
}

/** Only a step that stands by itself in the outermost list is moved. */
function placesOfSteps(list: YamlNode, entry: Entry, before: Entry): Places | undefined {
  if (list.kind !== 'list') return undefined;
  const from = list.items.findIndex((item) => stringOf(findValue(item, 'step')) === entry.step);
  const to = list.items.findIndex((item) => runs(item, before.step));
  return from < 0 || to < 0 ? undefined : { list, from, to };
}

/** Whether a step runs somewhere in an item. */
function runs(item: YamlNode, step: string): boolean {
  // No recursion: blocks may be nested very deep.
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
  entry: Entry,
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
    if (bound.has(field.name) || !field.isRequired || visit.flow.values.get(name)?.some((one) => isGiven(one.field))) {
      return true;
    }
    return !between.some((one) => one.gives.values.get(name));
  });
}

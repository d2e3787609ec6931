/** What makes an `execution` block impossible to run (docs/format.md, section 4, "Execution"); rules and composer agree on it. */

import { removeItem } from '../../languages/yaml/edit.ts';
import {
  findEntry,
  findValue,
  isNull,
  listItems,
  stringOf,
  type YamlList,
  type YamlMap,
  type YamlNode,
} from '../../languages/yaml/node.ts';
import { didYouMean, nearestNames } from '../../nearest.ts';
import { type Span, sliceOf } from '../../text.ts';
import type { ShapeFix } from '../../vocabulary/check-shape.ts';
import { findSkillEntry, type Named, namedOf } from '../contract.ts';
import type { SkillFile } from '../skill-file.ts';

/** In the order of the file. */
export const executionProblems = (file: SkillFile): readonly ExecutionProblem[] => file.derive(findProblems);

interface Walk extends Report {
  readonly text: string;
  readonly entries: ReadonlySet<string>;
  /** The steps that run on the way to here, with the items that say so; none for an `until`. */
  readonly ran: Map<string, ListItem | undefined>;
}

/** An item of a list. */
interface ListItem {
  readonly list: YamlList;
  readonly index: number;
}

function findProblems({ text, contract, frontmatter }: SkillFile): readonly ExecutionProblem[] {
  const list = findSkillEntry(frontmatter.tree.root, 'execution')?.value;
  if (list?.kind !== 'list') return [];
  const entries = new Set(contract.composes.map(({ step }) => step));
  const walk: Walk = { text, entries, ran: new Map(), problems: [] };
  checkList(walk, list);
  return walk.problems.sort((a, b) => a.span.start - b.span.start);
}

/** Gives the names of the steps that are in the list, at any depth. */
function checkList(walk: Walk, list: YamlNode | undefined): readonly string[] {
  if (list?.kind !== 'list') return [];
  return list.items.flatMap((item, index) => checkItem(walk, item, { list, index }));
}

function checkItem(walk: Walk, item: YamlNode, place: ListItem): readonly string[] {
  if (item.kind === 'scalar' && !isNull(item)) {
    reportBareName(walk, item);
    return [];
  }
  if (item.kind !== 'map' || item.entries.length === 0) {
    // A list in the place of a step has the wrong type, which its shape tells.
    if (item.kind !== 'list') reportEmpty(walk, item.span, 'This step says nothing to run.', place);
    return [];
  }
  const [kind, second] = KINDS.filter((one) => findEntry(item, one));
  if (!kind) {
    reportKindless(walk, item);
    return [];
  }
  if (second) {
    const key = findEntry(item, second)?.key ?? item;
    const message = `\`${kind}\` and \`${second}\` stand in one step, which runs only one of them.`;
    report(walk, key.span, message, 'Make two steps of them, one after the other.');
    return [];
  }
  checkKeys(walk, item, kind);
  switch (kind) {
    case 'step':
      return checkCall(walk, item, place);
    case 'parallel':
      return checkParallel(walk, item, place);
    case 'when':
      return checkWhen(walk, item, place);
    case 'speculate':
      return checkSpeculate(walk, item, place);
  }
}

function reportBareName(walk: Walk, item: YamlNode): void {
  const source = sliceOf(walk.text, item.span);
  const isEntry = walk.entries.has(stringOf(item) ?? '') && !/^[&*!|>]/.test(source);
  const fixes = isEntry
    ? [{ title: `Write \`{step: ${source}}\``, safe: true, edits: [{ span: item.span, newText: `{step: ${source}}` }] }]
    : [];
  report(walk, item.span, `A step is one of ${FORMS}; this is only a value.`, `Write \`{step: ${source}}\`.`, fixes);
}

function reportEmpty(walk: Walk, span: Span, message: string, { list, index }: ListItem): void {
  const isCheap = list.items.length > 1 && walk.problems.length < MAX_REMOVALS;
  const edits = isCheap ? removeItem(walk.text, list, index) : [];
  const fixes = edits.length > 0 ? [{ title: 'Remove the empty step', safe: false, edits }] : [];
  report(walk, span, message, `Write ${FORMS}, or remove it.`, fixes);
}

/** Two runs of one step would have one name for their outputs. */
function checkCall(walk: Walk, item: YamlMap, place: ListItem): readonly string[] {
  const value = findValue(item, 'step');
  const step = namedOf(value);
  if (!step) {
    // A value of another type is its shape's problem.
    if (!value || isNull(value))
      reportEmpty(walk, findEntry(item, 'step')?.span ?? item.span, '`step` names nothing to run.', place);
    return [];
  }
  if (walk.ran.has(step.name)) {
    const message = `\`${step.name}\` runs already, and both runs would have one name for their outputs.`;
    report(
      walk,
      step.span,
      message,
      'Compose the skill once more under another name (`as`), or remove this step.',
      removal(walk, place, step, 'here'),
    );
    return [];
  }
  walk.ran.set(step.name, place);
  return [step.name];
}

/** Of more problems than this no such fix is offered: each costs a walk over its list. */
const MAX_REMOVALS = 50;

function removal(
  { text, problems }: Walk,
  { list, index }: ListItem,
  { name }: Named,
  where: 'here' | 'there',
): readonly ShapeFix[] {
  const edits = list.items.length > 1 && problems.length < MAX_REMOVALS ? removeItem(text, list, index) : [];
  const title = where === 'here' ? `Remove this step \`${name}\`` : `Remove the other step \`${name}\``;
  return edits.length > 0 ? [{ title, safe: false, edits }] : [];
}

function checkParallel(walk: Walk, item: YamlMap, place: ListItem): readonly string[] {
  const list = findValue(item, 'parallel');
  if (isEmpty(list)) reportEmpty(walk, keySpan(item, 'parallel'), '`parallel` has no steps.', place);
  return checkList(walk, list);
}

const isEmpty = (node: YamlNode | undefined): boolean =>
  !node || isNull(node) || (node.kind === 'list' && node.items.length === 0);

const keySpan = (item: YamlMap, key: string): Span => findEntry(item, key)?.key.span ?? item.span;

/** Only one arm runs, so that a step may stand in several. */
function checkWhen(walk: Walk, item: YamlMap, place: ListItem): readonly string[] {
  const arms = listItems(findValue(item, 'when')).map((arm) => findValue(arm, 'steps'));
  const lists = [...arms, findValue(item, 'else')];
  if (lists.every(isEmpty)) reportEmpty(walk, keySpan(item, 'when'), '`when` has no arm with steps.', place);
  const run = new Map<string, ListItem | undefined>();
  for (const list of lists) {
    for (const name of checkList(walk, list)) {
      run.set(name, walk.ran.get(name));
      walk.ran.delete(name);
    }
  }
  for (const [name, at] of run) walk.ran.set(name, at);
  return [...run.keys()];
}

function checkSpeculate(walk: Walk, item: YamlMap, place: ListItem): readonly string[] {
  const list = findValue(item, 'speculate');
  if (isEmpty(list)) reportEmpty(walk, keySpan(item, 'speculate'), '`speculate` has no steps.', place);
  const speculated =
    list?.kind === 'list' ? list.items.flatMap((one, index) => checkSpeculated(walk, one, { list, index })) : [];
  return [...speculated, ...checkUntil(walk, item, speculated)];
}

/** What is cancelled is one step: of a group it would not be known what has run. */
function checkSpeculated(walk: Walk, item: YamlNode, place: ListItem): readonly string[] {
  const other = item.kind === 'map' ? KINDS.find((kind) => kind !== 'step' && findEntry(item, kind)) : undefined;
  if (item.kind !== 'map' || item.entries.length === 0) return checkItem(walk, item, place);
  if (other) {
    const message = `\`${other}\` cannot be speculated: what may be cancelled is one step each.`;
    report(walk, keySpan(item, other), message, 'List its steps under `speculate`, each with its own `keep_when`.');
    return [];
  }
  if (!findEntry(item, 'step')) {
    reportKindless(walk, item);
    return [];
  }
  checkKeys(walk, item, 'speculated');
  return checkCall(walk, item, place);
}

function checkUntil(walk: Walk, item: YamlMap, speculated: readonly string[]): readonly string[] {
  const value = findValue(item, 'until');
  if (!value || isNull(value)) {
    const advice = 'Name the step with `until: NAME`: it begins beside the others, and its end decides which are kept.';
    report(
      walk,
      keySpan(item, 'speculate'),
      '`speculate` has no `until`, so nothing decides what is still needed.',
      advice,
    );
    return [];
  }
  if (value.kind === 'map') checkKeys(walk, value, 'until');
  const step = value.kind === 'map' ? namedOf(findValue(value, 'step')) : namedOf(value);
  if (!step) {
    if (value.kind === 'map')
      report(walk, value.span, '`until` names no step.', 'Write `until: NAME`, or `until: {step: NAME}`.');
    return [];
  }
  if (!walk.ran.has(step.name)) {
    walk.ran.set(step.name, undefined);
    return [step.name];
  }
  const isBefore = !speculated.includes(step.name);
  const message = isBefore
    ? `\`${step.name}\` has run when the speculation begins, so that nothing is left to wait for.`
    : `\`${step.name}\` decides the speculation and is one of its steps, so that it would run twice.`;
  const advice = isBefore
    ? 'Name a step that runs beside the others, or remove the earlier run.'
    : 'Remove it from the list: `until` begins with the others anyway.';
  const earlier = walk.ran.get(step.name);
  const first = earlier?.list.items[earlier.index];
  const isPlain = first?.kind === 'map' && first.entries.length === 1;
  report(walk, step.span, message, advice, earlier && isPlain ? removal(walk, earlier, step, 'there') : []);
  return [];
}

/** The keys of each kind of step, and what is said where they do not belong together (docs/format.md, section 4). */
interface ExecutionProblem {
  readonly span: Span;
  /** What is wrong and why. */
  readonly message: string;
  /** What to do, as a sentence. */
  readonly advice: string;
  readonly fixes: readonly ShapeFix[];
}

type Kind = 'step' | 'parallel' | 'when' | 'speculate';

const KINDS: readonly Kind[] = ['step', 'parallel', 'when', 'speculate'];

/** The keys of each kind of step. */
const KEYS: Readonly<Record<Kind | 'speculated' | 'until', readonly string[]>> = {
  step: ['step', 'inputs', 'condition', 'retry'],
  parallel: ['parallel'],
  when: ['when', 'else'],
  speculate: ['speculate', 'until'],
  speculated: ['step', 'inputs', 'retry', 'keep_when'],
  until: ['step', 'inputs', 'retry'],
};

const FORMS = '`{step: …}`, `{parallel: […]}`, `{when: […], else: […]}` or `{speculate: […], until: …}`';

/** What is found on the way. */
interface Report {
  readonly problems: ExecutionProblem[];
}

function report(walk: Report, span: Span, message: string, advice: string, fixes: readonly ShapeFix[] = []): void {
  walk.problems.push({ span, message, advice, fixes });
}

/** A key of its own kind is missing: misspelt, or forgotten. */
function reportKindless(walk: Report, item: YamlMap): void {
  for (const { key } of item.entries) {
    const near = nearestNames(String(key.value), KINDS, 1);
    if (near.length === 0) continue;
    const message = `\`${String(key.value)}\` is no key of a step, so nothing runs here.`;
    report(walk, key.span, message, didYouMean(near).trim(), renames(key.span, near));
    return;
  }
  const [first] = item.entries;
  const name = String(first?.key.value);
  const owner = KINDS.find((kind) => KEYS[kind].includes(name));
  const belongs = owner ? `\`${name}\` belongs to \`${owner}\`, which is missing` : `\`${name}\` is no key of a step`;
  report(walk, first?.key.span ?? item.span, `${belongs}, so nothing runs here.`, `Write ${FORMS}.`);
}

const renames = (span: Span, names: readonly string[]): readonly ShapeFix[] =>
  names.map((newText) => ({ title: `Rename to \`${newText}\``, safe: false, edits: [{ span, newText }] }));

/** Keys that a step of this kind does not have; `x-` keys are the author's own. */
function checkKeys(walk: Report, item: YamlMap, kind: keyof typeof KEYS): void {
  const known = KEYS[kind];
  for (const { key } of item.entries) {
    const name = String(key.value);
    if (known.includes(name) || name.startsWith('x-')) continue;
    const owners = (Object.keys(KEYS) as (keyof typeof KEYS)[]).filter((one) => KEYS[one].includes(name));
    const taken = known.filter((one) => findEntry(item, one));
    const near = nearestNames(name, known).filter((one) => !taken.includes(one));
    const fixes = kind === 'speculated' && name === 'condition' && !taken.includes('keep_when') ? ['keep_when'] : near;
    const advice =
      didYouMean(fixes).trim() || `Remove it, or write one of ${known.map((one) => `\`${one}\``).join(', ')}.`;
    report(walk, key.span, `${whyNot(name, kind, owners)}.`, advice, renames(key.span, fixes));
  }
}

const WORDS: Readonly<Record<keyof typeof KEYS, string>> = {
  step: 'a step that runs by itself',
  parallel: 'a parallel group',
  when: 'a branch',
  speculate: 'a speculation',
  speculated: 'a step that is speculated',
  until: 'the step that decides a speculation',
};

function whyNot(name: string, kind: keyof typeof KEYS, owners: readonly (keyof typeof KEYS)[]): string {
  const [owner] = owners;
  const own = owner === undefined ? '' : `; it belongs to ${WORDS[owner]}`;
  return `\`${name}\` is no key of ${WORDS[kind]}${own}`;
}

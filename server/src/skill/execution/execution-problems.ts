/**
 * Finds faults that make an `execution` impossible to run (docs/format.md, section 4), for rules and for the composer.
 */

import { removeEntry, removeItem } from '../../languages/yaml/edit.ts';
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
import { didYouMean } from '../../nearest.ts';
import { type Span, sliceOf } from '../../text.ts';
import type { ShapeFix } from '../../vocabulary/check-shape.ts';
import { stepKeys } from '../../vocabulary/composition-keys.ts';
import { type KeyTable, keysMeant } from '../../vocabulary/shape.ts';
import { findSkillEntry, type Named, namedOf } from '../contract.ts';
import type { SkillFile } from '../skill-file.ts';

/**
 * Returns the faults of the `execution` of a file, in the order of the file (docs/format.md, section 4, "Execution").
 */
export const executionProblems = (file: SkillFile): readonly ExecutionProblem[] => file.derive(findProblems);

interface ProblemWalk extends Report {
  readonly text: string;
  readonly entries: ReadonlySet<string>;
  /** The steps that run before this point, with their list items; undefined for the step of an `until`. */
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
  const walk: ProblemWalk = { text, entries, ran: new Map(), problems: [] };
  checkList(walk, list);
  return walk.problems.sort((a, b) => a.span.start - b.span.start);
}

/** Checks a list of steps, and returns the names of all steps in the list, including nested steps. */
function checkList(walk: ProblemWalk, list: YamlNode | undefined): readonly string[] {
  if (list?.kind !== 'list') return [];
  return list.items.flatMap((item, index) => checkItem(walk, item, { list, index }));
}

function checkItem(walk: ProblemWalk, item: YamlNode, place: ListItem): readonly string[] {
  if (item.kind === 'scalar' && !isNull(item)) {
    reportBareName(walk, item);
    return [];
  }
  if (item.kind !== 'map' || item.entries.length === 0) {
    // A list instead of a step has a wrong type, which the shape check reports.
    if (item.kind !== 'list') reportEmpty(walk, item.span, 'This step is empty.', place);
    return [];
  }
  const [kind, second] = KINDS.filter((one) => findEntry(item, one));
  if (!kind) {
    reportKindless(walk, item);
    return [];
  }
  const other = second && findEntry(item, second);
  if (kind === 'step' && second === 'when' && other?.value.kind === 'scalar') {
    // `when: EXPRESSION` is a condition; the `when` of a branch is a list.
    walk.problems.push({
      span: other.key.span,
      valueSpan: other.value.span,
      message: '`when` is not a key of a single step.',
      advice: 'Did you mean `condition`?',
      fixes: renames(other.key.span, findEntry(item, 'condition') ? [] : ['condition']),
    });
    return checkCall(walk, item, place);
  }
  if (second) {
    const key = other?.key ?? item;
    const message = `\`${kind}\` and \`${second}\` cannot be in the same step.`;
    report(walk, key.span, message, 'Write two steps, one after the other.');
    return [];
  }
  const arms = kind === 'when' ? findValue(item, 'when') : undefined;
  if (arms?.kind === 'scalar' && !isNull(arms)) {
    const source = sliceOf(walk.text, arms.span);
    report(walk, arms.span, '`when` must be a list of arms.', `Write \`when: [{condition: ${source}, steps: […]}]\`.`);
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

function reportBareName(walk: ProblemWalk, item: YamlNode): void {
  const source = sliceOf(walk.text, item.span);
  const isEntry = walk.entries.has(stringOf(item) ?? '') && !/^[&*!|>]/.test(source);
  const fixes = isEntry
    ? [{ title: `Write \`{step: ${source}}\``, safe: true, edits: [{ span: item.span, newText: `{step: ${source}}` }] }]
    : [];
  report(walk, item.span, 'A step must be a map, but is a single value.', `Write \`{step: ${source}}\`.`, fixes);
}

function reportEmpty(walk: ProblemWalk, span: Span, message: string, { list, index }: ListItem): void {
  const isCheap = list.items.length > 1 && walk.problems.length < MAX_REMOVALS;
  const edits = isCheap ? removeItem(walk.text, list, index) : [];
  const fixes = edits.length > 0 ? [{ title: 'Remove the empty step', safe: false, edits }] : [];
  report(walk, span, message, `Write ${FORMS}, or remove it.`, fixes);
}

/** Checks a step that runs a skill. A step must not run twice, because both outputs would have the same name. */
function checkCall(walk: ProblemWalk, item: YamlMap, place: ListItem): readonly string[] {
  const value = findValue(item, 'step');
  const step = namedOf(value);
  if (!step) {
    // The shape check reports a value of a wrong type.
    if (!value || isNull(value))
      reportEmpty(walk, findEntry(item, 'step')?.span ?? item.span, '`step` has no value.', place);
    return [];
  }
  if (walk.ran.has(step.name)) {
    const message = `\`${step.name}\` runs twice, so both outputs would have the same name.`;
    report(
      walk,
      step.span,
      message,
      'Compose the skill again under another name (`as`), or remove this step.',
      removal(walk, place, step, 'here'),
    );
    return [];
  }
  walk.ran.set(step.name, place);
  return [step.name];
}

/** The maximum number of problems with a fix that removes a step, because each such fix visits its whole list. */
const MAX_REMOVALS = 50;

function removal(
  { text, problems }: ProblemWalk,
  { list, index }: ListItem,
  { name }: Named,
  where: 'here' | 'there',
): readonly ShapeFix[] {
  const edits = list.items.length > 1 && problems.length < MAX_REMOVALS ? removeItem(text, list, index) : [];
  const title = where === 'here' ? `Remove this step \`${name}\`` : `Remove the other step \`${name}\``;
  return edits.length > 0 ? [{ title, safe: false, edits }] : [];
}

function checkParallel(walk: ProblemWalk, item: YamlMap, place: ListItem): readonly string[] {
  const list = findValue(item, 'parallel');
  if (isEmpty(list)) reportEmpty(walk, keySpan(item, 'parallel'), '`parallel` has no steps.', place);
  return checkList(walk, list);
}

const isEmpty = (node: YamlNode | undefined): boolean =>
  !node || isNull(node) || (node.kind === 'list' && node.items.length === 0);

const keySpan = (item: YamlMap, key: string): Span => findEntry(item, key)?.key.span ?? item.span;

/** Checks a branch. Only one arm of a branch runs, so several arms may contain the same step. */
function checkWhen(walk: ProblemWalk, item: YamlMap, place: ListItem): readonly string[] {
  const value = findValue(item, 'when');
  const arms = listItems(value).map((arm) => findValue(arm, 'steps'));
  const lists = [...arms, findValue(item, 'else')];
  // The shape check reports a value that is not a list, and an arm without `steps`.
  const hasSteps = listItems(value).every((arm) => findEntry(arm, 'steps'));
  if (lists.every(isEmpty) && (value?.kind === 'list' || isEmpty(value)) && hasSteps) {
    reportEmpty(walk, keySpan(item, 'when'), '`when` has no arm with steps.', place);
  }
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

function checkSpeculate(walk: ProblemWalk, item: YamlMap, place: ListItem): readonly string[] {
  const list = findValue(item, 'speculate');
  if (isEmpty(list)) reportEmpty(walk, keySpan(item, 'speculate'), '`speculate` has no steps.', place);
  const speculated =
    list?.kind === 'list' ? list.items.flatMap((one, index) => checkSpeculated(walk, one, { list, index })) : [];
  return [...speculated, ...checkUntil(walk, item, speculated)];
}

/**
 * Checks a speculated item, which must be a single step, because after a cancelled group it would not be known which
 * steps ran.
 */
function checkSpeculated(walk: ProblemWalk, item: YamlNode, place: ListItem): readonly string[] {
  const other = item.kind === 'map' ? KINDS.find((kind) => kind !== 'step' && findEntry(item, kind)) : undefined;
  if (item.kind !== 'map' || item.entries.length === 0) return checkItem(walk, item, place);
  if (other) {
    const message = `\`${other}\` cannot be speculated: only single steps can be cancelled.`;
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

function checkUntil(walk: ProblemWalk, item: YamlMap, speculated: readonly string[]): readonly string[] {
  const value = findValue(item, 'until');
  if (!value || isNull(value)) {
    const advice = 'Add `until: NAME` with the step whose end decides which speculated steps are kept.';
    report(walk, keySpan(item, 'speculate'), 'Missing key `until`.', advice);
    return [];
  }
  if (value.kind === 'map') checkKeys(walk, value, 'until');
  const step = value.kind === 'map' ? namedOf(findValue(value, 'step')) : namedOf(value);
  if (!step) {
    if (value.kind === 'map')
      report(walk, value.span, '`until` has no step.', 'Write `until: NAME`, or `until: {step: NAME}`.');
    return [];
  }
  if (!walk.ran.has(step.name)) {
    walk.ran.set(step.name, undefined);
    return [step.name];
  }
  const isBefore = !speculated.includes(step.name);
  const message = isBefore
    ? `\`${step.name}\` has already run before the speculation begins.`
    : `\`${step.name}\` is both a speculated step and the \`until\` step, so it would run twice.`;
  const advice = isBefore
    ? 'Name a step that runs together with the speculated steps, or remove the earlier run.'
    : 'Remove it from the list: the `until` step starts together with the listed steps.';
  const earlier = walk.ran.get(step.name);
  const first = earlier?.list.items[earlier.index];
  const isPlain = first?.kind === 'map' && first.entries.length === 1;
  report(walk, step.span, message, advice, earlier && isPlain ? removal(walk, earlier, step, 'there') : []);
  return [];
}

// Checks the keys of each kind of step (docs/format.md, section 4).

interface ExecutionProblem {
  readonly span: Span;
  /** The value of a key that has another meaning than its shape. */
  readonly valueSpan?: Span;
  /** A sentence that describes the fault. */
  readonly message: string;
  /** A sentence that describes the fix. */
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

/** Returns the specifications of these keys. */
const keysNamed = (names: readonly string[]): KeyTable => stepKeys.filter(({ name }) => names.includes(name));

const FORMS = '`{step: …}`, `{parallel: […]}`, `{when: […], else: […]}` or `{speculate: […], until: …}`';

interface Report {
  readonly problems: ExecutionProblem[];
}

function report(walk: Report, span: Span, message: string, advice: string, fixes: readonly ShapeFix[] = []): void {
  walk.problems.push({ span, message, advice, fixes });
}

/** Reports a step of unknown kind: the key that determines the kind is misspelt or missing. */
function reportKindless(walk: Report, item: YamlMap): void {
  for (const { key } of item.entries) {
    const near = keysMeant(String(key.value), keysNamed(KINDS)).slice(0, 1);
    if (near.length === 0) continue;
    const message = `Unknown key \`${String(key.value)}\` in a step.`;
    report(walk, key.span, message, didYouMean(near).trim(), renames(key.span, near));
    return;
  }
  const [first] = item.entries;
  const name = String(first?.key.value);
  const owner = KINDS.find((kind) => KEYS[kind].includes(name));
  const message = owner
    ? `\`${name}\` requires the key \`${owner}\`, which is missing.`
    : `Unknown key \`${name}\` in a step.`;
  report(walk, first?.key.span ?? item.span, message, `Write ${FORMS}.`);
}

const renames = (span: Span, names: readonly string[]): readonly ShapeFix[] =>
  names.map((newText) => ({ title: `Rename to \`${newText}\``, safe: false, edits: [{ span, newText }] }));

/** Reports keys that a step of this kind does not have. Keys that begin with `x-` are allowed. */
function checkKeys(walk: ProblemWalk, item: YamlMap, kind: keyof typeof KEYS): void {
  const known = KEYS[kind];
  for (const { key } of item.entries) {
    const name = String(key.value);
    if (known.includes(name) || name.startsWith('x-')) continue;
    const owners = (Object.keys(KEYS) as (keyof typeof KEYS)[]).filter((one) => KEYS[one].includes(name));
    const taken = known.filter((one) => findEntry(item, one));
    const near = keysMeant(name, keysNamed(known)).filter((one) => !taken.includes(one));
    const advice =
      didYouMean(near).trim() || `Remove it, or write one of ${known.map((one) => `\`${one}\``).join(', ')}.`;
    const fixes = near.length > 0 ? renames(key.span, near) : keyRemoval(walk, item, name);
    report(walk, key.span, `${wrongKeyMessage(name, kind, owners)}.`, advice, fixes);
  }
}

function keyRemoval({ text }: ProblemWalk, item: YamlMap, name: string): readonly ShapeFix[] {
  const edits = removeEntry(text, item, name);
  return edits.length > 0 ? [{ title: `Remove \`${name}\``, safe: false, edits }] : [];
}

const WORDS: Readonly<Record<keyof typeof KEYS, string>> = {
  step: 'a single step',
  parallel: 'a parallel group',
  when: 'a branch',
  speculate: 'a speculation',
  speculated: 'a speculated step',
  until: 'the `until` step',
};

function wrongKeyMessage(name: string, kind: keyof typeof KEYS, owners: readonly (keyof typeof KEYS)[]): string {
  const [owner] = owners;
  return owner === undefined
    ? `Unknown key \`${name}\` in ${WORDS[kind]}`
    : `\`${name}\` belongs to ${WORDS[owner]}, not to ${WORDS[kind]}`;
}

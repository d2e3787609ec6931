/**
 * Reads the requests in files of other programs in `evals/`: waza, promptfoo, and lists with `should_trigger`
 * (docs/testing.md, "Files of other programs"). No such file can fail.
 */
import { findEntry, findValue, listItems, stringOf, type YamlMap, type YamlNode } from '../languages/yaml/node.ts';
import { MAX_YAML_LENGTH, parseYaml } from '../languages/yaml/parse.ts';
import { closestSlip, closestTypo, didYouMean } from '../nearest.ts';
import type { Span } from '../text.ts';
import { type Evals, NO_EVALS, REQUEST_KEYS, requestOf, type TriggerCase } from './evals.ts';

/**
 * Reads a YAML file. If it has no request, its only result says why nothing is tested, unless it is a task of waza, which
 * belongs to a suite.
 *
 * @param path relative to the folder `evals`
 * @param skill the name of the skill; undefined if it has none
 */
export function readForeignEvals(text: string, path: string, skill: string | undefined): Evals {
  if (text.length > MAX_YAML_LENGTH) return notTested(path, 'It is too long to be read.');
  const { root, broken } = parseYaml(text, { start: 0, end: text.length });
  if (broken || !root) return notTested(path, 'It is not valid YAML, so nothing in it is tested.');
  const other = findEntry(root, 'skill');
  const name = stringOf(other?.value);
  if (other && name !== undefined && skill !== undefined && name !== skill) {
    const near = closestSlip(name, [skill]) ?? closestTypo(name, [skill]);
    const message = `It is for the skill \`${name}\`, but is beside \`${skill}\`.${didYouMean(near === undefined ? [] : [near])}`;
    return notTested(path, message, other.value.span);
  }
  const triggers = [...ofWaza(root), ...ofTask(root), ...ofPromptfoo(root, skill), ...ofLists(root, MAX_DEPTH)];
  if (triggers.length > 0) return { ...NO_EVALS, triggers };
  return path.includes('/') ? NO_EVALS : notTested(path, reasonFor(root));
}

/** Returns the only result of a file of which nothing is tested. `reason` says why. */
export const notTested = (path: string, reason: string, span: Span = { start: 0, end: 0 }): Evals => ({
  ...NO_EVALS,
  results: [
    {
      kind: 'evals',
      name: path,
      of: path,
      status: 'skipped',
      isOfFile: true,
      span,
      message: `\`evals/${path}\`: ${reason}`,
    },
  ],
});

function reasonFor(root: YamlNode): string {
  const has = (...keys: readonly string[]): boolean => keys.every((key) => findValue(root, key) !== undefined);
  if (has('skill', 'tasks') || has('config', 'tasks') || has('metrics', 'tasks'))
    return 'Only waza can run its tasks, because they need a model.';
  if (has('tests') || has('prompts', 'providers')) return 'Only promptfoo can run it, because it needs a model.';
  return 'It has no request with `should_trigger`, and its form is not known, so nothing in it is tested.';
}

function trigger(value: YamlNode | undefined, shouldTrigger: boolean): readonly TriggerCase[] {
  const request = stringOf(value);
  return value && request !== undefined && request.trim() !== '' ? [{ request, shouldTrigger, span: value.span }] : [];
}

/** The keys of the trigger tests of waza. */
const WAZA_LISTS: readonly (readonly [key: string, shouldTrigger: boolean])[] = [
  ['should_trigger_prompts', true],
  ['shouldTriggerPrompts', true],
  ['should_not_trigger_prompts', false],
  ['shouldNotTriggerPrompts', false],
];

const ofWaza = (root: YamlNode): readonly TriggerCase[] =>
  WAZA_LISTS.flatMap(([key, shouldTrigger]) =>
    listItems(findValue(root, key)).flatMap((item) => trigger(findValue(item, 'prompt') ?? item, shouldTrigger)),
  );

/** Reads a task of waza that expects, or forbids, that the skill is chosen. */
function ofTask(root: YamlNode): readonly TriggerCase[] {
  const should = findValue(findValue(root, 'expected'), 'should_trigger');
  if (should?.kind !== 'scalar' || typeof should.value !== 'boolean') return [];
  return trigger(findValue(findValue(root, 'inputs'), 'prompt'), should.value);
}

/** Reads the tests of promptfoo with the assertion `skill-used` or `not-skill-used` for this skill. */
function ofPromptfoo(root: YamlNode, skill: string | undefined): readonly TriggerCase[] {
  if (skill === undefined) return [];
  const tests = root.kind === 'list' ? root : findValue(root, 'tests');
  return listItems(tests).flatMap((test) => {
    const about = listItems(findValue(test, 'assert')).flatMap((assertion) => {
      const type = stringOf(findValue(assertion, 'type'));
      const value = findValue(assertion, 'value');
      const meant = stringOf(value) ?? stringOf(findValue(value, 'name'));
      return meant === skill && (type === 'skill-used' || type === 'not-skill-used') ? [type === 'skill-used'] : [];
    });
    const [should] = about;
    return should === undefined ? [] : trigger(requestIn(findValue(test, 'vars')), should);
  });
}

/** Returns the only variable of a test, or the one that is named as a request. */
function requestIn(vars: YamlNode | undefined): YamlNode | undefined {
  if (vars?.kind !== 'map') return undefined;
  const [first, second] = vars.entries;
  if (first && !second) return first.value;
  return [...REQUEST_KEYS, 'request'].map((key) => findValue(vars, key)).find((value) => value !== undefined);
}

/** The largest nesting depth at which requests are found. */
const MAX_DEPTH = 20;

/** Reads the objects with `should_trigger` and a request in lists. */
function ofLists(node: YamlNode, depth: number): readonly TriggerCase[] {
  if (depth === 0 || node.kind === 'scalar') return [];
  if (node.kind === 'map') return node.entries.flatMap(({ value }) => ofLists(value, depth - 1));
  return node.items.flatMap((item) =>
    item.kind === 'map' ? (ofItem(item) ?? ofLists(item, depth - 1)) : ofLists(item, depth - 1),
  );
}

function ofItem(item: YamlMap): readonly TriggerCase[] | undefined {
  const should = findValue(item, 'should_trigger');
  if (should?.kind !== 'scalar' || typeof should.value !== 'boolean' || requestOf(item) === undefined) return undefined;
  return trigger(
    REQUEST_KEYS.map((key) => findValue(item, key)).find((value) => value !== undefined),
    should.value,
  );
}

/** The keys of each kind of step, and what is said where they do not belong together (docs/format.md, section 4). */
import { findEntry, type YamlMap } from '../../languages/yaml/node.ts';
import { didYouMean, nearestNames } from '../../nearest.ts';
import type { Span } from '../../text.ts';
import type { ShapeFix } from '../../vocabulary/shape-problem.ts';

export interface ExecutionProblem {
  readonly span: Span;
  /** What is wrong and why. */
  readonly message: string;
  /** What to do, as a sentence. */
  readonly advice: string;
  readonly fixes: readonly ShapeFix[];
}

type Kind = 'step' | 'parallel' | 'when' | 'speculate';

export const KINDS: readonly Kind[] = ['step', 'parallel', 'when', 'speculate'];

/** The keys of each kind of step. */
const KEYS: Readonly<Record<Kind | 'speculated' | 'until', readonly string[]>> = {
  step: ['step', 'inputs', 'condition', 'retry'],
  parallel: ['parallel'],
  when: ['when', 'else'],
  speculate: ['speculate', 'until'],
  speculated: ['step', 'inputs', 'retry', 'keep_when'],
  until: ['step', 'inputs', 'retry'],
};

export const FORMS = '`{step: …}`, `{parallel: […]}`, `{when: […], else: […]}` or `{speculate: […], until: …}`';

/** What is found on the way. */
export interface Report {
  readonly problems: ExecutionProblem[];
}

export function report(
  walk: Report,
  span: Span,
  message: string,
  advice: string,
  fixes: readonly ShapeFix[] = [],
): void {
  walk.problems.push({ span, message, advice, fixes });
}

/** A key of its own kind is missing: misspelt, or forgotten. */
export function reportKindless(walk: Report, item: YamlMap): void {
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
export function checkKeys(walk: Report, item: YamlMap, kind: keyof typeof KEYS): void {
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

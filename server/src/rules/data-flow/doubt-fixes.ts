/** Advice and fixes for values that exist only if a step runs. */

import type { Doubt, DoubtfulExit } from '../../analysis/data-flow/doubts.ts';
import { type Fix, fixHere, type RelatedLocation } from '../../finding.ts';
import { removeEntry } from '../../languages/yaml/edit.ts';
import { mapEntries, type YamlMap, type YamlNode } from '../../languages/yaml/node.ts';
import { findSkillEntry } from '../../skill/contract.ts';
import type { Guard } from '../../skill/execution/execution.ts';
import type { SkillFile } from '../../skill/skill-file.ts';

/** Returns the condition under which a value exists, as the end of a sentence about the value. */
export function conditionText({ by, guard, step, exit }: Doubt): string {
  if (exit) return `only if \`${step}\` does not end ${EXITS[exit.on]} first`;
  if (!guard) return 'only if no condition in its `when` is true';
  return by === 'keep_when'
    ? `only if \`${guard.source}\` is true, because otherwise its step is cancelled`
    : `only if \`${guard.source}\` is true`;
}

/**
 * Returns a sentence that says how to guarantee a value. `name` is its name in the flow; undefined for an item of a list.
 * `otherwise` is another way to avoid the gap, as an imperative.
 */
export function adviceOn({ by, step }: Doubt, name: string | undefined, otherwise: string): string {
  if (by === 'exit') return `Let \`${step}\` end with \`exit: {on: output_schema}\`, or ${otherwise}.`;
  if (name === undefined) return `Always ${by === 'keep_when' ? 'keep' : 'run'} \`${step}\`, or ${otherwise}.`;
  if (by === 'arm') return `Provide \`${name}\` in all other arms, including \`else\`, or ${otherwise}.`;
  if (by === 'keep_when') return `Always keep \`${step}\`, or ${otherwise}.`;
  return `Always run \`${step}\`, provide \`${name}\` in the \`else\` of a \`when\`, or ${otherwise}.`;
}

/** The ways to end without an output, in words. */
export const EXITS: Readonly<Record<DoubtfulExit['on'], string>> = {
  tool_budget: 'by its tool budget',
  interrupt: 'by its interrupt',
  caller: 'by its caller',
};

/** Returns the location of the condition or of the exit of a doubt; an `else` has no location. */
export const placeOfDoubt = ({ uri }: SkillFile, { guard, step, exit }: Doubt): readonly RelatedLocation[] =>
  exit
    ? [{ uri: exit.uri, span: exit.span, message: `With this exit, \`${step}\` may end without its output` }]
    : guard
      ? [{ uri, span: guard.span, message: `This condition decides whether \`${step}\` runs to its end` }]
      : [];

/** Returns the fix that removes the condition of a step. The condition of an arm has no such fix. */
export function removeCondition(file: SkillFile, { by, guard, step }: Doubt): readonly Fix[] {
  if (!guard || by === 'arm') return [];
  const execution = findSkillEntry(file.frontmatter.tree.root, 'execution')?.value;
  const holder = execution && mapThatHolds(execution, guard);
  const edits = holder ? removeEntry(file.text, holder, by) : [];
  return fixHere(file, by === 'condition' ? `Always run \`${step}\`` : `Always keep \`${step}\``, edits);
}

/** Returns the map that contains the condition. */
function mapThatHolds(root: YamlNode, { span }: Guard): YamlMap | undefined {
  // Recursion could overflow the stack, because blocks may be nested very deep.
  const waiting = [root];
  for (let at = waiting.pop(); at; at = waiting.pop()) {
    if (at.kind === 'map' && at.entries.some(({ value }) => value.span.start === span.start)) return at;
    waiting.push(...(at.kind === 'list' ? at.items : mapEntries(at).map(({ value }) => value)));
  }
  return undefined;
}

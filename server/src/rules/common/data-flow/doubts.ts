/** Values that are there only where a step runs, and whether that is so (docs/format.md, section 4, "Data flow"). */
import type { Fix, RelatedPlace } from '../../../finding.ts';
import { mapEntries, type YamlMap, type YamlNode } from '../../../languages/yaml/node.ts';
import { removeEntry } from '../../../languages/yaml/remove.ts';
import { findSkillEntry } from '../../../skill/contract.ts';
import type { Guard } from '../../../skill/execution/execution.ts';
import type { SkillFile } from '../../../skill/skill-file.ts';
import { fixHere } from '../../rule.ts';

/** Why it is decided at run time whether a step runs. */
export interface Doubt {
  readonly by: 'condition' | 'arm' | 'keep_when';
  /** Undefined for an `else`. */
  readonly guard: Guard | undefined;
  /** What steps call the one that may not run. */
  readonly step: string;
}

/** When a value is there, to stand behind "is there". */
export function whereOf({ by, guard }: Doubt): string {
  if (!guard) return 'only where no condition of its `when` holds';
  return by === 'keep_when'
    ? `only where \`${guard.source}\` keeps it from being cancelled`
    : `only where \`${guard.source}\` holds`;
}

export function adviceOn({ by, step }: Doubt, name: string): string {
  const or = `or give \`${name}\` a default where it is taken`;
  if (by === 'arm') return `Give \`${name}\` in every other arm too, the \`else\` among them, ${or}.`;
  if (by === 'keep_when') return `Keep \`${step}\` in any case, ${or}.`;
  return `Run \`${step}\` in any case, give \`${name}\` in the \`else\` of a \`when\` too, ${or}.`;
}

export const placeOfDoubt = ({ uri }: SkillFile, { guard, step }: Doubt): readonly RelatedPlace[] =>
  guard ? [{ uri, span: guard.span, message: `this decides whether \`${step}\` runs to its end` }] : [];

/** Removes the step's own condition. */
export function withoutDoubt(file: SkillFile, { by, guard, step }: Doubt): readonly Fix[] {
  if (!guard || by === 'arm') return [];
  const execution = findSkillEntry(file.frontmatter.tree.root, 'execution')?.value;
  const holder = execution && mapThatHolds(execution, guard);
  const edits = holder ? removeEntry(file.text, holder, by) : [];
  return fixHere(file, by === 'condition' ? `Run \`${step}\` in any case` : `Keep \`${step}\` in any case`, edits);
}

/** The map one of whose values is the condition. */
function mapThatHolds(root: YamlNode, { span }: Guard): YamlMap | undefined {
  // No recursion: blocks may be nested very deep.
  const waiting = [root];
  for (let at = waiting.pop(); at; at = waiting.pop()) {
    if (at.kind === 'map' && at.entries.some(({ value }) => value.span.start === span.start)) return at;
    waiting.push(...(at.kind === 'list' ? at.items : mapEntries(at).map(({ value }) => value)));
  }
  return undefined;
}

/** Under which conditions a step runs. */
export interface Guards {
  readonly conditions: readonly Guard[];
  /** True also within an `else`, which has none of its own. */
  readonly isConditional: boolean;
}

export const UNCONDITIONAL: Guards = { conditions: [], isConditional: false };

/** Whether what asks for a value runs only where the value is there, or asks for its step in its own condition. */
export function isSettled({ guard, step }: Doubt, { conditions }: Guards): boolean {
  if (conditions.some(({ references }) => references.some(({ source }) => source === step))) return true;
  const known = new Set(conditions.flatMap(conjuncts));
  return guard !== undefined && conjuncts(guard).every((part) => known.has(part));
}

/** The parts of an `and`; a condition with other operators of little binding is one part. */
const conjuncts = ({ source }: Guard): readonly string[] =>
  /\b(?:or|if)\b/.test(source) ? [source] : source.split(/\s+and\s+/);

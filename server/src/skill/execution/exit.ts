/** Reads the `exit` of a skill and finds its faults (docs/format.md, section 2). */
import { findEntry, findValue, isNull, numberOf, type YamlNode } from '../../languages/yaml/node.ts';
import { inWords, nearestNames } from '../../nearest.ts';
import type { Span } from '../../text.ts';
import { findSkillEntry, type Named, namedOf, type SkillContract } from '../contract.ts';

export type Exit =
  | { readonly on: 'output_schema' }
  | { readonly on: 'tool_budget'; readonly maxToolCalls: number }
  | { readonly on: 'interrupt'; readonly name: string }
  | { readonly on: 'caller' };

export interface ExitProblem {
  readonly span: Span;
  readonly message: string;
  /** A sentence that describes the fix. */
  readonly suggestion: string;
  /**
   * True if the schema check also reports this fault, because the kind or the number is invalid, or `on` is missing.
   */
  readonly isShape: boolean;
  /** The key to remove, if it has no effect. */
  readonly surplus?: string;
  /** For an unknown interrupt, the declared names that are similar, most similar first. */
  readonly near?: readonly string[];
}

export interface ReadExit {
  readonly exit: Exit;
  /**
   * The problems of the exit. If there are any problems, `exit` is only a placeholder, and the skill cannot be
   * composed.
   */
  readonly problems: readonly ExitProblem[];
}

/** The key that each kind of exit requires in addition to `on`. */
const NEEDS: Readonly<Record<Exit['on'], string | undefined>> = {
  output_schema: undefined,
  tool_budget: 'max_tool_calls',
  interrupt: 'name',
  caller: undefined,
};

/**
 * Reads the `exit` from the root of a frontmatter (docs/format.md, section 2). Without `exit`, an output ends the skill
 * if it declares an output schema, otherwise the caller ends it. Never throws.
 */
export function readExit(root: YamlNode | undefined, contract: Pick<SkillContract, 'output' | 'interrupts'>): ReadExit {
  const node = findSkillEntry(root, 'exit')?.value;
  const usual: Exit = { on: contract.output ? 'output_schema' : 'caller' };
  if (!node || isNull(node)) return { exit: usual, problems: [] };
  const kind = namedOf(findValue(node, 'on'));
  const on = kind && isKind(kind.name) ? kind.name : undefined;
  if (!kind || !on) {
    const message = 'The key `on` in `exit` is missing or invalid.';
    const suggestion = `Set it to ${inWords(Object.keys(NEEDS), 'or')}.`;
    return { exit: usual, problems: [{ span: kind?.span ?? node.span, message, suggestion, isShape: true }] };
  }
  const { exit = usual, problem } = readKind(node, { ...kind, name: on }, contract);
  return { exit, problems: [...(problem ? [problem] : []), ...surplusKeys(node, on)] };
}

const isKind = (word: string): word is Exit['on'] => Object.hasOwn(NEEDS, word);

interface KindRead {
  readonly exit?: Exit;
  readonly problem?: ExitProblem;
}

function readKind(
  node: YamlNode,
  { name: on, span }: Named & { readonly name: Exit['on'] },
  { output, interrupts }: Pick<SkillContract, 'output' | 'interrupts'>,
): KindRead {
  const lacking = (message: string, suggestion: string): KindRead => ({
    problem: { span, message, suggestion, isShape: false },
  });
  switch (on) {
    case 'caller':
      return { exit: { on } };
    case 'output_schema':
      if (output) return { exit: { on } };
      return lacking('This exit requires `output_schema`, which is missing.', 'Declare it, or choose another exit.');
    case 'tool_budget':
      return readBudget(findValue(node, 'max_tool_calls'), lacking);
    case 'interrupt':
      return readInterrupt(namedOf(findValue(node, 'name')), interrupts, lacking);
  }
}

function readBudget(node: YamlNode | undefined, lacking: (message: string, suggestion: string) => KindRead): KindRead {
  const maxToolCalls = numberOf(node);
  if (maxToolCalls !== undefined && Number.isInteger(maxToolCalls) && maxToolCalls > 0) {
    return { exit: { on: 'tool_budget', maxToolCalls } };
  }
  const suggestion = 'Write for example `max_tool_calls: 10`.';
  if (!node || isNull(node)) return lacking('Missing key `max_tool_calls`.', suggestion);
  const message = '`max_tool_calls` must be a whole number of at least 1.';
  return { problem: { span: node.span, message, suggestion, isShape: true } };
}

function readInterrupt(
  named: Named | undefined,
  interrupts: SkillContract['interrupts'],
  lacking: (message: string, suggestion: string) => KindRead,
): KindRead {
  if (!named) return lacking('Missing key `name`.', 'Add it with the name of an interrupt from `interrupts`.');
  const { name, span } = named;
  const declared = interrupts.map((interrupt) => interrupt.name);
  if (declared.includes(name)) return { exit: { on: 'interrupt', name } };
  const near = nearestNames(name, declared);
  const message = `Unknown interrupt \`${name}\`.`;
  const suggestion = near.length > 0 ? `Did you mean ${inWords(near, 'or')}?` : 'Declare it under `interrupts`.';
  return { problem: { span, message, suggestion, isShape: false, near } };
}

/** Reports keys that belong to another kind of exit and therefore have no effect. */
function surplusKeys(node: YamlNode, on: Exit['on']): readonly ExitProblem[] {
  const foreign = Object.entries(NEEDS).flatMap(([other, key]) => (key && key !== NEEDS[on] ? [[other, key]] : []));
  return foreign.flatMap(([other, key = '']) => {
    const entry = findEntry(node, key);
    if (!entry) return [];
    const message = `\`${key}\` has no effect with \`on: ${on}\`.`;
    const suggestion = `Remove it, or write \`on: ${other}\`.`;
    return [{ span: entry.key.span, message, suggestion, isShape: false, surplus: key }];
  });
}

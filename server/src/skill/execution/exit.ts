/** What "done" means for a skill: its `exit`, and what is wrong with it (docs/format.md, section 2). */
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
  /** What to do. */
  readonly suggestion: string;
  /** The table of keys says the same: the kind or the number is none, or `on` is missing. */
  readonly isShape: boolean;
  /** For an interrupt that the skill does not declare: the declared names that it may mean, nearest first. */
  readonly near?: readonly string[];
}

export interface ReadExit {
  readonly exit: Exit;
  /** Where there is one, `exit` is only a stand-in, and nothing composes. */
  readonly problems: readonly ExitProblem[];
}

/** The key that each exit needs beside `on`. */
const NEEDS: Readonly<Record<Exit['on'], string | undefined>> = {
  output_schema: undefined,
  tool_budget: 'max_tool_calls',
  interrupt: 'name',
  caller: undefined,
};

/** Without `exit`, an output ends the skill where an output schema is declared, else the caller does. */
export function readExit(root: YamlNode | undefined, contract: Pick<SkillContract, 'output' | 'interrupts'>): ReadExit {
  const node = findSkillEntry(root, 'exit')?.value;
  const usual: Exit = { on: contract.output ? 'output_schema' : 'caller' };
  if (!node || isNull(node)) return { exit: usual, problems: [] };
  const kind = namedOf(findValue(node, 'on'));
  const on = kind && isKind(kind.name) ? kind.name : undefined;
  if (!kind || !on) {
    const message = '`exit` does not say what ends the skill.';
    const suggestion = `Write one of ${inWords(Object.keys(NEEDS), 'or')} under \`on\`.`;
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
      return lacking(
        'The exit waits for an output that fits `output_schema`, and the skill declares none.',
        'Declare `output_schema`, or choose another exit.',
      );
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
  const suggestion = 'Add `max_tool_calls` with a number of at least 1.';
  if (!node || isNull(node)) return lacking('The exit is a budget of tool calls without a number.', suggestion);
  const message = 'The budget of tool calls is no whole number of at least 1.';
  return { problem: { span: node.span, message, suggestion, isShape: true } };
}

function readInterrupt(
  named: Named | undefined,
  interrupts: SkillContract['interrupts'],
  lacking: (message: string, suggestion: string) => KindRead,
): KindRead {
  if (!named) return lacking('The exit is an interrupt without a name.', 'Add `name`, one of `interrupts`.');
  const { name, span } = named;
  const declared = interrupts.map((interrupt) => interrupt.name);
  if (declared.includes(name)) return { exit: { on: 'interrupt', name } };
  const near = nearestNames(name, declared);
  const message = `The exit waits for the interrupt \`${name}\`, which \`interrupts\` does not declare, so it never fires.`;
  const suggestion = near.length > 0 ? `Did you mean ${inWords(near, 'or')}?` : 'Declare it.';
  return { problem: { span, message, suggestion, isShape: false, near } };
}

/** Keys of another exit: nothing would read them. */
function surplusKeys(node: YamlNode, on: Exit['on']): readonly ExitProblem[] {
  const foreign = Object.entries(NEEDS).flatMap(([other, key]) => (key && key !== NEEDS[on] ? [[other, key]] : []));
  return foreign.flatMap(([other, key = '']) => {
    const entry = findEntry(node, key);
    if (!entry) return [];
    const message = `\`${key}\` does not belong to \`on: ${on}\`, so nothing would read it.`;
    return [{ span: entry.key.span, message, suggestion: `Remove it, or write \`on: ${other}\`.`, isShape: false }];
  });
}

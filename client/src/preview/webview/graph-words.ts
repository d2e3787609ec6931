/** The graph in words: what stands in a box, what a screen reader says, and the list that says all of it. */
import type { ExitCondition, GraphEdge, ShownInterrupt, ShownNode, ShownShape } from '../messages.ts';
import { plural } from './view.ts';

/** What a box shows large, and the lines small beneath it (to be wrapped). */
export function wordsOf(node: ShownNode, shape: ShownShape): { title: string; lines: readonly string[] } {
  if (node.kind === 'check_exit') return { title: exitWords(shape.exitCondition), lines: [] };
  const title = node.kind === 'plan' && node.stage ? node.stage.name : node.label;
  return { title, lines: detailsOf(node, title) };
}

function detailsOf(
  { kind, stage, instructions, guidance, tools, skill, subgraph, retry, timeoutMs }: ShownNode,
  title: string,
): string[] {
  const lines: string[] = [];
  if (kind === 'plan' && stage) lines.push(`stage ${stage.index}`);
  if (kind === 'plan' && (instructions ?? guidance)) lines.push(firstLine(instructions ?? guidance ?? '', title));
  if (tools) lines.push(tools.length === 0 ? 'no tools' : tools.join(', '));
  if (skill) {
    const version = skill.version === undefined ? '' : ` ${skill.version}`;
    const named = skill.name === title ? version.trim() : `${skill.name}${version}`;
    if (named !== '') lines.push(named);
    if (subgraph === undefined) lines.push('not in this workspace');
  }
  if (retry) lines.push(`up to ${plural(retry.maxAttempts, 'attempt')}`);
  if (timeoutMs !== undefined) lines.push(`at most ${duration(timeoutMs)}`);
  return lines;
}

const duration = (milliseconds: number): string =>
  milliseconds % 1000 === 0 ? `${milliseconds / 1000} s` : `${milliseconds} ms`;

/** Without what is said already: a stage often begins with its own name in bold. */
const firstLine = (text: string, title: string): string => {
  const words = text.trim().replaceAll('**', '');
  const rest = words.startsWith(title) ? words.slice(title.length).replace(/^[\s.:,]+/, '') : words;
  const line = rest.split('\n', 1)[0] ?? '';
  return line.length > 72 ? `${line.slice(0, 71)}…` : line;
};

/** When the skill is done. */
export function exitWords(exit: ExitCondition): string {
  const bound = exit.maxToolCalls === undefined ? '' : `, at most ${plural(exit.maxToolCalls, 'tool call')}`;
  if (exit.on === 'output_schema') return `Done when the output fits its schema${bound}`;
  if (exit.on === 'tool_budget') return `Done after ${plural(exit.maxToolCalls, 'tool call')}`;
  return `Done when the caller says so${bound}`;
}

export function interruptWords({ name, when, message, tools }: ShownInterrupt): string {
  const condition = when === undefined ? '' : ` when ${when}`;
  const before = tools && tools.length > 0 ? ` before ${tools.join(', ')}` : '';
  return `Interrupt ${name}${before}${condition}${message === undefined ? '' : `: ${message}`}`;
}

export const interruptsAt = (shape: ShownShape, node: ShownNode): readonly ShownInterrupt[] =>
  shape.interrupts.filter((one) => one.node === node.id);

const kindWords: Readonly<Record<string, string>> = {
  skill: 'skill',
  branch: 'branch',
  parallel: 'side by side',
  join: 'waits for all',
  speculate: 'side by side, the rest is cancelled',
  call_service: 'service',
};

/** What a screen reader says of a node: what its box shows, or else its title; then its kind and what fires at it. */
export function sentenceOf(node: ShownNode, shape: ShownShape, shown: string): string {
  const kind = kindWords[node.kind];
  const interrupts = interruptsAt(shape, node).map(interruptWords);
  const words = shown === '' ? wordsOf(node, shape).title : shown;
  return [words, ...(kind ? [kind] : []), ...interrupts].join('; ');
}

/** Where it goes on: `then Plan`, `if input.deep: Search`, `else Write`, `back to Plan`. */
export function wayWords({ kind, condition, label }: GraphEdge, target: string): string {
  const named = label === undefined ? '' : ` (${label})`;
  if (condition !== undefined) return `if ${condition}: ${target}${named}`;
  if (kind === 'branch' && label !== undefined) return `if ${label}: ${target}`;
  if (kind === 'loop') return `back to ${target}${named}`;
  return kind === 'branch' ? `else ${target}${named}` : `then ${target}${named}`;
}

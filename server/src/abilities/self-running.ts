/**
 * Finds commands that run automatically: `` !`command` ``, fences with the info string `!`, and hooks
 * (docs/abilities.md, "Commands").
 */

import type { CommandRules } from '../clients/facts/client.ts';
import { findValue, isNull, jsonOf, mapEntries, type YamlNode } from '../languages/yaml/node.ts';
import { type Body, parseBody } from '../skill/body.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { findTouching, type Span, shift, span, spanOf } from '../text.ts';

export interface SelfRunning {
  /** The syntax of the command. A `hook` is in the frontmatter, usually with an event such as `PreToolUse`. */
  readonly kind: 'inline' | 'fence' | 'hook';
  readonly event?: string;
  readonly command: string;
  /** False for a hook that sends a prompt, requests an address or calls a tool. */
  readonly isCommand: boolean;
  readonly span: Span;
}

export function findSelfRunning(file: SkillFile): readonly SelfRunning[] {
  const inBody = bodyCommands(file).map(({ kind, command, span }) => ({ kind, command, isCommand: true, span }));
  return [...hooksOf(file.frontmatter.tree.root), ...inBody];
}

/** A command in a body that a client runs when the skill is invoked. */
export interface BodyCommand {
  readonly kind: 'inline' | 'fence';
  readonly command: string;
  /** The whole command in the text, with its `!` and backticks. */
  readonly span: Span;
  /** The offset of the `!`. */
  readonly mark: number;
}

/** A part of a body. A command in another part than `text` is mostly meant as an example. */
export interface Place {
  readonly kind: 'text' | 'fence' | 'code-span' | 'comment';
  readonly span: Span;
}

/** Returns the fence (its content), code span or comment that contains an offset of the file, or the body. */
export function placeIn(body: Body, offset: number): Place {
  const holding = <Part>(parts: readonly Part[], spanOf: (part: Part) => Span): Span | undefined => {
    const found = findTouching(parts, offset, spanOf);
    const place = found && spanOf(found);
    return place && place.start <= offset && offset < place.end ? place : undefined;
  };
  const fence = holding(body.fences, ({ contentSpan }) => contentSpan);
  if (fence) return { kind: 'fence', span: fence };
  const code = holding(body.codeSpans, (one) => one);
  if (code) return { kind: 'code-span', span: code };
  const comment = holding(body.htmlComments, ({ span: one }) => one);
  return comment ? { kind: 'comment', span: comment } : { kind: 'text', span: body.span };
}

/** The form of commands that Claude Code runs, and most other clients with commands, too. */
const COMMON_RULES: CommandRules = { inline: 'after-space', fenced: true, inCode: true };

/**
 * Returns the commands in a body that a client with these rules runs, in the order of the text. A client with `inCode`
 * searches the text as written, without regard to fences and code spans (docs/abilities.md, "Commands").
 */
export function commandsIn(text: string, rules: CommandRules = COMMON_RULES): readonly BodyCommand[] {
  const fences = rules.fenced ? matchesOf(text, 'fence', /```!\s*([\s\S]*?)```/g) : [];
  const inline = matchesOf(text, 'inline', rules.inline === 'after-space' ? /(?<!\S)!`([^`]+)`/g : /!`([^`]+)`/g);
  const outside = inline.filter(({ span: { start } }) => !findTouching(fences, start, spanOf));
  const found = [...fences, ...outside].sort((a, b) => a.span.start - b.span.start);
  if (rules.inCode === true || found.length === 0) return found;
  const body = parseBody(text, 0, undefined, true);
  const places = rules.inCode === 'spans' ? ['text', 'code-span'] : ['text'];
  return found.filter(({ mark }) => places.includes(placeIn(body, mark).kind));
}

const matchesOf = (text: string, kind: BodyCommand['kind'], pattern: RegExp): readonly BodyCommand[] =>
  [...text.matchAll(pattern)].flatMap(({ index, 0: all, 1: command = '' }) =>
    command.trim() === ''
      ? []
      : [{ kind, command: command.trim(), span: span(index, index + all.length), mark: index + all.indexOf('!') }],
  );

/** Returns the commands of the body with spans in the file, also those in fences and code spans. */
export function bodyCommands({ text, body }: SkillFile): readonly BodyCommand[] {
  if (!body) return [];
  const { start } = body.span;
  return commandsIn(text.slice(start)).map((one) => ({ ...one, span: shift(one.span, start), mark: start + one.mark }));
}

/** Returns the hooks. An event whose hooks have another form than the known one counts as one hook. */
function hooksOf(root: YamlNode | undefined): readonly SelfRunning[] {
  const hooks = findValue(root, 'hooks');
  const events = hooks?.kind === 'map' ? hooks.entries : [];
  const others = hooks === undefined || hooks.kind === 'map' ? [] : hookIn(hooks, undefined);
  return [...events.flatMap(({ key, value }) => hookIn(value, String(key.value))), ...others];
}

function hookIn(node: YamlNode, event: string | undefined): readonly SelfRunning[] {
  if (isNull(node)) return [];
  const named = event === undefined ? {} : { event };
  const hook = (action: YamlNode, isCommand: boolean): SelfRunning => ({
    ...{ kind: 'hook', ...named, command: textOf(action) },
    ...{ isCommand, span: action.span },
  });
  const commands = actionsIn(node).map(({ key, value }) => hook(value, key === 'command'));
  return commands.length > 0 ? commands : [hook(node, true)];
}

/** The keys of a hook whose values say what it does. */
const ACTIONS: ReadonlySet<unknown> = new Set(['command', 'prompt', 'url', 'tool']);

interface Action {
  readonly key: unknown;
  readonly value: YamlNode;
}

/** Returns the values that say what hooks do, at any depth. */
function actionsIn(node: YamlNode): readonly Action[] {
  if (node.kind === 'list') return node.items.flatMap(actionsIn);
  return mapEntries(node).flatMap(({ key, value }) =>
    ACTIONS.has(key.value) && value.kind !== 'map' && !isNull(value) ? [{ key: key.value, value }] : actionsIn(value),
  );
}

const textOf = (node: YamlNode): string => {
  const value = jsonOf(node);
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
    ? value.join(' ')
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);
};

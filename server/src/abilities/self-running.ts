/**
 * Finds commands that run automatically: `` !`command` ``, fences with the info string `!`, and hooks
 * (docs/abilities.md, "Commands").
 */
import { findValue, isNull, jsonOf, mapEntries, type YamlNode } from '../languages/yaml/node.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { type Span, span } from '../text.ts';

export interface SelfRunning {
  /** The syntax of the command. A `hook` is in the frontmatter, usually with an event such as `PreToolUse`. */
  readonly kind: 'inline' | 'fence' | 'hook';
  readonly event?: string;
  readonly command: string;
  readonly span: Span;
}

export function findSelfRunning(file: SkillFile): readonly SelfRunning[] {
  return [...hooksOf(file.frontmatter.tree.root), ...inBody(file)];
}

/** Returns the commands of the body. Inline commands in fences do not count, because most of them are examples. */
function inBody({ text, body }: SkillFile): readonly SelfRunning[] {
  if (!body) return [];
  const inline = body.codeSpans.flatMap((code): SelfRunning[] => {
    const written = text.slice(code.start, code.end);
    // A code span in double backticks only quotes a command.
    const command = /^`([^`]+)`$/.exec(written)?.[1]?.trim();
    if (!command || text[code.start - 1] !== '!' || !/^\s?$/.test(text.slice(code.start - 2, code.start - 1)))
      return [];
    return [{ kind: 'inline', command, span: span(code.start - 1, code.end) }];
  });
  const fences = body.fences.flatMap((fence): SelfRunning[] =>
    fence.info === '!'
      ? [
          {
            kind: 'fence',
            command: text.slice(fence.contentSpan.start, fence.contentSpan.end).trim(),
            span: fence.infoSpan,
          },
        ]
      : [],
  );
  return [...inline, ...fences].sort((a, b) => a.span.start - b.span.start);
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
  const commands = actionsIn(node).map(
    (action): SelfRunning => ({ kind: 'hook', ...named, command: textOf(action), span: action.span }),
  );
  return commands.length > 0 ? commands : [{ kind: 'hook', ...named, command: textOf(node), span: node.span }];
}

/** The keys of a hook whose values say what it does. */
const ACTIONS: ReadonlySet<unknown> = new Set(['command', 'prompt', 'url', 'tool']);

/** Returns the values that say what hooks do, at any depth. */
function actionsIn(node: YamlNode): readonly YamlNode[] {
  if (node.kind === 'list') return node.items.flatMap(actionsIn);
  return mapEntries(node).flatMap(({ key, value }) =>
    ACTIONS.has(key.value) && value.kind !== 'map' && !isNull(value) ? [value] : actionsIn(value),
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

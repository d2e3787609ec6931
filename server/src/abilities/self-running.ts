/**
 * Finds commands that run automatically: `` !`command` ``, fences with the info string `!`, and hooks
 * (docs/abilities.md, "Commands").
 */
import { findValue, listItems, mapEntries, type YamlNode } from '../languages/yaml/node.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { type Span, span } from '../text.ts';

export interface SelfRunning {
  /** The syntax of the command. A `hook` is in the frontmatter, with an event such as `PreToolUse`. */
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

function hooksOf(root: YamlNode | undefined): readonly SelfRunning[] {
  return mapEntries(findValue(root, 'hooks')).flatMap(({ key, value }) =>
    listItems(value).flatMap((matcher) =>
      [matcher, ...listItems(findValue(matcher, 'hooks'))].flatMap((hook): SelfRunning[] => {
        const command = findValue(hook, 'command');
        if (command?.kind !== 'scalar' || typeof command.value !== 'string') return [];
        return [{ kind: 'hook', event: String(key.value), command: command.value, span: command.span }];
      }),
    ),
  );
}

/** The keys of a `SKILL.md` that go on behind the `---` that closes its frontmatter. */
import { mapEntries, type YamlEntry } from '../../../languages/yaml/node.ts';
import { parseYaml } from '../../../languages/yaml/parse.ts';
import type { SkillFile } from '../../../skill/skill-file.ts';
import { afterBreak, endOfLine, type Span, span } from '../../../text.ts';
import { knownAgentSkillKeys } from '../../../vocabulary/agent-skill-lookup.ts';
import { nameOf } from './entries.ts';

export interface SecondFrontmatter {
  readonly entries: readonly YamlEntry[];
  /** The lines of the keys. */
  readonly content: Span;
  /** From the fence that closes the first part to the first of the keys. */
  readonly gap: Span;
  readonly hasClose: boolean;
}

/** More lines are not looked at. */
const MAX_LINES = 100;

/** Undefined where the body begins with anything that may be prose. */
export function findSecondFrontmatter({ text, frontmatter }: SkillFile): SecondFrontmatter | undefined {
  const { close, bodyStart, tree } = frontmatter;
  if (!close || tree.broken) return undefined;
  let start = skipEmptyLines(text, bodyStart);
  const isOpened = /^---[ \t]*$/.test(lineAt(text, start));
  if (isOpened) start = afterBreak(text, endOfLine(text, start));
  const { end, hasClose } = findEnd(text, start);
  if (isOpened && !hasClose) return undefined;
  const second = parseYaml(text, span(start, end));
  const entries = second.broken ? [] : mapEntries(second.root);
  const known = new Set(knownAgentSkillKeys());
  if (!entries.some((entry) => known.has(nameOf(entry)))) return undefined;
  // Without a fence of its own, only keys and nothing else: `name: …` may be a line of prose among others.
  if (!hasClose && !entries.every((entry) => known.has(nameOf(entry)))) return undefined;
  return { entries, content: span(start, end), gap: span(close.start, start), hasClose };
}

/** The lines up to the closing fence, or without one up to the first empty line. */
function findEnd(text: string, start: number): { readonly end: number; readonly hasClose: boolean } {
  let firstEmpty: number | undefined;
  let at = start;
  for (let lines = 0; lines < MAX_LINES && at < text.length; lines++) {
    const line = lineAt(text, at);
    if (/^---[ \t]*$/.test(line)) return { end: at, hasClose: true };
    if (line.trim() === '') firstEmpty ??= at;
    // A heading or prose behind an empty line: no fence follows that belongs to these keys.
    else if (firstEmpty !== undefined && !/^[ \t]|^[\w-]+:(?:[ \t]|$)|^-[ \t]/.test(line)) break;
    at = afterBreak(text, endOfLine(text, at));
  }
  return { end: firstEmpty ?? at, hasClose: false };
}

const lineAt = (text: string, start: number): string =>
  text.slice(start, Math.min(endOfLine(text, start), start + 1000));

function skipEmptyLines(text: string, from: number): number {
  let at = from;
  while (at < text.length && lineAt(text, at).trim() === '') at = afterBreak(text, endOfLine(text, at));
  return at;
}

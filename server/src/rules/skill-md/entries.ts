/** Helpers for rules about the keys of a `SKILL.md`. */
import type { Draft, Fix } from '../../finding.ts';
import { fixHere } from '../../finding.ts';
import { formatScalar, insertEntry, removeEntry, renameKey, setScalar } from '../../languages/yaml/edit.ts';
import { findEntry, mapEntries, type YamlEntry, type YamlMap, type YamlNode } from '../../languages/yaml/node.ts';
import { parseYaml } from '../../languages/yaml/parse.ts';
import { closestTypo, didYouMean } from '../../nearest.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { afterBreak, endOfLine, overlaps, type Span, sliceOf, span, type TextEdit } from '../../text.ts';
import {
  hookClient,
  hookEvents,
  knownAgentSkillKeys,
  type MisspeltEntry,
  readForeignEntries,
} from '../../vocabulary/agent-skill-clients.ts';

/** Returns the fix that renames a misspelt key, unless the file has the right one, too. */
export function renameMisspelt(file: SkillFile, { entry, meant }: MisspeltEntry): Fix[] {
  const { root } = file.frontmatter.tree;
  const edits = root?.kind === 'map' && !findEntry(root, meant) ? renameKey(file.text, root, nameOf(entry), meant) : [];
  return fixHere(file, `Rename to \`${meant}\``, edits);
}

export const nameOf = ({ key }: YamlEntry): string => String(key.value);

export const STANDARD = 'Agent Skills specification, https://agentskills.io/specification';

/** Returns the keys that the standard does not define. */
export const foreignEntriesOf = (file: SkillFile): ReturnType<typeof readForeign> => file.derive(readForeign);

const readForeign = ({ frontmatter }: SkillFile) => readForeignEntries(frontmatter.tree);

// Client-specific keys that have no effect.

/** Reports an `agent` without `context: fork`, or with `context: inline`. The key names the subagent that runs a forked skill. */
export function* agentWithoutFork(file: SkillFile): Iterable<Draft> {
  const { root } = file.frontmatter.tree;
  const agent = findEntry(root, 'agent');
  const context = findEntry(root, 'context')?.value;
  if (root?.kind !== 'map' || !agent || (context && (context.kind !== 'scalar' || context.value !== 'inline'))) return;
  const [change, edits] = context
    ? ['Replace `inline` with `fork`', setScalar(file.text, context, 'fork')]
    : ['Add `context: fork`', insertEntry(file.text, root, 'context', 'fork', { before: 'agent' })];
  yield {
    severity: 'hint',
    span: agent.key.span,
    message: `\`agent\` has no effect without \`context: fork\`. ${change}.`,
    fixes: fixHere(file, change, edits),
  };
}

/** The maximum number of hook events that are checked. */
const MAX_EVENTS = 100;

/**
 * Reports an unknown hook event as a hint, because clients often add events; a clear misspelling is a warning.
 */
export function* unknownHookEvents(file: SkillFile): Iterable<Draft> {
  for (const { key } of mapEntries(findEntry(file.frontmatter.tree.root, 'hooks')?.value).slice(0, MAX_EVENTS)) {
    const name = String(key.value);
    if (hookEvents.includes(name)) continue;
    const meant = closestTypo(name, hookEvents);
    yield {
      severity: meant ? 'warning' : 'hint',
      span: key.span,
      message: `Unknown hook event \`${name.slice(0, 100)}\`.${meant ? didYouMean([meant]) : ` Use an event of ${hookClient}, such as \`PreToolUse\`, \`PostToolUse\` or \`Stop\`.`}`,
      fixes: meant ? fixHere(file, `Replace with \`${meant}\``, [{ span: key.span, newText: meant }]) : [],
    };
  }
}

/** The result of moving top-level keys of a `SKILL.md` under its `metadata`. */
interface Move {
  /** The names of the keys that move. A key whose value cannot be a string does not move. */
  readonly moved: readonly string[];
  readonly edits: readonly TextEdit[];
}

/** The maximum number of keys that are moved. */
const MAX_MOVED = 50;

const NOTHING: Move = { moved: [], edits: [] };

/**
 * Returns the edits that move entries under `metadata` and write their values as strings, which the standard requires.
 */
export function moveUnderMetadata(file: SkillFile, entries: readonly YamlEntry[]): Move {
  const { text, frontmatter } = file;
  const { root } = frontmatter.tree;
  if (root?.kind !== 'map' || root.flow) return NOTHING;
  const metadata = findEntry(root, 'metadata')?.value;
  if (metadata && (metadata.kind !== 'map' || metadata.entries.length === 0)) return NOTHING;
  const moving = entries.slice(0, MAX_MOVED).flatMap((entry) => {
    const valueYaml = textOf(text, entry.value);
    const isFree = root.entries.filter((other) => nameOf(other) === nameOf(entry)).length === 1;
    if (valueYaml === undefined || !isFree || findEntry(metadata, nameOf(entry)) || hasComment(file, entry)) return [];
    return [{ entry, valueYaml }];
  });
  const removals = moving.flatMap(({ entry }) => removeEntry(text, root, nameOf(entry)));
  if (moving.length === 0 || removals.length !== moving.length) return NOTHING;
  const insertions = metadata ? into(text, metadata, moving) : below(text, root, moving);
  if (insertions.length === 0) return NOTHING;
  return { moved: moving.map(({ entry }) => nameOf(entry)), edits: [...insertions, ...removals] };
}

interface Moving {
  readonly entry: YamlEntry;
  readonly valueYaml: string;
}

const into = (text: string, metadata: YamlMap, moving: readonly Moving[]): readonly TextEdit[] =>
  moving.flatMap(({ entry, valueYaml }) => insertEntry(text, metadata, nameOf(entry), valueYaml));

/** Returns the edits that add a new key `metadata` after the last key that does not move. */
function below(text: string, root: YamlMap, moving: readonly Moving[]): readonly TextEdit[] {
  const last = root.entries.filter((entry) => !moving.some((one) => one.entry === entry)).at(-1);
  if (!last) return [];
  const block = moving.map(({ entry, valueYaml }) => `\n  ${formatScalar(nameOf(entry), true)}: ${valueYaml}`).join('');
  return insertEntry(text, root, 'metadata', block, { after: nameOf(last) });
}

/** Returns the value as a YAML string on one line; undefined if that is not possible. */
export function textOf(text: string, value: YamlNode): string | undefined {
  if (value.kind === 'scalar') {
    if (value.value === null || value.style === 'literal' || value.style === 'folded') return undefined;
    const source = sliceOf(text, value.span);
    if (/[\r\n]/.test(source)) return undefined;
    return typeof value.value === 'string' ? source : `"${value.source}"`;
  }
  if (value.kind === 'map' || value.items.length === 0) return undefined;
  const words = value.items.map((item) => (item.kind === 'scalar' && item.value !== null ? String(item.value) : ''));
  return words.some((word) => word === '' || /[,\r\n]/.test(word)) ? undefined : formatScalar(words.join(', '));
}

/** Returns whether the lines of an entry contain a comment, which a move would lose. */
function hasComment({ text, frontmatter }: SkillFile, { span: place }: YamlEntry): boolean {
  const lineEnd = text.slice(place.end).search(/[\r\n]|$/);
  const lines: Span = span(place.start, place.end + lineEnd);
  return frontmatter.tree.comments.some((comment) => overlaps(comment.span, lines));
}

/** The keys that follow the closing `---` of the frontmatter in a `SKILL.md`. */
export interface SecondFrontmatter {
  readonly entries: readonly YamlEntry[];
  /** The lines of the keys. */
  readonly content: Span;
  /** The text from the start of the closing fence to the first key. */
  readonly gap: Span;
  readonly hasClose: boolean;
}

/** The maximum number of lines that are read. */
const MAX_LINES = 100;

/** Returns the keys at the start of the body; undefined if the body may begin with prose. */
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
  // If there is no second closing fence, all keys must be known, because `name: …` may be a line of prose.
  if (!hasClose && !entries.every((entry) => known.has(nameOf(entry)))) return undefined;
  return { entries, content: span(start, end), gap: span(close.start, start), hasClose };
}

/** Returns the end of the lines up to the closing fence, or up to the first empty line without a fence. */
function findEnd(text: string, start: number): { readonly end: number; readonly hasClose: boolean } {
  let firstEmpty: number | undefined;
  let at = start;
  for (let lines = 0; lines < MAX_LINES && at < text.length; lines++) {
    const line = lineAt(text, at);
    if (/^---[ \t]*$/.test(line)) return { end: at, hasClose: true };
    if (line.trim() === '') firstEmpty ??= at;
    // If an empty line is followed by a heading or prose, a later fence does not belong to these keys.
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

/**
 * Formatting (docs/format.md, sections 2, 5 and 10): key order and trailing spaces in the frontmatter, headings of
 * artifacts, and a line break at the end of the file. Never edits prose, fences or multi-line scalars, and omits edits
 * that would change the meaning.
 */

import type { Heading } from '../../languages/markdown/blocks.ts';
import { canonical } from '../../languages/schema/schema.ts';
import { isUnclosed } from '../../languages/yaml/frontmatter.ts';
import { isBlank } from '../../languages/yaml/lines.ts';
import { jsonOf, type YamlNode } from '../../languages/yaml/node.ts';
import { SkillFile } from '../../skill/skill-file.ts';
import {
  afterBreak,
  applyEdits,
  endOfLine,
  lineBreakOf,
  lineStart,
  type Span,
  sliceOf,
  span,
  type TextEdit,
  touches,
} from '../../text.ts';
import { splitHeading } from '../../vocabulary/artifact-keys.ts';
import { isSkillDialect } from '../../vocabulary/dialect.ts';
import { keyOrderEdits } from './key-order.ts';

/** The result of formatting. `problem` is the reason why nothing was formatted, for the log. */
export interface Formatted {
  readonly edits: readonly TextEdit[];
  readonly problem?: string;
}

const NOTHING: Formatted = { edits: [] };

/** Formats a file, or only the text that touches the span `within`. */
export function format(file: SkillFile, within?: Span): Formatted {
  const { text, dialect, isSkill, frontmatter } = file;
  if (!isSkill || !isSkillDialect(dialect)) return NOTHING;
  const [first] = frontmatter.tree.problems.filter(({ kind }) => kind === 'syntax');
  if (frontmatter.tree.broken || isUnclosed(frontmatter)) {
    return { edits: [], problem: `Not formatted: the frontmatter cannot be read. ${first?.message ?? ''}` };
  }
  const place = within ?? span(0, text.length);
  const blanks = trailingBlanks(file, place);
  const headings = headingEdits(file, place);
  const ordered = keyOrderEdits(file, place, blanks);
  // If the new key order would change the meaning, the other edits are still applied.
  for (const edits of [[...ordered, ...headings], [...blanks, ...headings], headings, []]) {
    const all = withLastBreak(file, place, edits);
    if (all.length === 0) return NOTHING;
    if (keepsMeaning(file, applyEdits(text, all))) return { edits: all };
  }
  return NOTHING;
}

/** Formats the heading of an artifact on the line above the cursor, after a line break is typed. */
export function formatOnType(file: SkillFile, offset: number): Formatted {
  const { text, frontmatter, dialect } = file;
  const above = offset - (/(?:\r\n|\n|\r)[ \t]*$/.exec(text.slice(Math.max(0, offset - 200), offset))?.[0].length ?? 0);
  if (dialect !== 'composer' || frontmatter.tree.broken || isUnclosed(frontmatter) || above === offset) return NOTHING;
  const edits = headingEdits(file, span(above, above));
  return edits.length > 0 && keepsMeaning(file, applyEdits(text, edits)) ? { edits } : NOTHING;
}

function withLastBreak({ text, body }: SkillFile, place: Span, edits: readonly TextEdit[]): readonly TextEdit[] {
  // After an unclosed fence, the line break would become part of the fence's text.
  const isOpen = body?.fences.some(({ closed }) => !closed) ?? false;
  if (text === '' || isOpen || place.end < text.length || /[\r\n]$/.test(applyEdits(text, edits))) return edits;
  return [...edits, { span: span(text.length, text.length), newText: lineBreakOf(text) }];
}

/** Returns whether `text` has the same frontmatter value and the same artifacts as the original file. */
function keepsMeaning(before: SkillFile, text: string): boolean {
  const after = new SkillFile(before.uri, text);
  return !after.frontmatter.tree.broken && meaningOf(before) === meaningOf(after);
}

function meaningOf({ text, frontmatter, body }: SkillFile): string {
  const written = (place: Span | undefined) => (place ? sliceOf(text, place) : null);
  const read = (body?.artifacts ?? []).map(({ kind, name, metadata, template, textSpan, example }) => [
    kind,
    name,
    written(metadata?.span),
    written(template?.span),
    // The headings inside an example may be formatted.
    example ? [written(example.input?.span), written(example.output?.span)] : [written(textSpan)],
  ]);
  const framing = (body?.framing ?? []).map((place) => sliceOf(text, place).trimEnd());
  return canonical([jsonOf(frontmatter.tree.root), read, framing]);
}

/**
 * Returns the edits that write the headings in `place` as `## Kind: name` and `### Input` (docs/format.md, section 5).
 */
function headingEdits({ text, body, dialect }: SkillFile, place: Span): readonly TextEdit[] {
  if (dialect !== 'composer' || !body) return [];
  const edits: TextEdit[] = [];
  const write = (heading: Heading, kind: string, hasName: boolean): void => {
    const isIn =
      touches(heading.span, place.start) || (place.start <= heading.span.start && heading.span.start <= place.end);
    if (isIn) edits.push(...rewrite(text, heading, kind, hasName));
  };
  for (const { heading, kind, explicitName, example } of body.artifacts) {
    write(heading, kind, explicitName);
    if (example?.input) write(example.input.heading, 'Input', false);
    if (example?.output) write(example.output.heading, 'Output', false);
  }
  return edits.sort((a, b) => a.span.start - b.span.start);
}

function rewrite(text: string, heading: Heading, kind: string, hasName: boolean): readonly TextEdit[] {
  const { span: whole, textSpan, level } = heading;
  // An underlined heading of several lines cannot be written on one line.
  if (/[\r\n]/.test(sliceOf(text, textSpan))) return [];
  const { kindSpan, nameSpan } = splitHeading(text, heading);
  const marker = '#'.repeat(level);
  const start = lineStart(text, whole.start);
  const lead = span(text.slice(start, whole.start).trim() === '' ? start : whole.start, kindSpan.start);
  const end = text[whole.start] === '#' ? endOfLine(text, textSpan.end) : whole.end;
  const wanted: readonly (readonly [Span, string])[] = [
    [lead, `${marker} `],
    [kindSpan, kind],
    ...(hasName && nameSpan ? ([[span(kindSpan.end, nameSpan.start), ': ']] as const) : []),
    [span(hasName && nameSpan ? nameSpan.end : kindSpan.end, end), ''],
  ];
  return wanted.flatMap(([place, newText]) => (sliceOf(text, place) === newText ? [] : [{ span: place, newText }]));
}

/** Returns the edits that remove trailing spaces in the frontmatter, except in multi-line scalars. */
function trailingBlanks({ text, frontmatter }: SkillFile, place: Span): readonly TextEdit[] {
  const { open, close, content, tree } = frontmatter;
  const texts = tree.root ? multilineScalars(text, tree.root) : [];
  const edits: TextEdit[] = [];
  const last = close?.end ?? content.end;
  let next = 0;
  for (let at = open?.start ?? content.start; at < last; at = afterBreak(text, endOfLine(text, at))) {
    const end = endOfLine(text, at);
    let from = end;
    while (from > at && isBlank(text[from - 1])) from--;
    while (next < texts.length && (texts[next] as Span).end <= from) next++;
    const isInText = (texts[next]?.start ?? Number.POSITIVE_INFINITY) <= from;
    if (from < end && !isInText && at <= place.end && place.start <= end)
      edits.push({ span: span(from, end), newText: '' });
  }
  return edits;
}

/** Returns the multi-line scalars, in order. A block scalar includes the empty lines below it. */
function multilineScalars(text: string, root: YamlNode): readonly Span[] {
  const found: Span[] = [];
  const open: YamlNode[] = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.kind === 'list') for (const item of node.items) open.push(item);
    else if (node.kind === 'map') for (const { key, value } of node.entries) open.push(key, value);
    else if (node.style === 'literal' || node.style === 'folded') {
      found.push(span(node.span.start, endAfterEmptyLines(text, node.span.end)));
    } else if (/[\r\n]/.test(sliceOf(text, node.span))) found.push(node.span);
  }
  return found.sort((a, b) => a.start - b.start);
}

function endAfterEmptyLines(text: string, offset: number): number {
  let end = endOfLine(text, offset);
  for (let at = afterBreak(text, end); at < text.length; at = afterBreak(text, end)) {
    const lineEnd = endOfLine(text, at);
    if (text.slice(at, lineEnd).trim() !== '') break;
    end = lineEnd;
    if (afterBreak(text, end) === end) break;
  }
  return end + 1;
}

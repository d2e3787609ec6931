/**
 * Formatting (docs/format.md, sections 2, 5 and 10): the frontmatter's keys in their order, no blanks at the ends
 * of its lines, the headings of artifacts, a line break at the end. Prose, fences and scalars of several lines are never
 * edited, and edits that would change the meaning are left out.
 */
import { canonical } from '../../languages/schema/schema.ts';
import { isUnclosed } from '../../languages/yaml/frontmatter.ts';
import { jsonOf } from '../../languages/yaml/node.ts';
import { SkillFile } from '../../skill/skill-file.ts';
import { applyEdits, lineBreakOf, type Span, sliceOf, span, type TextEdit } from '../../text.ts';
import { isSkillDialect } from '../../vocabulary/dialect.ts';
import { headingEdits } from './headings.ts';
import { keyOrderEdits } from './key-order.ts';
import { trailingBlanks } from './trailing-blanks.ts';

/** `problem` says why nothing was formatted, for the log. */
export interface Formatted {
  readonly edits: readonly TextEdit[];
  readonly problem?: string;
}

const NOTHING: Formatted = { edits: [] };

/** Formats a file, or only what touches the span `within`. */
export function format(file: SkillFile, within?: Span): Formatted {
  const { text, dialect, isSkill, frontmatter } = file;
  if (!isSkill || !isSkillDialect(dialect)) return NOTHING;
  const [first] = frontmatter.tree.problems.filter(({ kind }) => kind === 'syntax');
  if (frontmatter.tree.broken || isUnclosed(frontmatter)) {
    return { edits: [], problem: `Not formatted, since the frontmatter cannot be read: ${first?.message ?? ''}` };
  }
  const place = within ?? span(0, text.length);
  const blanks = trailingBlanks(file, place);
  const headings = headingEdits(file, place);
  const ordered = keyOrderEdits(file, place, blanks);
  // Where the new order would change the meaning, the other edits are still made.
  for (const edits of [[...ordered, ...headings], [...blanks, ...headings], headings, []]) {
    const all = withLastBreak(file, place, edits);
    if (all.length === 0) return NOTHING;
    if (keepsMeaning(file, applyEdits(text, all))) return { edits: all };
  }
  return NOTHING;
}

/** Formats the heading of an artifact on the line that the cursor has just left. */
export function formatOnType(file: SkillFile, offset: number): Formatted {
  const { text, frontmatter, dialect } = file;
  const above = offset - (/(?:\r\n|\n|\r)[ \t]*$/.exec(text.slice(Math.max(0, offset - 200), offset))?.[0].length ?? 0);
  if (dialect !== 'composer' || frontmatter.tree.broken || isUnclosed(frontmatter) || above === offset) return NOTHING;
  const edits = headingEdits(file, span(above, above));
  return edits.length > 0 && keepsMeaning(file, applyEdits(text, edits)) ? { edits } : NOTHING;
}

function withLastBreak({ text, body }: SkillFile, place: Span, edits: readonly TextEdit[]): readonly TextEdit[] {
  // In an open fence the line break would be part of its text.
  const isOpen = body?.fences.some(({ closed }) => !closed) ?? false;
  if (text === '' || isOpen || place.end < text.length || /[\r\n]$/.test(applyEdits(text, edits))) return edits;
  return [...edits, { span: span(text.length, text.length), newText: lineBreakOf(text) }];
}

/** Whether the frontmatter has the same value, and the body the same artifacts with the same text. */
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
    // The headings inside of an example may be formatted.
    example ? [written(example.input?.span), written(example.output?.span)] : [written(textSpan)],
  ]);
  const framing = (body?.framing ?? []).map((place) => sliceOf(text, place).trimEnd());
  return canonical([jsonOf(frontmatter.tree.root), read, framing]);
}

/** The headings of artifacts as the format writes them: `## Kind: name`, `### Input` (docs/format.md, section 5). */
import type { Heading } from '../../languages/markdown/blocks.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { endOfLine, lineStart, type Span, sliceOf, span, type TextEdit, touches } from '../../text.ts';
import { splitHeading } from '../../vocabulary/artifact-kinds.ts';

/** The edits to the headings of artifacts that touch `place`. */
export function headingEdits({ text, body, dialect }: SkillFile, place: Span): readonly TextEdit[] {
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

/** How the engine trims the white space around tags, with its default options. */
import type { Tag, Template, TextNode } from '../../languages/minijinja/ast.ts';
import { type Span, span } from '../../text.ts';

/** The engine's white space is Unicode's `White_Space`, which is not what `\s` means here: it has U+0085 and not U+FEFF. */
const BLANK = '\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const LEADING = new RegExp(`^[${BLANK}]+`);
const BLANKS = new RegExp(`^[${BLANK}]$`);

/** What is left of each text of a template once `-` has trimmed it and the last line break is dropped; never empty. */
export function effectiveTexts(template: Template, nodes: readonly TextNode[]): readonly (Span | undefined)[] {
  const { text, base, tags } = template;
  const ending = tagsByPlace(tags, ({ span: place }) => place.end);
  const beginning = tagsByPlace(tags, ({ span: place }) => place.start);
  const written = base + textEnd(text);
  return nodes.map((node) => {
    const [before, after] = node.raw
      ? rawTrimMarks(template, node.span)
      : [ending.get(node.span.start)?.trimAfter, beginning.get(node.span.end)?.trimBefore];
    let { start } = node.span;
    let end = Math.min(node.span.end, written);
    const slice = text.slice(start - base, Math.max(start, end) - base);
    if (before === '-') start += LEADING.exec(slice)?.[0].length ?? 0;
    if (after === '-') while (end > start && BLANKS.test(text.charAt(end - base - 1))) end--;
    return end > start ? span(start, end) : undefined;
  });
}

/** The engine drops one line break at the end of a template: `\n`, `\r\n` or `\r`. */
function textEnd(text: string): number {
  let end = text.length;
  if (text[end - 1] === '\n') end--;
  if (text[end - 1] === '\r') end--;
  return end;
}

const tagsByPlace = (tags: readonly Tag[], place: (tag: Tag) => number) =>
  new Map(tags.map((tag) => [place(tag), tag]));

/** The marks at the inner ends of `{% raw -%}` and `{%- endraw %}`. */
function rawTrimMarks({ text, base }: Template, { start, end }: Span): readonly (string | undefined)[] {
  return [text[start - base - 3], text[end - base + 2]];
}

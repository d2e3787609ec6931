/**
 * Placeholders for text that YAML cannot read. A placeholder is as long as the text that it replaces, so all offsets
 * stay the same.
 */
import { type Span, span } from '../../text.ts';
import type { YamlProblem } from './node.ts';

/**
 * A placeholder. The parser reads a `scalar` as one plain scalar with the value `value`, the lines of a `comment` as
 * comments, and a `space` as spaces.
 */
export interface Placeholder {
  readonly span: Span;
  readonly kind: 'scalar' | 'comment' | 'space';
  readonly value?: string;
  /** The real span of the scalar, if the placeholder covers only a part of it. */
  readonly place?: Span;
}

/** The intended value and the real span of a scalar that a placeholder replaces. */
export interface IntendedValue {
  readonly span: Span;
  readonly value: string;
}

/** The intended values, by the offset of the placeholder. */
export type IntendedValues = Map<number, IntendedValue>;

/**
 * The language whose forbidden characters are replaced. JSON text may contain characters that YAML forbids (RFC 8259).
 */
export type Grammar = 'YAML' | 'JSON';

const HALVES = /(?:[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff])+/.source;

const INVISIBLE: Readonly<Record<Grammar, RegExp>> = {
  YAML: new RegExp(`[\\0-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x84\\x86-\\x9f\\ufffe\\uffff]+|${HALVES}`, 'g'),
  JSON: new RegExp(`[\\0-\\x08\\x0b\\x0c\\x0e-\\x1f]+|${HALVES}`, 'g'),
};

/** The maximum number of reported runs of forbidden characters. A file with more runs is probably binary. */
const MAX_INVISIBLE = 20;

/**
 * Replaces each forbidden character with U+FFFD, and each lone `\r` with `\n`, because the parser does not read a lone
 * `\r` as a line break. Returns the text, with the same offsets, and a problem for each run of forbidden characters.
 * Never throws.
 */
export function replaceInvisible(text: string, grammar: Grammar): { text: string; problems: YamlProblem[] } {
  const problems: YamlProblem[] = [];
  const visible = text.replace(INVISIBLE[grammar], (run: string, offset: number) => {
    const place = span(offset, offset + run.length);
    if (problems.length < MAX_INVISIBLE) problems.push(invisibleProblem(run, place, grammar));
    return '\uFFFD'.repeat(run.length);
  });
  return { text: visible.replace(/\r(?!\n)/g, '\n'), problems };
}

function invisibleProblem(run: string, place: Span, grammar: Grammar): YamlProblem {
  const code = run.charCodeAt(0);
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  if (code >= 0xd800 && code <= 0xdfff) {
    const message = `${name} is only half of a surrogate pair and cannot be saved as UTF-8. Type the character again.`;
    return { span: place, message, kind: 'syntax' };
  }
  const message = `${grammar} does not allow the invisible control character ${name}. Remove it.`;
  const fix = { title: 'Remove the control character', edits: [{ span: place, newText: '' }] };
  return { span: place, message, kind: 'syntax', fix };
}

/**
 * Inserts placeholders into a text without changing offsets, and adds the intended values of the placeholders to
 * `intended`. Skips a placeholder that overlaps an earlier one. Never throws.
 */
export function insertPlaceholders(
  text: string,
  placeholders: readonly Placeholder[],
  intended: IntendedValues,
): string {
  let result = '';
  let at = 0;
  for (const one of [...placeholders].sort((a, b) => a.span.start - b.span.start)) {
    const { start, end } = one.span;
    if (start < at || end < start) continue;
    result += text.slice(at, start) + covered(text.slice(start, end), one.kind);
    at = end;
    if (one.kind === 'scalar') intended.set(start, { span: one.place ?? one.span, value: one.value ?? '' });
  }
  return result + text.slice(at);
}

function covered(source: string, kind: Placeholder['kind']): string {
  if (kind === 'comment') return source.replace(/(^|[\r\n])([ \t]*)[^\s]/g, '$1$2#');
  if (kind === 'space') return source.replace(/[^\r\n]/g, ' ');
  const firstBreak = source.search(/[\r\n]/);
  const first = firstBreak < 0 ? source.length : firstBreak;
  return 'x'.repeat(first) + source.slice(first).replace(/[^\r\n]/g, ' ');
}

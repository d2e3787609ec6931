/** Making places of a YAML text harmless without moving anything: every mask is as long as what it covers. */
import { type Span, span } from '../../text.ts';
import type { YamlProblem } from './node.ts';

/**
 * `scalar`: the place reads as one plain scalar, whose value is `value`. `comment`: the lines of the place read as
 * comments. `space`: the place reads as blanks.
 */
export interface Mask {
  readonly span: Span;
  readonly kind: 'scalar' | 'comment' | 'space';
  readonly value?: string;
  /** The real place of the scalar, where the mask had to leave out a part of it. */
  readonly place?: Span;
}

/** A scalar that stands where a mask is: the value it was meant to be, and its real place. */
export interface Substitute {
  readonly span: Span;
  readonly value: string;
}

/** Substitutes by the offset at which the masked text has a scalar. */
export type Substitutes = Map<number, Substitute>;

const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point.
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]+|(?:[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff])+/g;

/** More invisible characters than these are a binary file; one problem for each would help nobody. */
const MAX_INVISIBLE = 20;

/** Replaces what YAML forbids, and lone `\r`, which YAML reads as a line break but the parser does not. */
export function maskInvisible(text: string): { text: string; problems: YamlProblem[] } {
  const problems: YamlProblem[] = [];
  const masked = text.replace(INVISIBLE, (run: string, offset: number) => {
    const place = span(offset, offset + run.length);
    if (problems.length < MAX_INVISIBLE) problems.push(invisibleProblem(run, place));
    return '\uFFFD'.repeat(run.length);
  });
  return { text: masked.replace(/\r(?!\n)/g, '\n'), problems };
}

function invisibleProblem(run: string, place: Span): YamlProblem {
  const code = run.charCodeAt(0);
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  if (code >= 0xd800 && code <= 0xdfff) {
    const message = `Half of a surrogate pair (${name}) is no character, so the file cannot be saved as UTF-8. Type the character again.`;
    return { span: place, message, kind: 'syntax' };
  }
  const message = `An invisible control character (${name}) stands here, which YAML does not allow. Remove it.`;
  const mend = { title: 'Remove the control character', edits: [{ span: place, newText: '' }] };
  return { span: place, message, kind: 'syntax', mend };
}

/** Applies masks to the text and notes what the masked scalars mean. Masks that overlap an earlier one are left out. */
export function maskText(text: string, masks: readonly Mask[], substitutes: Substitutes): string {
  let result = '';
  let at = 0;
  for (const mask of [...masks].sort((a, b) => a.span.start - b.span.start)) {
    const { start, end } = mask.span;
    if (start < at || end < start) continue;
    result += text.slice(at, start) + covered(text.slice(start, end), mask.kind);
    at = end;
    if (mask.kind === 'scalar') substitutes.set(start, { span: mask.place ?? mask.span, value: mask.value ?? '' });
  }
  return result + text.slice(at);
}

function covered(source: string, kind: Mask['kind']): string {
  if (kind === 'comment') return source.replace(/(^|[\r\n])([ \t]*)[^\s]/g, '$1$2#');
  if (kind === 'space') return source.replace(/[^\r\n]/g, ' ');
  const firstBreak = source.search(/[\r\n]/);
  const first = firstBreak < 0 ? source.length : firstBreak;
  return 'x'.repeat(first) + source.slice(first).replace(/[^\r\n]/g, ' ');
}

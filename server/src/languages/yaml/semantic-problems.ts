/** Problems of meaning: aliases, duplicate keys, tags, and anchors that nothing repeats. */
import { lineStart, type Span, shift, sliceOf, span } from '../../text.ts';
import { ownColumn, readLine, valueExtent } from './lines.ts';
import type { YamlEntry, YamlProblem } from './node.ts';
import type { ParserError } from './parser-errors.ts';
import { findReason, problemAt, valueProblem } from './problems.ts';

export const shiftProblem = (problem: YamlProblem, by: number): YamlProblem => ({
  ...problem,
  span: shift(problem.span, by),
  ...(problem.fix && {
    fix: { ...problem.fix, edits: problem.fix.edits.map((edit) => ({ ...edit, span: shift(edit.span, by) })) },
  }),
});

/** More than are ever shown. */
const MAX_DUPLICATES = 200;

/** Adds a problem for each key that a map has more than once. */
export function addDuplicates(problems: YamlProblem[], entries: readonly YamlEntry[]): void {
  if (entries.length < 2) return;
  const places = new Map<string, Span>();
  for (const { key } of entries) {
    const name = String(key.value);
    const first = places.get(name);
    if (!first) places.set(name, key.span);
    else if (problems.length < MAX_DUPLICATES) {
      const message = `The key \`${shortened(name)}\` stands here a second time; only the first one counts. Remove one of them.`;
      problems.push({ span: key.span, message, kind: 'duplicate-key', first });
    }
  }
}

/** The problem of an alias whose anchor does not stand before it, or stands around it. Offsets are those of `source`. */
export function aliasProblem(source: string, place: Span, name: string, isCyclic: boolean): YamlProblem {
  if (isCyclic) {
    return problemAt(place, `The alias \`*${name}\` repeats the value that it is itself a part of. Remove it.`);
  }
  const message = `No \`&${name}\` stands before the alias \`*${name}\`, so there is nothing to repeat. If this is text, put it in quotes.`;
  return valueProblem(source, place, { message, quotes: true });
}

export const expansionProblem = (place: Span): YamlProblem =>
  problemAt(place, 'The aliases repeat each other to an immense value. Write out what is needed instead.');

/** The problem of a tag without a JSON type: text that begins with `!`, or a type of YAML alone. */
export function tagProblem(source: string, error: ParserError): YamlProblem {
  const tag = /^\S*/.exec(source.slice(error.start))?.[0] ?? '';
  const tagSpan = span(error.start, error.start + Math.max(1, tag.length));
  const line = readLine(source, lineStart(source, error.start));
  if (tag.startsWith('!!') || line.value.start !== error.start) {
    const message = `The tag \`${shortened(tag)}\` has no meaning for this value: values here are those of JSON. Remove it.`;
    return problemAt(tagSpan, message);
  }
  const place = valueExtent(source, line, ownColumn(line));
  const first = sliceOf(source, line.value);
  const isText = /^\S+[ \t]+[^\s[{&*|>"'#]/.test(first) || first === tag;
  const message = `A value that begins with \`!\` is a YAML tag, which does not belong to the text. ${isText ? 'Put the value in quotes to make it text.' : 'Remove the tag.'}`;
  const reason = { ...(findReason(first, first) ?? { message }), message, quotes: true };
  return isText ? valueProblem(source, place, reason) : problemAt(tagSpan, message);
}

/** In `name: &R and D` the text is missing what YAML reads as an anchor. */
export function unusedAnchorProblem(source: string, name: string, place: Span): YamlProblem | undefined {
  const start = source.lastIndexOf('&', place.start - 1);
  const between = source.slice(start + 1, place.start);
  if (start < 0 || !between.startsWith(name) || between.slice(name.length).trim() !== '' || /[\r\n]/.test(between))
    return undefined;
  const reason = findReason('&', '&');
  return reason && valueProblem(source, span(start, place.end), reason);
}

const shortened = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}…` : text);

/** Parts of the tree that YAML text does not show directly: aliases, duplicate keys, tags, anchors that nobody uses. */
import { type Span, shift, sliceOf, span } from '../../text.ts';
import type { Fault } from './faults.ts';
import { lineStart, ownColumn, readLine, valueExtent } from './lines.ts';
import type { YamlEntry, YamlNode, YamlProblem } from './node.ts';
import { findReason, problemAt, valueProblem } from './problems.ts';

export const shiftProblem = (problem: YamlProblem, by: number): YamlProblem => ({
  ...problem,
  span: shift(problem.span, by),
  ...(problem.mend && {
    mend: { ...problem.mend, edits: problem.mend.edits.map((edit) => ({ ...edit, span: shift(edit.span, by) })) },
  }),
});

/** A copy of a node at the place of the alias that repeats it, so that findings about it stand there. */
export function relocated(node: YamlNode, place: Span): YamlNode {
  if (node.kind === 'scalar') return { ...node, span: place };
  if (node.kind === 'list') return { ...node, span: place, items: node.items.map((item) => relocated(item, place)) };
  const entries = node.entries.map(({ key, value }) => ({
    key: { ...key, span: place },
    value: relocated(value, place),
    span: place,
  }));
  return { ...node, span: place, entries };
}

/** How many nodes a copy of the node would make, counted no further than `limit`. */
export function sizeOf(node: YamlNode, limit: number): number {
  if (node.kind === 'scalar') return 1;
  const children = node.kind === 'list' ? node.items : node.entries.map(({ value }) => value);
  let size = 1;
  for (const child of children) {
    size += sizeOf(child, limit - size);
    if (size > limit) break;
  }
  return size;
}

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

/** An alias whose anchor does not stand before it, or stands around it. Places are offsets into `source`. */
export function aliasProblem(source: string, place: Span, name: string, isCyclic: boolean): YamlProblem {
  if (isCyclic) {
    return problemAt(
      place.start,
      place.end,
      `The alias \`*${name}\` repeats the value that it is itself a part of. Remove it.`,
    );
  }
  const message = `No \`&${name}\` stands before the alias \`*${name}\`, so there is nothing to repeat. If this is text, put it in quotes.`;
  return valueProblem(source, place, { message, quotes: true });
}

export const bombProblem = (place: Span): YamlProblem =>
  problemAt(
    place.start,
    place.end,
    'The aliases repeat each other to an immense value. Write out what is needed instead.',
  );

/** A tag that JSON has nothing for: the text of a value that begins with `!`, or a type of YAML's own. */
export function tagProblem(source: string, fault: Fault): YamlProblem {
  const tag = /^\S*/.exec(source.slice(fault.start))?.[0] ?? '';
  const end = fault.start + Math.max(1, tag.length);
  const line = readLine(source, lineStart(source, fault.start));
  if (tag.startsWith('!!') || line.value.start !== fault.start) {
    return problemAt(
      fault.start,
      end,
      `The tag \`${shortened(tag)}\` has no meaning for this value: values here are those of JSON. Remove it.`,
    );
  }
  const place = valueExtent(source, line, ownColumn(line));
  const first = sliceOf(source, line.value);
  const isText = /^\S+[ \t]+[^\s[{&*|>"'#]/.test(first) || first === tag;
  const message = `A value that begins with \`!\` is a YAML tag, which does not belong to the text. ${isText ? 'Put the value in quotes to make it text.' : 'Remove the tag.'}`;
  const reason = { ...(findReason(first, first) ?? { message }), message, quotes: true };
  return isText ? valueProblem(source, place, reason) : problemAt(fault.start, end, message);
}

/** `name: &R and D`: an anchor that nothing repeats, in front of plain text, is text that got lost. */
export function findLostAnchor(source: string, name: string, place: Span): YamlProblem | undefined {
  const start = source.lastIndexOf('&', place.start - 1);
  const between = source.slice(start + 1, place.start);
  if (start < 0 || !between.startsWith(name) || between.slice(name.length).trim() !== '' || /[\r\n]/.test(between))
    return undefined;
  const reason = findReason('&', '&');
  return reason && valueProblem(source, span(start, place.end), reason);
}

export const shortened = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}…` : text);

/** What a selection grows to, step by step: word, value, entry, map, section; expression, tag, block. */
import type { SelectionRange } from 'vscode-languageserver-types';
import type { YamlEntry, YamlNode } from '../../languages/yaml/node.ts';
import { stagesOf } from '../../skill/body.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { contains, findTouching, lineAt, lineEnd, type Span, span, spanOf, touches } from '../../text.ts';
import type { Locate } from '../locate.ts';
import { sectionsOf } from './sections.ts';

/** How many steps are given at most; a chain of operators may be a very deep tree. */
const MAX_STEPS = 60;

export function selectionRange(file: SkillFile, offset: number, locate: Locate): SelectionRange {
  const spans = [...spansAround(file, offset)].sort((a, b) => a.end - a.start - (b.end - b.start));
  const steps: Span[] = [];
  for (const place of spans) {
    if (place.start === place.end) continue;
    const last = steps.at(-1);
    const grows = !last || (contains(place, last) && place.end - place.start > last.end - last.start);
    if (grows && touches(place, offset) && steps.length < MAX_STEPS) steps.push(place);
  }
  let range: SelectionRange = { range: locate.range(file, span(0, file.text.length)) };
  for (const place of steps.reverse()) range = { range: locate.range(file, place), parent: range };
  return range;
}

function* spansAround(file: SkillFile, offset: number): Iterable<Span> {
  const { text, lines, frontmatter, body, metadata, examples, templates } = file;
  yield wordAt(text, offset);
  const { open, close, tree } = frontmatter;
  for (const { root, span: whole } of [tree, ...[...metadata, ...examples].map((one) => one.tree)]) {
    if (!touches(whole, offset)) continue;
    yield* spansInYaml(root, offset);
    yield whole;
  }
  if (open && close) yield span(open.start, close.end);
  for (const one of templates) {
    if (!touches(one.span, offset)) continue;
    yield* spansInTree(one.placed.template.nodes, offset);
    yield one.span;
  }
  if (!body || offset < body.span.start) return;
  const line = lineAt(lines, offset);
  yield trimmed(text, span(lines[line] ?? 0, lineEnd(text, lines, line)));
  for (const { span: whole, contentSpan } of body.fences) yield* [contentSpan, whole];
  for (const { urlSpan, textSpan, span: whole } of body.links) yield* [textSpan, urlSpan, whole];
  for (const { nameSpan, span: whole } of body.references) yield* [nameSpan, whole];
  const stages = body.artifacts.flatMap((artifact) => stagesOf(text, body, artifact));
  for (const { textSpan, span: whole } of stages) yield* [textSpan, whole];
  for (const { textSpan } of body.artifacts) yield textSpan;
  for (const section of sectionsOf(body)) yield* [section.heading.span, section.span];
  yield body.span;
}

function* spansInYaml(root: YamlNode | undefined, offset: number): Iterable<Span> {
  for (let node = root; node && touches(node.span, offset); ) {
    yield node.span;
    if (node.kind === 'scalar') {
      if (node.style === 'single' || node.style === 'double') yield span(node.span.start + 1, node.span.end - 1);
      return;
    }
    if (node.kind === 'list') {
      node = findTouching(node.items, offset, spanOf);
      continue;
    }
    const entry: YamlEntry | undefined = findTouching(node.entries, offset, spanOf);
    if (!entry) return;
    yield entry.span;
    yield entry.key.span;
    node = touches(entry.key.span, offset) ? undefined : entry.value;
  }
}

/** The spans of a syntax tree from the outside in, whatever the keys of its nodes. */
function* spansInTree(root: unknown, offset: number): Iterable<Span> {
  let level: readonly unknown[] = [root];
  for (let depth = 0; depth < 10_000 && level.length > 0; depth++) {
    const next: unknown[] = [];
    for (const part of level) {
      if (typeof part !== 'object' || part === null) continue;
      const place = 'span' in part ? (part.span as Span) : undefined;
      if (place && !touches(place, offset)) continue;
      if (place) yield place;
      for (const [key, value] of Object.entries(part)) {
        if (key !== 'span') for (const inner of Array.isArray(value) ? value : [value]) next.push(inner);
      }
    }
    level = next;
  }
}

function wordAt(text: string, offset: number): Span {
  let start = offset;
  let end = offset;
  while (start > 0 && WORD.test(text[start - 1] ?? '')) start--;
  while (WORD.test(text[end] ?? '')) end++;
  return span(start, end);
}

const WORD = /[\p{L}\p{M}\p{N}_]/u;

function trimmed(text: string, { start, end }: Span): Span {
  const source = text.slice(start, end);
  return span(start + (source.length - source.trimStart().length), start + source.trimEnd().length);
}

/** What of a skill file its record has no field for; each with its line, counted from 1. */
import { isNull } from '../languages/yaml/node.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { lineAt, type Span, sliceOf } from '../text.ts';
import { findKey } from '../vocabulary/shape.ts';
import { tableOf } from '../vocabulary/tables.ts';

export interface NotUnderstood {
  readonly what: 'frontmatter' | 'key' | 'metadata' | 'section' | 'text';
  readonly line: number;
  readonly text: string;
  readonly why: string;
}

/** A quotation, not the text itself. */
const MAX_QUOTED = 200;

export function findNotUnderstood(file: SkillFile): readonly NotUnderstood[] {
  const { text, lines } = file;
  const found = (what: NotUnderstood['what'], place: Span, why: string): NotUnderstood & { readonly at: number } => {
    const quoted = [...(sliceOf(text, place).split(/\r\n|\r|\n/, 1)[0] ?? '')].slice(0, MAX_QUOTED).join('');
    return { what, line: lineAt(lines, place.start) + 1, text: quoted, why, at: place.start };
  };
  const { tree } = file.frontmatter;
  const all = tree.problems.map(({ span, message }) => found('frontmatter', span, message));
  if (!tree.broken && tree.root && tree.root.kind !== 'map' && !isNull(tree.root)) {
    all.push(found('frontmatter', tree.root.span, 'The frontmatter is no map of keys.'));
  }
  if (!tree.broken && tree.root?.kind === 'map') {
    const table = tableOf(file.dialect);
    for (const { key } of tree.root.entries) {
      if (findKey(table, String(key.value))) continue;
      all.push(found('key', key.span, 'The format does not know the key; it is kept.'));
    }
  }
  for (const { artifact, tree: own } of file.metadata) {
    const place = artifact.metadata?.span ?? artifact.span;
    for (const { span, message } of own.problems) all.push(found('metadata', span, message));
    if (!own.broken && own.root && own.root.kind !== 'map' && !isNull(own.root)) {
      all.push(found('metadata', place, 'The metadata is no map of keys.'));
    }
  }
  const { body } = file;
  for (const { heading } of body?.retiredKinds ?? []) {
    all.push(found('section', heading.span, 'The kind is retired; the section counts as prose.'));
  }
  for (const { heading } of body?.nearKinds ?? []) {
    all.push(found('section', heading.span, 'The heading is nearly a kind; the section counts as prose.'));
  }
  for (const { fence } of body?.misplacedMetadata ?? []) {
    all.push(found('metadata', fence.span, 'A fence marked `artifact` that is not the first block of an artifact.'));
  }
  for (const { span } of besideTemplates(file)) {
    all.push(found('text', span, 'It stands beside the fence of a template, which alone is the content.'));
  }
  return all.sort((a, b) => a.at - b.at).map(({ at: _, ...entry }) => entry);
}

/** Prose before or behind the one fence that holds a template. */
function besideTemplates({ text, body }: SkillFile): readonly { readonly span: Span }[] {
  return (body?.artifacts ?? []).flatMap(({ template, textSpan }) => {
    if (!template?.fence) return [];
    const { start, end } = template.fence.span;
    const parts = [
      { span: { start: textSpan.start, end: start } },
      { span: { start: end, end: Math.max(end, textSpan.end) } },
    ];
    return parts.flatMap(({ span }) => {
      const slice = sliceOf(text, span);
      if (slice.trim() === '') return [];
      const from = span.start + (slice.length - slice.trimStart().length);
      return [{ span: { start: from, end: span.end } }];
    });
  });
}

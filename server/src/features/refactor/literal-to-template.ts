/** The framing as a template that prints it: the first thing to do when a part of it is to depend on the invocation. */

import { trimSpan, within } from '../../languages/markdown/spans.ts';
import { formatScalar } from '../../languages/yaml/edit.ts';
import { insertKey } from '../../rules/common/insert-key.ts';
import type { Body } from '../../skill/body.ts';
import { findSkillEntry } from '../../skill/contract.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { contains, lineBreakOf, type Span, sliceOf, span, type TextEdit, touches } from '../../text.ts';
import type { Refactoring, Rewriting } from './refactoring.ts';
import { freeName, isReadable, templateSection } from './sections.ts';
import { begin, then } from './steps.ts';

export const literalToTemplate: Refactoring = {
  kind: 'refactor.rewrite',
  rewrite: ({ file, selection }) => {
    const passages = literalFraming(file);
    return passages?.some((place) => touches(place, selection.start)) ? toTemplate(file) : undefined;
  },
};

/** The stretches of prose that the composer takes for the framing; undefined where it takes a template, or there are none. */
export function literalFraming(file: SkillFile): readonly Span[] | undefined {
  const { text, body, frontmatter } = file;
  const { root } = frontmatter.tree;
  if (!isReadable(file) || !body || root?.kind !== 'map' || findSkillEntry(root, 'framing')) return undefined;
  const passages = body.framing.map((place) => trimSpan(text, place)).filter(({ start, end }) => start < end);
  return passages.length > 0 ? passages : undefined;
}

/** What stands in braces is printed as it stands. The prompt stays the same, byte for byte. */
export function toTemplate(file: SkillFile): Rewriting | undefined {
  const { text, body } = file;
  const passages = literalFraming(file);
  const [first] = passages ?? [];
  if (!passages || !first || !body || !isMovable(file, body, passages)) return undefined;
  const lineBreak = lineBreakOf(text);
  const literal = passages.map((place) => sliceOf(text, place)).join(lineBreak + lineBreak);
  const source = literal.replace(/\{[{%#]/g, (opener) => `{{ "${opener}" }}`);
  const name = freeName(file, 'PromptTemplate', 'framing');
  const isFenced = body.headings.some(
    ({ level, span: place }) => level <= 2 && passages.some((one) => contains(one, place)),
  );
  const section = templateSection(name, source, isFenced, lineBreak);
  const edits = passages.map((place) =>
    place === first ? { span: place, newText: section } : removal(text, body, place),
  );
  const moved = then(begin(file), edits);
  const steps = then(moved, moved && insertKey(moved.file, 'framing', formatScalar(name)));
  const after = steps?.file;
  const made = after?.templates.find(({ artifact }) => artifact.name === name);
  const isAll = after?.body?.framing.every((place) => sliceOf(after.text, place).trim() === '');
  // A fence hides what refers to tools and skills from those who look for it.
  const isSeen = after?.body?.references.length === body.references.length;
  if (!steps || made?.source.template.text !== source || !isAll || !isSeen) return undefined;
  const nameAt = made.artifact.nameSpan?.start ?? 0;
  // With a template to use them in, parameters that nothing uses can be told.
  return { title: 'Turn the framing into a template', steps, nameAt, reveals: true };
}

/** Comments to the tools are no part of the prompt, and what is marked as a template or as metadata would become one. */
function isMovable({ text, suppressions }: SkillFile, body: Body, passages: readonly Span[]): boolean {
  if (passages.length > 1 && lineBreakOf(text) !== '\n') return false;
  return passages.every(
    (place) =>
      !suppressions.some(({ comment }) => contains(place, comment)) &&
      !within(body.fences, place).some(({ words }) => words.some((word) => /^(?:artifact|jinja2?)$/.test(word))),
  );
}

/** Takes out a passage with the empty lines that follow it, and at the end of the file those before it. */
function removal(text: string, { framing }: Body, place: Span): TextEdit {
  const end = framing.find((whole) => contains(whole, place))?.end ?? place.end;
  if (end < text.length) return { span: span(place.start, end), newText: '' };
  const kept = text.slice(0, place.start).trimEnd().length;
  return { span: span(kept, end), newText: lineBreakOf(text) };
}

/** Turns the framing into a template that prints it. */
import { trimSpan, within } from '../../languages/markdown/spans.ts';
import { formatScalar } from '../../languages/yaml/edit.ts';
import { insertKey } from '../../rules/common/insert-key.ts';
import type { Body } from '../../skill/body.ts';
import { findSkillEntry } from '../../skill/contract.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { contains, lineBreakOf, type Span, sliceOf, span, type TextEdit, touches } from '../../text.ts';
import { unedited, withEdits } from './edited-file.ts';
import type { Refactoring, Rewriting } from './refactoring.ts';
import { freeName, isReadable, templateSection } from './sections.ts';

export const literalToTemplate: Refactoring = {
  kind: 'refactor.rewrite',
  rewrite: ({ file, selection }) => {
    const passages = literalFraming(file);
    return passages?.some((place) => touches(place, selection.start)) ? toTemplate(file) : undefined;
  },
};

/** The passages of prose that are the framing; undefined where there are none, or a template is the framing. */
export function literalFraming(file: SkillFile): readonly Span[] | undefined {
  const { text, body, frontmatter } = file;
  const { root } = frontmatter.tree;
  if (!isReadable(file) || !body || root?.kind !== 'map' || findSkillEntry(root, 'framing')) return undefined;
  const passages = body.framing.map((place) => trimSpan(text, place)).filter(({ start, end }) => start < end);
  return passages.length > 0 ? passages : undefined;
}

/** Escapes what looks like tags, so that the prompt stays the same byte for byte. */
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
  const moved = withEdits(unedited(file), edits);
  const result = withEdits(moved, moved && insertKey(moved.file, 'framing', formatScalar(name)));
  const after = result?.file;
  const made = after?.templates.find(({ artifact }) => artifact.name === name);
  const isAll = after?.body?.framing.every((place) => sliceOf(after.text, place).trim() === '');
  const isSeen = after?.body?.references.length === body.references.length;
  if (!result || made?.source.template.text !== source || !isAll || !isSeen) return undefined;
  const nameAt = made.artifact.nameSpan?.start ?? 0;
  // Unused parameters are reported only where there is a template.
  return { title: 'Turn the framing into a template', result, nameAt, reveals: true };
}

/** Suppression comments must not get into the prompt, and fences with a meaning would change theirs. */
function isMovable({ text, suppressions }: SkillFile, body: Body, passages: readonly Span[]): boolean {
  if (passages.length > 1 && lineBreakOf(text) !== '\n') return false;
  return passages.every(
    (place) =>
      !suppressions.some(({ comment }) => contains(place, comment)) &&
      !within(body.fences, place).some(({ words }) => words.some((word) => /^(?:artifact|jinja2?)$/.test(word))),
  );
}

/** Removes a passage with the empty lines behind it, at the end of the file with those before it. */
function removal(text: string, { framing }: Body, place: Span): TextEdit {
  const end = framing.find((whole) => contains(whole, place))?.end ?? place.end;
  if (end < text.length) return { span: span(place.start, end), newText: '' };
  const kept = text.slice(0, place.start).trimEnd().length;
  return { span: span(kept, end), newText: lineBreakOf(text) };
}

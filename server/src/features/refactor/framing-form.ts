/** Converts literal framing to a template, and a template without tags to literal framing. */

import { framingToTemplate, literalFraming } from '../../analysis/literal-framing.ts';
import { trimSpan } from '../../languages/markdown/spans.ts';
import { removeEntry } from '../../languages/yaml/edit.ts';
import type { SkillTemplate } from '../../skill/artifact-data.ts';
import { findSkillEntry } from '../../skill/contract.ts';
import { isReadable, unedited, withEdits } from '../../skill/edited-file.ts';
import { readProse } from '../../skill/read-package.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { lineBreakOf, nextLine, sliceOf, span, type TextEdit, touches } from '../../text.ts';
import type { Refactoring, Rewriting } from './refactoring.ts';

export const literalToTemplate: Refactoring = {
  kind: 'refactor.rewrite',
  rewrite: ({ file, selection }) => {
    const passages = literalFraming(file);
    return passages?.some((place) => touches(place, selection.start)) ? toTemplate(file) : undefined;
  },
};

/** Converts the framing to a template. Escapes text that looks like tags, so that the prompt does not change. */
export function toTemplate(file: SkillFile): Rewriting | undefined {
  const converted = framingToTemplate(file);
  if (!converted) return undefined;
  const nameAt = converted.made.artifact.nameSpan?.start ?? 0;
  // Unused parameters are reported only if there is a template.
  return { title: 'Convert the framing to a template', result: converted.result, nameAt, revealsUnused: true };
}

/** Converts a framing template without tags to prose. */
export const templateToLiteral: Refactoring = {
  kind: 'refactor.rewrite',
  rewrite({ file, selection }) {
    const framing = framingTemplate(file);
    const { root } = file.frontmatter.tree;
    if (!framing || root?.kind !== 'map') return undefined;
    const key = findSkillEntry(root, 'framing');
    const isHere = touches(framing.artifact.span, selection.start) || (key && touches(key.span, selection.start));
    const prose = literalOf(file, framing);
    if (!isHere || prose === undefined) return undefined;
    const moved = withEdits(unedited(file), moveUp(file, framing, prose));
    const after = moved?.file;
    const result = key ? withEdits(moved, after && removeKey(after)) : moved;
    return result && isProse(result.file, prose)
      ? { title: 'Convert the template to literal framing', result }
      : undefined;
  },
};

/** Returns the framing template, if it has no variants and the body has no other prose. */
function framingTemplate(file: SkillFile): SkillTemplate | undefined {
  const { text, body, templates, contract } = file;
  if (!isReadable(file) || body?.framing.some((place) => sliceOf(text, place).trim() !== '')) return undefined;
  const names = new Set(templates.map(({ artifact }) => artifact.name));
  const name = contract.framing?.name ?? (names.size === 1 ? [...names][0] : undefined);
  const named = templates.filter(({ artifact }) => artifact.name === name);
  return named.length === 1 ? named[0] : undefined;
}

/** Returns the constant output of the template; undefined if it is not constant, or if another template includes it. */
function literalOf(
  { text, templates }: SkillFile,
  { artifact, source: { template } }: SkillTemplate,
): string | undefined {
  if (template.tags.length > 0 || template.problems.length > 0 || artifact.metadata) return undefined;
  const isIncluded = templates.some(({ source }) =>
    source.scopes.references.some(({ names, dynamic }) => dynamic || names.some(({ name }) => name === artifact.name)),
  );
  const { fence } = artifact.template ?? {};
  // Text outside the template's fence would become part of the framing.
  const isAlone = !fence || trimSpan(text, fence.span).end === artifact.textSpan.end;
  if (isIncluded || !isAlone || (fence && fence.span.start !== artifact.textSpan.start)) return undefined;
  const printed = template.text.replace(/^(?:[^\S\r\n]*(?:\r\n|\n|\r))+/, '').replace(/\s+$/, '');
  return printed === '' || printed !== printed.trim() ? undefined : printed;
}

/** Moves the prose below the title, before all artifacts. */
function moveUp(
  { text, body, frontmatter }: SkillFile,
  { artifact }: SkillTemplate,
  prose: string,
): readonly TextEdit[] {
  const top = body?.title ? nextLine(text, body.title.span.end, text.length) : frontmatter.bodyStart;
  const { span: whole, heading, textSpan } = artifact;
  if (text.slice(top, heading.span.start).trim() === '') {
    return [{ span: span(heading.span.start, textSpan.end), newText: prose }];
  }
  const lineBreak = lineBreakOf(text);
  const first = top + (/^\s*/.exec(text.slice(top))?.[0].length ?? 0);
  const isLast = whole.end === text.length;
  const kept = isLast ? text.slice(0, whole.start).trimEnd().length : whole.start;
  return [
    { span: span(first, first), newText: prose + lineBreak + lineBreak },
    { span: span(kept, whole.end), newText: isLast ? lineBreak : '' },
  ];
}

/** Returns the edits that remove the key; none if a comment would be removed with the key. */
function removeKey({ text, frontmatter }: SkillFile): readonly TextEdit[] {
  const { root, comments } = frontmatter.tree;
  const key = findSkillEntry(root, 'framing');
  if (root?.kind !== 'map' || !key) return [];
  const line = span(key.span.start, nextLine(text, key.span.end, text.length));
  return comments.some((comment) => touches(line, comment.span.start))
    ? []
    : removeEntry(text, root, String(key.key.value));
}

const isProse = (file: SkillFile, prose: string): boolean => {
  const passages = readProse(file, file.body?.framing ?? []);
  return passages.length === 1 && passages[0]?.map(({ text }) => text).join('') === prose;
};

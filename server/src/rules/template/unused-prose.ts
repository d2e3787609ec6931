import { removePassage } from '../../analysis/removals.ts';
import { closingContinuationOf, continuationOf } from '../../analysis/template-continuation.ts';
import { chooseFraming, framingParts } from '../../composer/find-framing.ts';
import type { Fix } from '../../finding.ts';
import { fixHere, placesHere } from '../../finding.ts';
import { subtract, trimSpan, within } from '../../languages/markdown/spans.ts';
import { removeEntry } from '../../languages/yaml/edit.ts';
import type { Body } from '../../skill/body.ts';
import { sampleSections } from '../../skill/sample-sections.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { lineBreakOf, type Span, sliceOf, span, type TextEdit } from '../../text.ts';
import type { Rule } from '../engine/rule.ts';

/** Reports prose in a skill whose `framing` names a template. */
export const unusedProse: Rule = {
  name: 'unused-prose',
  severity: 'warning',
  evidence: { kind: 'spec', source: 'docs/composer.md, step 2' },
  dialects: ['composer'],
  *check(file) {
    const { body } = file;
    const chosen = chooseFraming(framingParts(file));
    if (!body || typeof chosen !== 'object') return;
    const passages = unusedPassages(file, body).filter((place) => !isClosing(file, place));
    const [first, ...others] = passages;
    if (!first) return;
    yield {
      span: firstLine(file, body, first),
      message: `The prompt does not contain this text, because \`framing\` names the template \`${chosen.template}\`. Move it into a Description, or remove it.`,
      tag: 'unnecessary',
      related: placesHere(
        file,
        others.map((place) => ({ span: place })),
        'This text is not in the prompt, either',
      ),
      fixes: [
        ...(passages.length === 1 ? joinTemplate(file, chosen.template, first) : []),
        ...moveToDescriptions(file, body, passages),
        ...removeFraming(file, passages),
        ...fixHere(
          file,
          'Remove the text',
          passages.map((place) => removePassage(file.text, body, place)),
        ),
      ],
    };
  },
};

/** Returns the first line of a passage that is not a comment. */
function firstLine({ text }: SkillFile, { htmlComments }: Body, place: Span): Span {
  const parts = subtract(
    [place],
    htmlComments.map((comment) => comment.span),
  );
  const { start, end } = parts.map((part) => trimSpan(text, part)).find((part) => part.start < part.end) ?? place;
  const length = /[\r\n]/.exec(text.slice(start, end))?.index;
  return span(start, length === undefined ? end : start + length);
}

/**
 * Returns the passages with words outside of headings and comments. `unknown-artifact-kind` and `retired-artifact-kind`
 * report sections that look like artifacts, and `unknown-artifact-kind` those that look like samples.
 */
function unusedPassages(file: SkillFile, body: Body): readonly Span[] {
  const { text } = file;
  const odd = new Set([...body.nearKinds, ...body.retiredKinds].map(({ heading }) => heading));
  const reported = [
    ...body.sections.flatMap((section) => (odd.has(section.heading) ? [section.span] : [])),
    ...file.derive(sampleSections).map((section) => section.span),
  ];
  const silent = [...body.headings, ...body.htmlComments].map((one) => one.span).sort((a, b) => a.start - b.start);
  return subtract(body.framing, reported)
    .map((place) => trimSpan(text, place))
    .filter((place) => subtract([place], silent).some((part) => /[\p{L}\p{N}]/u.test(sliceOf(text, part))));
}

/** Returns whether `template-syntax` reports a passage, because it closes the blocks of the template before it. */
const isClosing = (file: SkillFile, { start }: Span): boolean =>
  file.templates.some((template) => closingContinuationOf(file, template)?.passage.start === start);

/** Returns the fix that makes text with tags a part of the framing template directly before it. */
function joinTemplate(file: SkillFile, name: string, place: Span): readonly Fix[] {
  const named = file.templates.filter(({ artifact }) => artifact.name === name);
  const next = named.length === 1 && named[0] && hasTags(file, [place]) ? continuationOf(file, named[0]) : undefined;
  return next?.passage.start === place.start
    ? fixHere(file, `Add it to the template \`${name}\`, in a \`jinja\` fence`, next.fence)
    : [];
}

/**
 * Puts a heading of a Description above the text, and turns each section of the text into a Description. Returns no fix
 * for text with tags, or if a level-1 heading or another artifact would end a Description, or two would have the same name.
 */
function moveToDescriptions(file: SkillFile, body: Body, passages: readonly Span[]): readonly Fix[] {
  if (hasTags(file, passages)) return [];
  const lineBreak = lineBreakOf(file.text);
  const taken = body.artifacts.flatMap(({ kind, name }) => (kind === 'Description' ? [name] : []));
  const edits: TextEdit[] = [];
  for (const place of passages) {
    const headings = within(body.headings, place).filter(({ level }) => level <= 2);
    if (headings.some(({ level }) => level === 1)) return [];
    if (headings[0]?.span.start !== place.start) {
      edits.push({ span: span(place.start, place.start), newText: `## Description: notes${lineBreak}${lineBreak}` });
      taken.push('notes');
    }
    for (const { textSpan } of headings) {
      edits.push({ span: span(textSpan.start, textSpan.start), newText: 'Description: ' });
      taken.push(sliceOf(file.text, textSpan));
    }
  }
  return new Set(taken).size === taken.length ? fixHere(file, 'Turn the text into a Description', edits) : [];
}

/** Returns whether a passage has tags of templates, which only a PromptTemplate renders. */
const hasTags = ({ text }: SkillFile, passages: readonly Span[]): boolean =>
  passages.some((place) => /\{[{%]/.test(sliceOf(text, place)));

/** Returns the fix that makes the text the framing. Text with tags would be the framing, but would not be rendered. */
function removeFraming(file: SkillFile, passages: readonly Span[]): readonly Fix[] {
  if (hasTags(file, passages)) return [];
  const { root } = file.frontmatter.tree;
  const edits = root?.kind === 'map' ? removeEntry(file.text, root, 'framing') : [];
  return fixHere(file, 'Remove `framing`, so that this text is the framing', edits);
}

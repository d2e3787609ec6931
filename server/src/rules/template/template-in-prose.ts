import { chooseFraming, framingParts } from '../../composer/find-framing.ts';
import type { Draft } from '../../finding.ts';
import { findValue, listItems } from '../../languages/yaml/node.ts';
import type { Body } from '../../skill/body.ts';
import { findSkillEntry } from '../../skill/contract.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { overlaps, type Span, sliceOf } from '../../text.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';

/** The largest number of findings in one file, because further tags are usually the same mistake. */
const MAX_TAGS = 20;

/** Reports template tags in text that is not rendered. */
export const templateInProse: Rule = {
  name: 'template-in-prose',
  severity: 'hint',
  evidence: { kind: 'spec', source: 'docs/format.md, section 5, "Kinds"' },
  dialects: SKILLS,
  *check(file) {
    let count = 0;
    for (const draft of literalTags(file)) {
      if (++count > MAX_TAGS) return;
      yield draft;
    }
  },
};

function* literalTags(file: SkillFile): Iterable<Draft> {
  // Text for the model may be about templates, so outside of the framing, only tags that name an input are reported.
  const inputs = new Set(file.contract.input?.schema.fields.map(({ name }) => name));
  const namesInput = (span: Span): boolean => inputs.has(INPUT.exec(sliceOf(file.text, span))?.[1] ?? '');
  for (const item of listItems(findSkillEntry(file.frontmatter.tree.root, 'interrupts')?.value)) {
    const message = findValue(item, 'message');
    for (const span of message ? tagsIn(file.text, message.span, []).filter(namesInput) : []) {
      const words = 'The `message` of an interrupt is not rendered, so the braces are shown unchanged.';
      yield { span, message: `${words} Describe the value in words.` };
    }
  }
  if (file.body) yield* tagsInBody(file, file.body, namesInput);
}

/** The first name in a tag, after a keyword. */
const INPUT = /^\{[{%]-?\s*(?:(?:if|for\s+\w+\s+in)\s+)?(?:parameters\.)?(\w+)/;

function* tagsInBody(file: SkillFile, body: Body, namesInput: (span: Span) => boolean): Iterable<Draft> {
  // `unknown-artifact-kind` reports a section that is nearly a template.
  const near = new Set(body.nearKinds.map(({ heading }) => heading));
  const silent = [
    ...body.sections.flatMap(({ heading, span }) => (near.has(heading) ? [span] : [])),
    ...body.codeSpans,
    ...body.fences.map(({ span }) => span),
    ...body.htmlComments.map(({ span }) => span),
  ];
  // `unused-prose` reports prose that the prompt does not contain.
  const framing = chooseFraming(framingParts(file)) === 'prose' ? body.framing : [];
  for (const span of framing.flatMap((place) => tagsIn(file.text, place, silent))) {
    yield {
      span,
      message:
        'This text is not rendered, so the braces go into the prompt unchanged. Move it into a `## PromptTemplate` and name that template in `framing`.',
    };
  }
  for (const { kind, textSpan } of body.artifacts) {
    if (kind === 'PromptTemplate') continue;
    const noun = /^[AEIOU]/.test(kind) ? `An ${kind}` : `A ${kind}`;
    const advice = kind === 'Example' ? 'Write a value.' : MOVE;
    for (const span of tagsIn(file.text, textSpan, silent).filter(namesInput)) {
      yield { span, message: `${noun} is not rendered, so the braces go to the model unchanged. ${advice}` };
    }
  }
}

const MOVE = 'Move the text into a `## PromptTemplate`, or describe the value in words.';

/** Returns the tags of templates in a passage, except those in the `silent` places. */
function tagsIn(text: string, passage: Span, silent: readonly Span[]): readonly Span[] {
  return [...sliceOf(text, passage).matchAll(/\{\{[^{}\n]{1,200}\}\}|\{%[^{}\n]{1,200}%\}/g)]
    .map(({ 0: tag, index }) => ({ start: passage.start + index, end: passage.start + index + tag.length }))
    .filter((span) => !silent.some((place) => overlaps(place, span)));
}

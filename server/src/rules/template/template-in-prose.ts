import { renderedFraming } from '../../analysis/literal-framing.ts';
import { chooseFraming, framingParts } from '../../composer/find-framing.ts';
import { type Fix, fixHere, placesHere } from '../../finding.ts';
import { formatNumber } from '../../format-amounts.ts';
import { findValue, listItems } from '../../languages/yaml/node.ts';
import type { Body } from '../../skill/body.ts';
import { findSkillEntry } from '../../skill/contract.ts';
import { groupBy } from '../../skill/mentions.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { overlaps, type Span, sliceOf } from '../../text.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';

/** The largest number of places in one finding. */
const MAX_PLACES = 20;

/** Reports template tags in text that is not rendered. */
export const templateInProse: Rule = {
  name: 'template-in-prose',
  severity: 'hint',
  evidence: { kind: 'spec', source: 'docs/format.md, section 5, "Kinds"' },
  dialects: SKILLS,
  *check(file) {
    for (const [first, ...others] of groupBy(literalTags(file), ({ message }) => message).values()) {
      const { span, message, inFraming } = first;
      yield {
        span,
        message,
        related: placesHere(file, others.slice(0, MAX_PLACES), 'Another tag'),
        fixes: inFraming ? convertFraming(file, [first, ...others]) : [],
      };
    }
  },
};

/** A tag in text that is not rendered. The tags with one message are one finding. */
interface LiteralTag {
  readonly span: Span;
  readonly message: string;
  readonly inFraming?: true;
}

function convertFraming(file: SkillFile, tags: readonly LiteralTag[]): readonly Fix[] {
  const rendered = renderedFraming(
    file,
    tags.map(({ span }) => span),
  );
  if (!rendered) return [];
  const [input, ...more] = rendered.inputs;
  const added = more.length > 0 ? `${formatNumber(rendered.inputs.length)} inputs` : `the input \`${input}\``;
  const title = `Convert the framing to a template${input === undefined ? '' : `, and add ${added}`}`;
  return fixHere(file, title, rendered.edits);
}

function* literalTags(file: SkillFile): Iterable<LiteralTag> {
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

function* tagsInBody(file: SkillFile, body: Body, namesInput: (span: Span) => boolean): Iterable<LiteralTag> {
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
      inFraming: true,
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

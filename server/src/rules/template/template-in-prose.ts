import { chooseFraming, framingParts } from '../../composer/find-framing.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { overlaps, type Span, sliceOf } from '../../text.ts';
import type { Rule } from '../engine/rule.ts';

/** The largest number of findings in one file, because further tags are usually the same mistake. */
const MAX_TAGS = 20;

/** Reports template tags in literal framing. */
export const templateInProse: Rule = {
  name: 'template-in-prose',
  severity: 'hint',
  evidence: { kind: 'spec', source: 'docs/format.md, section 5, "Kinds"' },
  dialects: ['composer'],
  *check(file) {
    // `unused-prose` reports prose that the prompt does not contain.
    if (chooseFraming(framingParts(file)) !== 'prose') return;
    let count = 0;
    for (const span of literalTags(file)) {
      if (++count > MAX_TAGS) return;
      yield {
        span,
        message:
          'This text is not rendered, so the braces go into the prompt unchanged. Move it into a `## PromptTemplate` and name that template in `framing`.',
      };
    }
  },
};

function* literalTags({ body, text }: SkillFile): Iterable<Span> {
  if (!body) return;
  // `unknown-artifact-kind` reports a section that is nearly a template.
  const near = new Set(body.nearKinds.map(({ heading }) => heading));
  const silent = [
    ...body.sections.flatMap(({ heading, span }) => (near.has(heading) ? [span] : [])),
    ...body.codeSpans,
    ...body.fences.map(({ span }) => span),
    ...body.htmlComments.map(({ span }) => span),
  ];
  for (const prose of body.framing) {
    for (const match of sliceOf(text, prose).matchAll(/\{\{[^{}\n]{1,200}\}\}|\{%[^{}\n]{1,200}%\}/g)) {
      const span = { start: prose.start + match.index, end: prose.start + match.index + match[0].length };
      if (!silent.some((place) => overlaps(place, span))) yield span;
    }
  }
}

import type { NearKind, NearPart } from '../skill/artifacts.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { sliceOf, span } from '../text.ts';
import { fixHere, type Rule } from './rule.ts';

/** Reports a heading that nearly begins an artifact or a part of an Example, because it is read as prose. */
export const unknownArtifactKind: Rule = {
  name: 'unknown-artifact-kind',
  severity: 'warning',
  evidence: { kind: 'spec', source: 'docs/format.md, section 5' },
  dialects: ['composer'],
  readsBroken: true,
  *check(file) {
    for (const near of file.body?.nearKinds ?? []) yield draftOfKind(file, near);
    for (const near of file.body?.nearParts ?? []) yield draftOfPart(file, near);
  },
};

function draftOfKind(file: SkillFile, { heading, kind, kindSpan, meant }: NearKind) {
  const written = sliceOf(file.text, kindSpan);
  const message =
    heading.level === 2
      ? `Unknown artifact kind \`${written}\`, so this section is prose. Did you mean \`${meant ?? kind}\`?`
      : `\`${written}\` does not begin an artifact, because it is not a level-2 heading. Did you mean \`${meant ?? kind}\`?`;
  const edits = meant === undefined ? [] : [{ span: kindSpan, newText: meant }];
  return { span: kindSpan, message, fixes: fixHere(file, `Replace with \`${meant ?? kind}\``, edits) };
}

function draftOfPart(file: SkillFile, { heading, side, artifact }: NearPart) {
  const right = side === 'input' ? '### Input' : '### Output';
  const isUnderlined = file.text[heading.span.start] !== '#';
  const place = isUnderlined ? heading.span : span(heading.span.start, heading.textSpan.end);
  return {
    span: place,
    message: `This text is not the ${side} of the example \`${artifact.name}\`. Did you mean \`${right}\`?`,
    fixes: fixHere(file, `Replace with \`${right}\``, [{ span: place, newText: right }]),
  };
}

/** Rules about the kinds of artifacts in headings (docs/format.md, section 5). */
import type { Draft } from '../../finding.ts';
import { fixHere } from '../../finding.ts';
import { formatJson, insertEntry } from '../../languages/yaml/edit.ts';
import { findEntry, findValue, isNull, listItems, stringOf } from '../../languages/yaml/node.ts';
import type { NearKind, NearPart } from '../../skill/artifacts.ts';
import { insertKey } from '../../skill/insert-key.ts';
import { type SampleSection, sampleSections } from '../../skill/sample-sections.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { lineBreakOf, sliceOf, span } from '../../text.ts';
import type { Rule } from '../engine/rule.ts';

/** Reports a heading that nearly begins an artifact or a part of an Example, because it is read as prose. */
export const unknownArtifactKind: Rule = {
  name: 'unknown-artifact-kind',
  severity: 'warning',
  evidence: { kind: 'spec', source: 'docs/format.md, section 5' },
  dialects: ['composer'],
  readsTests: true,
  readsBroken: true,
  *check(file) {
    for (const near of file.body?.nearKinds ?? []) yield draftOfKind(file, near);
    for (const near of file.body?.nearParts ?? []) yield draftOfPart(file, near);
    for (const section of file.derive(sampleSections)) yield draftOfSample(file, section);
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

function draftOfSample(file: SkillFile, { span: place, headingSpan, name, sample, isAlone }: SampleSection): Draft {
  const { text, frontmatter } = file;
  const samples = findValue(frontmatter.tree.root, 'samples');
  const added =
    samples?.kind === 'map' && !findEntry(samples, name)
      ? insertEntry(text, samples, name, formatJson(sample))
      : !samples || isNull(samples)
        ? insertKey(file, 'samples', formatJson({ [name]: sample }))
        : [];
  // At the end of the file, the empty lines before the section are removed, too.
  const isLast = place.end === text.length;
  const start = isLast ? text.slice(0, place.start).trimEnd().length : place.start;
  const removed = { span: span(start, place.end), newText: isLast ? lineBreakOf(text) : '' };
  const edits = isAlone && added.length > 0 ? [...added, removed] : [];
  return {
    span: headingSpan,
    message: 'This section is prose, because samples are in the frontmatter. Move it to `samples`.',
    fixes: fixHere(file, 'Move it to `samples`', edits),
  };
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

const REPLACEMENTS = {
  CodeTemplate: 'Describe the steps in an Approach, and do the work with a tool.',
  DspyModule: 'Write a PromptTemplate instead.',
} as const;

/** Reports a section of a kind that the format no longer has. */
export const retiredArtifactKind: Rule = {
  name: 'retired-artifact-kind',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 5' },
  dialects: ['composer', 'package'],
  readsBroken: true,
  *check(file) {
    if (file.dialect === 'package') yield* inPackage(file);
    for (const { kind, kindSpan } of file.body?.retiredKinds ?? []) {
      const successor = kind === 'DspyModule' ? 'PromptTemplate' : 'Approach';
      yield {
        span: kindSpan,
        message: `\`${kind}\` is a retired kind of artifact. ${REPLACEMENTS[kind]}`,
        tag: 'deprecated',
        fixes: fixHere(file, `Replace with \`${successor}\``, [{ span: kindSpan, newText: successor }]),
      };
    }
  },
};

/** Reports retired kinds in a package, which may contain artifacts of these kinds, although conversion skips them. */
function* inPackage({ frontmatter: { tree } }: SkillFile): Iterable<Draft> {
  if (tree.broken) return;
  for (const artifact of listItems(findValue(tree.root, 'artifacts'))) {
    const kind = findValue(artifact, 'kind');
    const word = stringOf(kind);
    if (!kind || (word !== 'code_template' && word !== 'dspy_module')) continue;
    const instead = word === 'dspy_module' ? REPLACEMENTS.DspyModule : REPLACEMENTS.CodeTemplate;
    yield {
      span: kind.span,
      message: `\`${word}\` is a retired kind of artifact and will not be converted. ${instead}`,
      severity: 'hint',
      tag: 'deprecated',
    };
  }
}

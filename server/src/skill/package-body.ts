/** The body of a file as the composer takes it: prose and artifacts, each stretch with its place. */
import { subtract, trimSpan } from '../languages/markdown/spans.ts';
import { findValue, jsonOf, listItems, stringOf, type YamlNode } from '../languages/yaml/node.ts';
import { nextLine, type Span, sliceOf, span } from '../text.ts';
import { type Artifact, type ExamplePart, type Stage, stagesOf } from './body.ts';
import { contentDigest } from './content-digest.ts';
import { namesOf } from './contract.ts';
import type { PackageArtifact, PackageExpression, PackageReference, PackageStage, Passage } from './package.ts';
import type { SkillFile } from './skill-file.ts';

/** The stretches of prose, white space at their ends left out; empty ones are none, and comments alone are no prose. */
export function readProse(document: SkillFile, spans: readonly Span[]): readonly Passage[] {
  const comments = (document.body?.htmlComments ?? []).map(({ span: place }) => place);
  if (subtract(spans, comments).every((place) => sliceOf(document.text, place).trim() === '')) return [];
  return spans.map((place) => passageOf(document, place)).filter((passage) => passage.length > 0);
}

/**
 * Authored text as written, without the comments that suppress findings (`skill-disable-next-line`). Other comments
 * stay, because a model may be meant to read them.
 */
function passageOf({ text, suppressions }: SkillFile, place: Span): Passage {
  const silenced = suppressions
    .filter(({ comment }) => place.start <= comment.start && comment.end <= place.end)
    .map(({ comment }) => wholeLine(text, comment, place));
  const parts = silenced.length === 0 ? [place] : subtract([place], distinct(silenced));
  const trimmed = parts.filter((part, at) => at === 0 || part.start < part.end);
  const outer = trimOuter(text, trimmed);
  return outer.map((part) => ({ span: part, text: text.slice(part.start, part.end) }));
}

/** A comment alone on its line takes the line with it. */
function wholeLine(text: string, comment: Span, { start, end }: Span): Span {
  const lineStart = Math.max(start, text.lastIndexOf('\n', comment.start - 1) + 1);
  const next = nextLine(text, comment.end, end);
  const alone = text.slice(lineStart, comment.start).trim() === '' && text.slice(comment.end, next).trim() === '';
  return alone ? span(lineStart, next) : comment;
}

/** A comment that suppresses several rules is in the list several times. */
function distinct(spans: readonly Span[]): Span[] {
  const byStart = new Map(spans.map((place) => [place.start, place]));
  return [...byStart.values()].sort((a, b) => a.start - b.start);
}

/** White space at the two ends of the whole is left out, that between the parts stays. */
function trimOuter(text: string, parts: readonly Span[]): Span[] {
  const left = [...parts];
  while (left.length > 0) {
    const first = left[0] as Span;
    const trimmed = trimSpan(text, first);
    if (trimmed.start < trimmed.end) {
      left[0] = span(trimmed.start, first.end);
      break;
    }
    left.shift();
  }
  while (left.length > 0) {
    const last = left.at(-1) as Span;
    const trimmed = trimSpan(text, last);
    if (trimmed.start < trimmed.end) {
      left[left.length - 1] = span(last.start, trimmed.end);
      break;
    }
    left.pop();
  }
  return left;
}

export function readArtifacts(document: SkillFile): readonly PackageArtifact[] {
  const { text, body, metadata } = document;
  const trees = new Map(metadata.map(({ artifact, tree }) => [artifact, tree]));
  const ids = new Set<string>();
  return (body?.artifacts ?? []).map((artifact) => {
    const tree = trees.get(artifact);
    const meta = tree?.broken ? undefined : tree?.root;
    const modelVariant = artifact.kind === 'PromptTemplate' ? stringOf(findValue(meta, 'model_variant')) : undefined;
    const tools = findValue(meta, 'tools');
    const template = artifact.template?.span;
    const stages = body ? stagesOf(text, body, artifact) : [];
    const input = readPart(document, artifact.example?.input);
    const output = readPart(document, artifact.example?.output);
    return {
      id: uniqueId(ids, `${artifact.kind}:${artifact.name}${modelVariant === undefined ? '' : `@${modelVariant}`}`),
      digest: contentDigest(text.slice(artifact.span.start, artifact.span.end)),
      kind: artifact.kind,
      name: artifact.name,
      headingSpan: artifact.heading.span,
      span: artifact.span,
      text: passageOf(document, artifact.textSpan),
      includeWhen: readExpression(text, findValue(meta, 'include_when')),
      tags: artifact.kind === 'Example' ? namesOf(findValue(meta, 'tags')).map(({ name }) => name) : [],
      modelVariant,
      tools: artifact.kind === 'Approach' && tools ? namesOf(tools) : undefined,
      template: template && { span: template, text: text.slice(template.start, template.end) },
      input,
      output,
      ...readStages(document, artifact, stages),
      asides: readProse(document, asidesOf(artifact, (input ?? []).length + (output ?? []).length > 0)),
      references: referencesIn(document, artifact.span),
      assertions: listItems(findValue(meta, 'assertions'))
        .filter(({ kind }) => kind === 'map')
        .map((node) => ({ span: node.span, json: jsonOf(node) })),
    };
  });
}

/** Two artifacts of one name are an error, but have different ids. */
function uniqueId(ids: Set<string>, wanted: string): string {
  let id = wanted;
  for (let n = 2; ids.has(id); n++) id = `${wanted}#${n}`;
  ids.add(id);
  return id;
}

const readPart = (document: SkillFile, part: ExamplePart | undefined): Passage | undefined =>
  part && passageOf(document, part.fence ? part.fence.span : part.span);

function readStages(
  document: SkillFile,
  { textSpan }: Artifact,
  stages: readonly Stage[],
): Pick<PackageArtifact, 'stages' | 'beforeStages' | 'afterStages'> {
  const [first] = stages;
  const last = stages.at(-1);
  if (!first || !last) return { stages: [], beforeStages: [], afterStages: [] };
  return {
    stages: stages.map((stage, at) => readStage(document, stage, stages[at + 1]?.span.start ?? stage.textSpan.end)),
    beforeStages: passageOf(document, span(textSpan.start, first.span.start)),
    afterStages: passageOf(document, span(last.textSpan.end, textSpan.end)),
  };
}

const readStage = (document: SkillFile, { name, span: place, textSpan }: Stage, end: number): PackageStage => ({
  name,
  span: place,
  text: passageOf(document, span(textSpan.start, end)),
  references: referencesIn(document, span(place.start, end)),
});

/** Without text in its parts an Example is taken as it is written, and nothing of it is aside. */
function asidesOf({ textSpan, template, example }: Artifact, hasParts: boolean): readonly Span[] {
  const parts = hasParts ? [example?.input, example?.output] : [];
  const held = [
    ...(template?.fence ? [template.fence.span] : []),
    ...parts.flatMap((part) => (part ? [part.heading.span, part.fence?.span ?? part.span] : [])),
  ];
  return held.length === 0
    ? []
    : subtract(
        [textSpan],
        held.sort((a, b) => a.start - b.start),
      );
}

const referencesIn = ({ body }: SkillFile, { start, end }: Span): readonly PackageReference[] =>
  (body?.references ?? [])
    .filter((reference) => start <= reference.span.start && reference.span.end <= end)
    .map(({ kind, name, span: place }) => ({ kind, name, span: place }));

/** A condition in YAML. Of quoted text without escapes and plain text on one line the letters stand in the file as they are. */
export function readExpression(text: string, node: YamlNode | undefined): PackageExpression | undefined {
  if (node?.kind !== 'scalar' || node.value === null) return undefined;
  const source = typeof node.value === 'string' ? node.value : node.source;
  const start = node.span.start + (node.style === 'single' || node.style === 'double' ? 1 : 0);
  const verbatim = text.startsWith(source, start);
  return { source, span: node.span, valueStart: verbatim ? start : undefined };
}

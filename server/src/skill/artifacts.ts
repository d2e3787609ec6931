/** The artifacts of a body and what they are made of (docs/format.md, section 5). */
import type { Fence, Heading, MarkdownBlock, MarkdownBlocks } from '../languages/markdown/blocks.ts';
import { trimSpan, within } from '../languages/markdown/spans.ts';
import { type Span, span } from '../text.ts';
import {
  type ArtifactKind,
  findKind,
  findNearKind,
  findRetiredKind,
  type HeadingParts,
  type RetiredKind,
  splitHeading,
} from '../vocabulary/artifact-keys.ts';

/** A level-2 heading and all that follows, up to the next heading of level 1 or 2. */
export interface Section {
  readonly heading: Heading;
  readonly span: Span;
  /** All that follows the heading's line. */
  readonly contentSpan: Span;
}

export interface Artifact extends Section {
  readonly kind: ArtifactKind;
  /** The kind as the heading has it. */
  readonly kindSpan: Span;
  /** As the heading has it; the kind where it has none. */
  readonly name: string;
  readonly explicitName: boolean;
  readonly nameSpan?: Span;
  /** The metadata fence and its YAML. */
  readonly metadata?: { readonly fence: Fence; readonly span: Span };
  /** What follows the heading and the metadata, trimmed; empty where there is nothing. */
  readonly textSpan: Span;
  /** A PromptTemplate's source: the inside of its one `jinja` fence, else `textSpan`. */
  readonly template?: TemplatePlace;
  readonly example?: { readonly input?: ExamplePart; readonly output?: ExamplePart };
}

/** Where a template's source stands. `surplus` is a second `jinja` fence, which makes the whole text the template. */
export interface TemplatePlace {
  readonly span: Span;
  readonly fence?: Fence;
  readonly surplus?: Fence;
}

/** `### Input` or `### Output`. With a `fence` it is data, and `span` the fence's content; else literal text, trimmed. */
export interface ExamplePart {
  readonly heading: Heading;
  readonly span: Span;
  readonly fence?: Fence;
  readonly format?: 'yaml' | 'json';
}

/** A heading that is nearly a kind, or one of a retired kind. `named`: the heading goes on with `: name`. */
export interface OddKind<Kind extends string> {
  readonly heading: Heading;
  readonly kindSpan: Span;
  readonly kind: Kind;
  readonly named: boolean;
}

/** A fence marked `artifact` that is no metadata: not the first block, not YAML, or in no artifact at all. */
export interface MisplacedMetadata {
  readonly fence: Fence;
  readonly reason: 'not-first' | 'not-yaml' | 'no-artifact';
  readonly artifact?: Artifact;
}

export interface Artifacts {
  readonly artifacts: readonly Artifact[];
  readonly nearKinds: readonly OddKind<ArtifactKind>[];
  readonly retiredKinds: readonly OddKind<RetiredKind>[];
  readonly misplacedMetadata: readonly MisplacedMetadata[];
}

export const NO_ARTIFACTS: Artifacts = { artifacts: [], nearKinds: [], retiredKinds: [], misplacedMetadata: [] };

export function parseArtifacts(text: string, sections: readonly Section[], blocks: MarkdownBlocks): Artifacts {
  const artifacts: Artifact[] = [];
  const nearKinds: OddKind<ArtifactKind>[] = [];
  const retiredKinds: OddKind<RetiredKind>[] = [];
  const misplacedMetadata: MisplacedMetadata[] = [];
  let next = 0;
  /** The fences marked as metadata before `end` that have not been looked at. */
  const marked = blocks.fences.filter(isMarked);
  const takeMarked = (end: number): Fence[] => {
    const from = next;
    while (next < marked.length && (marked[next] as Fence).span.start < end) next++;
    return marked.slice(from, next);
  };
  const outside = (end: number) => {
    for (const fence of takeMarked(end)) misplacedMetadata.push({ fence, reason: 'no-artifact' });
  };
  for (const section of sections) {
    outside(section.span.start);
    const parts = splitHeading(text, section.heading);
    const written = text.slice(parts.kindSpan.start, parts.kindSpan.end);
    const named = parts.nameSpan !== undefined;
    const odd = { heading: section.heading, kindSpan: parts.kindSpan, named };
    const kind = findKind(written);
    const retired = findRetiredKind(written);
    const near = kind || retired ? undefined : findNearKind(written, named);
    if (kind) {
      const artifact = artifactOf(text, section, kind, parts, blocks);
      artifacts.push(artifact);
      for (const fence of takeMarked(section.span.end)) {
        if (fence === artifact.metadata?.fence) continue;
        misplacedMetadata.push({ fence, reason: isYaml(fence) ? 'not-first' : 'not-yaml', artifact });
      }
    } else if (retired) {
      retiredKinds.push({ ...odd, kind: retired });
      takeMarked(section.span.end);
    } else if (near) {
      nearKinds.push({ ...odd, kind: near });
      takeMarked(section.span.end);
    }
  }
  outside(Number.POSITIVE_INFINITY);
  return { artifacts, nearKinds, retiredKinds, misplacedMetadata };
}

function artifactOf(
  text: string,
  { heading, span: place, contentSpan }: Section,
  kind: ArtifactKind,
  { kindSpan, nameSpan }: HeadingParts,
  all: MarkdownBlocks,
): Artifact {
  const fences = within(all.fences, contentSpan);
  const blocks = within(all.blocks, contentSpan);
  const fence = findMetadata(fences, blocks);
  const textSpan = trimSpan(text, span(fence?.span.end ?? contentSpan.start, contentSpan.end));
  const name = nameSpan ? text.slice(nameSpan.start, nameSpan.end) : kind;
  const explicitName = nameSpan !== undefined;
  // Filled in step by step: copying the object for each part is slow where a body has very many artifacts.
  const artifact: { -readonly [Key in keyof Artifact]: Artifact[Key] } = {
    heading,
    span: place,
    contentSpan,
    kind,
    kindSpan,
    name,
    explicitName,
    textSpan,
  };
  if (nameSpan) artifact.nameSpan = nameSpan;
  if (fence) artifact.metadata = { fence, span: fence.contentSpan };
  if (kind === 'PromptTemplate') artifact.template = templateOf(text, textSpan, fences);
  if (kind === 'Example') artifact.example = exampleOf(text, place, fences, blocks, within(all.headings, contentSpan));
  return artifact;
}

/** The metadata fence must be the first block; comments, which may suppress a finding in it, do not count. */
function findMetadata(fences: readonly Fence[], blocks: readonly MarkdownBlock[]): Fence | undefined {
  const first = blocks.find(({ kind }) => kind !== 'comment');
  const [fence] = fences;
  return fence && first?.span.start === fence.span.start && isMarked(fence) && isYaml(fence) ? fence : undefined;
}

const isMarked = ({ words }: Fence): boolean => words.includes('artifact', 1);
const isYaml = ({ lang }: Fence): boolean => lang === 'yaml' || lang === 'yml';

const isTemplateFence = ({ words }: Fence): boolean => words.includes('jinja') || words.includes('jinja2');

function templateOf(text: string, textSpan: Span, fences: readonly Fence[]): TemplatePlace {
  const [fence, surplus] = fences.filter(isTemplateFence);
  if (!fence) return { span: textSpan };
  if (surplus) return { span: textSpan, surplus };
  return { span: withoutLastBreak(text, fence.contentSpan), fence };
}

/** A template ends with its last line's text; the line break before the closing marker is the fence's. */
function withoutLastBreak(text: string, { start, end }: Span): Span {
  let to = end;
  if (to > start && text[to - 1] === '\n') to--;
  if (to > start && text[to - 1] === '\r') to--;
  return span(start, to);
}

function exampleOf(
  text: string,
  { end }: Span,
  fences: readonly Fence[],
  blocks: readonly MarkdownBlock[],
  headings: readonly Heading[],
): NonNullable<Artifact['example']> {
  const parts = headings.filter(({ level }) => level === 3);
  const partOf = (name: RegExp): ExamplePart | undefined => {
    const index = parts.findIndex((heading) => name.test(heading.text));
    const heading = parts[index];
    if (!heading) return undefined;
    const place = span(heading.span.end, parts[index + 1]?.span.start ?? end);
    const first = within(blocks, place).find(({ kind }) => kind !== 'comment');
    const fence = fences.find(({ span: { start } }) => start === first?.span.start);
    const format = fence && formatOf(fence);
    return fence && format
      ? { heading, span: fence.contentSpan, fence, format }
      : { heading, span: trimSpan(text, place) };
  };
  const input = partOf(/^input\s*:?$/i);
  const output = partOf(/^output\s*:?$/i);
  const example: { input?: ExamplePart; output?: ExamplePart } = {};
  if (input) example.input = input;
  if (output) example.output = output;
  return example;
}

function formatOf(fence: Fence): 'yaml' | 'json' | undefined {
  if (isYaml(fence)) return 'yaml';
  return fence.lang === 'json' ? 'json' : undefined;
}

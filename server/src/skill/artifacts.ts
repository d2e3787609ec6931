/** Reads the artifacts in a body, and the parts of each artifact (docs/format.md, section 5). */
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

/** A level-2 heading with the text up to the next heading of level 1 or 2. */
export interface Section {
  readonly heading: Heading;
  readonly span: Span;
  /** The text after the line of the heading. */
  readonly contentSpan: Span;
}

export interface Artifact extends Section {
  readonly kind: ArtifactKind;
  /** The kind in the heading. */
  readonly kindSpan: Span;
  /** The name in the heading; the kind if the heading has no name. */
  readonly name: string;
  readonly explicitName: boolean;
  readonly nameSpan?: Span;
  /** The metadata fence; `span` is its YAML. */
  readonly metadata?: { readonly fence: Fence; readonly span: Span };
  /** The text after the heading and the metadata, trimmed; may be empty. */
  readonly textSpan: Span;
  /** The source of a PromptTemplate: the content of its only `jinja` fence, else `textSpan`. */
  readonly template?: TemplatePlace;
  readonly example?: { readonly input?: ExamplePart; readonly output?: ExamplePart };
}

/** The source of a template. `surplus` is a second `jinja` fence: with it, the whole text is the template. */
export interface TemplatePlace {
  readonly span: Span;
  readonly fence?: Fence;
  readonly surplus?: Fence;
}

/**
 * The `### Input` or `### Output` of an Example. With a `fence`, the part is data, and `span` is the content of the
 * fence; otherwise the part is trimmed text.
 */
export interface ExamplePart {
  readonly heading: Heading;
  readonly span: Span;
  readonly fence?: Fence;
  readonly format?: 'yaml' | 'json';
}

/** A heading with a misspelt or a retired kind. `named`: the heading also has `: name`. */
export interface UnrecognizedKind<Kind extends string> {
  readonly heading: Heading;
  readonly kindSpan: Span;
  readonly kind: Kind;
  readonly named: boolean;
}

/** A fence marked `artifact` that is not metadata: it is not the first block, not YAML, or not in an artifact. */
export interface MisplacedMetadata {
  readonly fence: Fence;
  readonly reason: 'not-first' | 'not-yaml' | 'no-artifact';
  readonly artifact?: Artifact;
}

export interface Artifacts {
  readonly artifacts: readonly Artifact[];
  readonly nearKinds: readonly UnrecognizedKind<ArtifactKind>[];
  readonly retiredKinds: readonly UnrecognizedKind<RetiredKind>[];
  readonly misplacedMetadata: readonly MisplacedMetadata[];
}

/** The result for a body that cannot have artifacts. */
export const NO_ARTIFACTS: Artifacts = { artifacts: [], nearKinds: [], retiredKinds: [], misplacedMetadata: [] };

/**
 * Finds the artifacts among the sections of the body (docs/format.md, section 5). All spans are offsets in the file
 * `text`. Also returns headings and fences that look like artifacts. Never throws.
 */
export function parseArtifacts(text: string, sections: readonly Section[], blocks: MarkdownBlocks): Artifacts {
  const artifacts: Artifact[] = [];
  const nearKinds: UnrecognizedKind<ArtifactKind>[] = [];
  const retiredKinds: UnrecognizedKind<RetiredKind>[] = [];
  const misplacedMetadata: MisplacedMetadata[] = [];
  let next = 0;
  /** The fences that are marked as metadata, in the order of the file. */
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
  // Adds the parts one by one, since copying the object for each part is slow in bodies with many artifacts.
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

/**
 * Returns the metadata fence, which must be the first block. Comments are skipped, since they may suppress findings.
 */
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

/** Removes the line break before the closing marker, which belongs to the fence and not to the template. */
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

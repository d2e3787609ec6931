/** Reads the artifacts in a body, and the parts of each artifact (docs/format.md, section 5). */
import type { Fence, Heading, MarkdownBlock, MarkdownBlocks } from '../languages/markdown/blocks.ts';
import { trimSpan, within } from '../languages/markdown/spans.ts';
import { contains, type Span, span } from '../text.ts';
import {
  type ArtifactKind,
  artifactKeys,
  EXAMPLE_SIDES,
  type ExampleSide,
  findExamplePart,
  findKind,
  findLeadingKind,
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

/** A heading that nearly begins an artifact. */
export interface NearKind extends UnrecognizedKind<ArtifactKind> {
  /** The text that replaces `kindSpan`; undefined if the section contains several artifacts. */
  readonly meant: string | undefined;
}

/** A heading that is nearly the heading of a missing part of an Example, as in `### Inputs`. */
export interface NearPart {
  readonly heading: Heading;
  readonly side: ExampleSide;
  readonly artifact: Artifact;
}

/**
 * A fence that looks like metadata and has no effect: it is not the first block, not YAML, not in an artifact, or not
 * marked `artifact`.
 */
export interface MisplacedMetadata {
  readonly fence: Fence;
  readonly reason: 'not-first' | 'not-yaml' | 'no-artifact' | 'not-marked';
  readonly artifact?: Artifact;
}

export interface Artifacts {
  readonly artifacts: readonly Artifact[];
  readonly nearKinds: readonly NearKind[];
  readonly nearParts: readonly NearPart[];
  readonly retiredKinds: readonly UnrecognizedKind<RetiredKind>[];
  readonly misplacedMetadata: readonly MisplacedMetadata[];
}

/** The result for a body that cannot have artifacts. */
export const NO_ARTIFACTS: Artifacts = {
  artifacts: [],
  nearKinds: [],
  nearParts: [],
  retiredKinds: [],
  misplacedMetadata: [],
};

/**
 * Finds the artifacts among the sections of the body (docs/format.md, section 5). All spans are offsets in the file
 * `text`. Also returns headings and fences that look like artifacts. Never throws.
 */
export function parseArtifacts(text: string, sections: readonly Section[], blocks: MarkdownBlocks): Artifacts {
  const artifacts: Artifact[] = [];
  const nearKinds: NearKind[] = [];
  const nearParts: NearPart[] = [];
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
  /** The Example directly above, whose parts may have headings of level 2. */
  let example: Artifact | undefined;
  for (const section of sections) {
    outside(section.span.start);
    const parts = splitHeading(text, section.heading);
    const written = text.slice(parts.kindSpan.start, parts.kindSpan.end);
    const named = parts.nameSpan !== undefined;
    const odd = { heading: section.heading, kindSpan: parts.kindSpan, named };
    const kind = findKind(written);
    const retired = findRetiredKind(written);
    const near = kind || retired ? undefined : (findNearKind(written, named) ?? similarTo(text, section, blocks));
    const part = kind ? undefined : findExamplePart(section.heading.text);
    if (part?.exact && example && !example.example?.[part.side]) {
      nearParts.push({ heading: section.heading, side: part.side, artifact: example });
      continue;
    }
    example = undefined;
    if (kind) {
      const artifact = artifactOf(text, section, kind, parts, blocks);
      artifacts.push(artifact);
      if (kind === 'Example') {
        nearParts.push(...nearPartsOf(artifact, within(blocks.headings, section.contentSpan)));
        example = artifact;
      }
      const unmarked = artifact.metadata ? undefined : findUnmarked(text, artifact, blocks);
      if (unmarked) misplacedMetadata.push({ fence: unmarked, reason: 'not-marked', artifact });
      for (const fence of takeMarked(section.span.end)) {
        if (fence === artifact.metadata?.fence) continue;
        misplacedMetadata.push({ fence, reason: isYaml(fence) ? 'not-first' : 'not-yaml', artifact });
      }
    } else if (retired) {
      retiredKinds.push({ ...odd, kind: retired });
      takeMarked(section.span.end);
    } else if (near) {
      nearKinds.push(typeof near === 'string' ? { ...odd, kind: near, meant: near } : near);
      takeMarked(section.span.end);
    }
  }
  outside(Number.POSITIVE_INFINITY);
  nearKinds.push(...templatesOfOtherLevels(text, artifacts, blocks), ...examplesOfOtherLevels(text, artifacts, blocks));
  nearKinds.sort((a, b) => a.kindSpan.start - b.kindSpan.start);
  return { artifacts, nearKinds, nearParts, retiredKinds, misplacedMetadata };
}

/**
 * Returns the kind that the first words of a heading name, if the section has the structure of this kind: metadata, the
 * parts of an Example, or the tags of a template.
 */
function similarTo(text: string, { heading, contentSpan }: Section, all: MarkdownBlocks): NearKind | undefined {
  // Authors write a heading that looks like an artifact in bold to keep it as prose.
  const lead = findLeadingKind(heading.text);
  if (!lead || text.slice(heading.textSpan.start, heading.textSpan.end).includes('*')) return undefined;
  const { kind, name, isFull } = lead;
  const fences = within(all.fences, contentSpan);
  const parts = within(all.headings, contentSpan).flatMap(({ level, text: part }) =>
    level === 3 ? (findExamplePart(part)?.side ?? []) : [],
  );
  const isLike = {
    Example: parts.length > 0 && (isFull || new Set(parts).size === 2),
    PromptTemplate:
      fences.some(isTemplateFence) || (isFull && /\{\{|\{%/.test(text.slice(contentSpan.start, contentSpan.end))),
    Approach: false,
    Description: false,
  };
  if (!isLike[kind] && !findMetadata(fences, within(all.blocks, contentSpan))) return undefined;
  const isOne = new Set(parts).size === parts.length;
  const meant = isOne ? `${kind}${name === '' ? '' : `: ${name}`}` : undefined;
  return { heading, kindSpan: heading.textSpan, kind, named: name !== '', meant };
}

/** Finds headings of another level than 2 that name a PromptTemplate. Other kinds are ordinary words. */
function templatesOfOtherLevels(text: string, artifacts: readonly Artifact[], all: MarkdownBlocks): NearKind[] {
  return all.headings.flatMap((heading): NearKind[] => {
    if (heading.level === 2 || text[heading.span.start] !== '#') return [];
    const { kindSpan, nameSpan } = splitHeading(text, heading);
    const kind = nameSpan && findKind(text.slice(kindSpan.start, kindSpan.end));
    const isHeld = artifacts.some(({ template, span: { start, end } }) => {
      return template !== undefined && start <= heading.span.start && heading.span.end <= end;
    });
    if (kind !== 'PromptTemplate' || isHeld) return [];
    return [{ heading, kindSpan: span(heading.span.start, kindSpan.end), kind, named: true, meant: `## ${kind}` }];
  });
}

/** Finds headings of another level than 2 that name an Example, above the headings of its input and its output. */
function examplesOfOtherLevels(text: string, artifacts: readonly Artifact[], all: MarkdownBlocks): NearKind[] {
  return all.headings.flatMap((heading, at): NearKind[] => {
    if (heading.level === 2 || text[heading.span.start] !== '#') return [];
    const { kindSpan, nameSpan } = splitHeading(text, heading);
    if (findKind(text.slice(kindSpan.start, kindSpan.end)) !== 'Example') return [];
    const parts = all.headings.slice(at + 1, at + 3).map((part) => {
      const side = part.level === heading.level + 1 ? findExamplePart(part.text) : undefined;
      return side?.exact ? side.side : undefined;
    });
    const isHeld = artifacts.some(({ span: place }) => contains(place, heading.span));
    if (isHeld || !EXAMPLE_SIDES.every((side) => parts.includes(side))) return [];
    const place = span(heading.span.start, kindSpan.end);
    return [{ heading, kindSpan: place, kind: 'Example', named: nameSpan !== undefined, meant: '## Example' }];
  });
}

/** Finds headings in an Example that are nearly the heading of a missing part. */
function nearPartsOf(artifact: Artifact, headings: readonly Heading[]): readonly NearPart[] {
  return EXAMPLE_SIDES.flatMap((side) => {
    if (artifact.example?.[side]) return [];
    const heading = headings.find(({ level, text }) => {
      const part = level >= 3 ? findExamplePart(text) : undefined;
      return part?.side === side && (level === 3 || part.exact);
    });
    return heading ? [{ heading, side, artifact }] : [];
  });
}

/** Finds a first block that has the keys or the name of metadata, but is not marked as metadata. */
function findUnmarked(text: string, { kind, contentSpan }: Artifact, all: MarkdownBlocks): Fence | undefined {
  const first = within(all.blocks, contentSpan).find((block) => block.kind !== 'comment');
  const fence = all.fences.find(({ span: { start } }) => start === first?.span.start);
  if (!fence || isMarked(fence)) return undefined;
  if (fence.lang === 'artifact' || fence.words.some((word) => UNMARKED.has(word))) return fence;
  if (!isYaml(fence) && fence.lang !== '') return undefined;
  const lines = text.slice(fence.contentSpan.start, fence.contentSpan.end).split(/[\r\n]+/);
  const keys = lines.filter((line) => /^[^\s#]/.test(line)).map((line) => /^[\w-]+(?=\s*:)/.exec(line)?.[0]);
  const isOfKind = (name: string | undefined) => artifactKeys[kind].some((known) => known.name === name);
  return keys.length > 0 && keys.every(isOfKind) ? fence : undefined;
}

/** Words that authors write instead of `artifact`. */
const UNMARKED: ReadonlySet<string> = new Set(['meta', 'metadata', 'artefact', 'artifacts']);

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
  const partOf = (side: ExampleSide): ExamplePart | undefined => {
    const index = parts.findIndex((heading) => {
      const named = findExamplePart(heading.text);
      return named?.side === side && named.exact;
    });
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
  const input = partOf('input');
  const output = partOf('output');
  const example: { input?: ExamplePart; output?: ExamplePart } = {};
  if (input) example.input = input;
  if (output) example.output = output;
  return example;
}

function formatOf(fence: Fence): 'yaml' | 'json' | undefined {
  if (isYaml(fence)) return 'yaml';
  return fence.lang === 'json' ? 'json' : undefined;
}

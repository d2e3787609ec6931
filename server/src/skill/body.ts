/** Parses the body of a skill: its sections, artifacts, framing and references (docs/format.md, section 5). */
import {
  type Fence,
  type Heading,
  type HtmlComment,
  itemsOf,
  type Link,
  type ListItem,
  type MarkdownBlocks,
  type OrderedList,
} from '../languages/markdown/blocks.ts';
import { type ChunkCache, parseChunks } from '../languages/markdown/chunks.ts';
import { subtract, trimSpan, within } from '../languages/markdown/spans.ts';
import { nextLine, type Span, span } from '../text.ts';
import type { RetiredKind } from '../vocabulary/artifact-keys.ts';
import {
  type Artifact,
  type MisplacedMetadata,
  type NearKind,
  type NearPart,
  NO_ARTIFACTS,
  parseArtifacts,
  type Section,
  type UnrecognizedKind,
} from './artifacts.ts';
import { type PlainReference, plainReferences } from './plain-references.ts';
import { type FoundReferences, type Reference, referenceReader, referencesOf, tagsOf } from './references.ts';

export type { Fence, Heading, HtmlComment, Link } from '../languages/markdown/blocks.ts';
export type { ArtifactKind, RetiredKind } from '../vocabulary/artifact-keys.ts';
export type { Artifact, ExamplePart, MisplacedMetadata, Section, UnrecognizedKind } from './artifacts.ts';
export type { PlainReference } from './plain-references.ts';
export type { Reference, ReferenceKind } from './references.ts';

/** A defect of the Markdown itself; `span` is its beginning. */
export interface BodyProblem {
  readonly kind: 'unclosed-fence' | 'unclosed-comment' | 'several-template-fences';
  readonly span: Span;
}

/** A parsed body. All spans are offsets in the file; all lists are in the order of the file. */
export interface Body {
  readonly span: Span;
  /** The headings that are not inside lists, quotes, HTML or fences. */
  readonly headings: readonly Heading[];
  /** The only level-1 heading, or else the first level-1 heading if the body begins with it. */
  readonly title?: Heading;
  readonly sections: readonly Section[];
  readonly artifacts: readonly Artifact[];
  /**
   * The text outside of artifacts and of the title line, which together with the artifacts and the title line is the
   * whole body.
   */
  readonly framing: readonly Span[];
  readonly fences: readonly Fence[];
  /** The ordered lists that are not inside other blocks, from which `stagesOf` reads the stages of an Approach. */
  readonly lists: readonly OrderedList[];
  readonly links: readonly Link[];
  readonly references: readonly Reference[];
  /** The references without `#kind:`, in a body without artifacts. The workspace decides whether they name a skill. */
  readonly plainReferences: readonly PlainReference[];
  readonly codeSpans: readonly Span[];
  readonly htmlComments: readonly HtmlComment[];
  readonly nearKinds: readonly NearKind[];
  readonly nearParts: readonly NearPart[];
  readonly retiredKinds: readonly UnrecognizedKind<RetiredKind>[];
  readonly misplacedMetadata: readonly MisplacedMetadata[];
  readonly problems: readonly BodyProblem[];
  /**
   * The parts that are so large or unusual that only their headings and fences were read. The links, lists and
   * references in these parts are not known, so rules must not report anything as unused.
   */
  readonly scanned: readonly Span[];
  /** The parsed chunks for the next call of `parseBody`. */
  readonly chunks: ChunkCache<FoundReferences>;
}

/**
 * Parses the body of the file `text` from the offset `start` (docs/format.md, section 5). Never throws. `previous` is
 * the body before an edit; it makes parsing faster and does not change the result. With `isFree`, headings do not
 * define artifacts, as in a `SKILL.md` (docs/format.md, section 9).
 */
export function parseBody(text: string, start: number, previous?: Body, isFree = false): Body {
  const whole = span(Math.min(start, text.length), text.length);
  const { blocks, found, chunks } = parseChunks(text, whole.start, referenceReader, previous?.chunks);
  const title = findTitle(blocks);
  const sections = sectionsOf(text, whole, blocks.headings);
  const { artifacts, ...findings } = isFree ? NO_ARTIFACTS : parseArtifacts(text, sections, blocks);
  const titleLine = title && span(title.span.start, nextLine(text, title.span.end, whole.end));
  const held = [...artifacts.map((artifact) => artifact.span), ...(titleLine ? [titleLine] : [])];
  const framing = subtract(
    [whole],
    held.sort((a, b) => a.start - b.start),
  );
  const names = artifacts.map(({ name }) => name);
  return {
    span: whole,
    headings: blocks.headings,
    ...(title && { title }),
    sections,
    artifacts,
    framing,
    fences: blocks.fences,
    lists: blocks.lists,
    links: blocks.links,
    references: referencesOf(text, found, names, tagsInProse(text, artifacts)),
    plainReferences: isFree ? plainReferences(text, whole.start, blocks) : [],
    codeSpans: blocks.codeSpans,
    htmlComments: blocks.comments,
    ...findings,
    problems: problemsOf(blocks, artifacts),
    scanned: blocks.scanned,
    chunks,
  };
}

function findTitle({ blocks, headings }: MarkdownBlocks): Heading | undefined {
  const titles = headings.filter(({ level }) => level === 1);
  const [first] = titles;
  const leads = first && blocks.find(({ kind }) => kind !== 'comment')?.span.start === first.span.start;
  return titles.length === 1 || leads ? first : undefined;
}

function sectionsOf(text: string, whole: Span, headings: readonly Heading[]): Section[] {
  const parting = headings.filter(({ level }) => level <= 2);
  return parting.flatMap((heading, i) => {
    if (heading.level !== 2) return [];
    const place = span(heading.span.start, parting[i + 1]?.span.start ?? whole.end);
    const contentStart = nextLine(text, heading.span.end, place.end);
    return [{ heading, span: place, contentSpan: span(contentStart, place.end) }];
  });
}

/** Returns the tags of templates without a fence, because the rest of such a template is prose. */
const tagsInProse = (text: string, artifacts: readonly Artifact[]): readonly Span[] =>
  artifacts.flatMap(({ template }) => (template && !template.fence ? tagsOf(text, template.span) : []));

function problemsOf({ fences, unclosedComments }: MarkdownBlocks, artifacts: readonly Artifact[]): BodyProblem[] {
  const problems: BodyProblem[] = [];
  const opening = ({ span: { start }, infoSpan: { end } }: Fence): Span => span(start, end);
  for (const fence of fences) if (!fence.closed) problems.push({ kind: 'unclosed-fence', span: opening(fence) });
  for (const { start } of unclosedComments) {
    problems.push({ kind: 'unclosed-comment', span: span(start, start + '<!--'.length) });
  }
  for (const { template } of artifacts) {
    if (template?.surplus) problems.push({ kind: 'several-template-fences', span: opening(template.surplus) });
  }
  return problems.sort((a, b) => a.span.start - b.span.start);
}

/** A stage of an Approach, which is an item of the Approach's top-level ordered list (docs/format.md, section 5). */
export interface Stage {
  readonly span: Span;
  readonly markerSpan: Span;
  /** The bold text at the beginning, else the first words; `Stage 3` for a third stage without either. */
  readonly name: string;
  /** The name in the file; the marker if the stage has no name. */
  readonly nameSpan: Span;
  /** The text after the marker. */
  readonly textSpan: Span;
}

/**
 * Returns the stages of an artifact (docs/format.md, section 5). The result is empty if the artifact is not an Approach
 * or has no ordered list. `text` is the text of the file; `lists` are the lists in its body.
 */
export const stagesOf = (
  text: string,
  { lists }: { readonly lists: readonly OrderedList[] },
  { kind, contentSpan }: { readonly kind: string; readonly contentSpan: Span },
): readonly Stage[] => (kind === 'Approach' ? findStages(text, within(lists, contentSpan)) : []);

/** Returns the stages of all artifacts of a body, in the order of the file. */
export const allStages = (text: string, body: Pick<Body, 'artifacts' | 'lists'>): readonly Stage[] =>
  body.artifacts.flatMap((artifact) => stagesOf(text, body, artifact));

/**
 * Finds the items of the list. A paragraph or a fence may interrupt the list; a list that then continues the numbering
 * belongs to it.
 */
function findStages(text: string, lists: readonly OrderedList[]): readonly Stage[] {
  const [main] = lists;
  if (!main) return [];
  const items: ListItem[] = [];
  for (const list of lists) {
    if (list === main || (list.delimiter === main.delimiter && list.first === main.first + items.length)) {
      items.push(...itemsOf(list));
    }
  }
  return items.map((item, index) => stageOf(text, item, index));
}

/** A name without markup, as most names are. */
const PLAIN_NAME = /^[A-Za-z\d]+(?: [A-Za-z\d]+)*$/;

function stageOf(text: string, { span: place, markerSpan, textSpan, boldSpan }: ListItem, index: number): Stage {
  const nameSpan = boldSpan ? withoutColon(text, boldSpan) : firstWords(text, textSpan);
  const written = text.slice(nameSpan.start, nameSpan.end);
  if (PLAIN_NAME.test(written)) return { span: place, markerSpan, name: written, nameSpan, textSpan };
  const name = written
    .replace(boldSpan ? /[`\\]/g : /[*`\\]+|(?<!\w)_+|_+(?!\w)/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  const found = /[\p{L}\p{N}]/u.test(name);
  return {
    span: place,
    markerSpan,
    name: found ? name : `Stage ${index + 1}`,
    nameSpan: found ? nameSpan : markerSpan,
    textSpan,
  };
}

function withoutColon(text: string, place: Span): Span {
  const { start, end } = trimSpan(text, place);
  return '.:,;'.includes(text[end - 1] ?? ' ') ? trimSpan(text, span(start, end - 1)) : span(start, end);
}

/** Returns the span of up to five words, within the first clause and the first line. */
function firstWords(text: string, place: Span): Span {
  const source = text.slice(place.start, Math.min(place.end, place.start + 200));
  const clause = /^.*?(?=[.:;,!?](?:\s|$)|[ \t]+[—–-]+[ \t]|[\r\n]|$)/u.exec(source)?.[0] ?? '';
  const words = /^(?:\S+[ \t]+){0,4}\S+/.exec(clause)?.[0] ?? '';
  return span(place.start, place.start + words.length);
}

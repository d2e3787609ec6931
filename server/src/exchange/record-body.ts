/** The possible edits that write one field of a record into a body, with the smallest edit first. */
import { fenceFor } from '../languages/markdown/code-fences.ts';
import type { JsonObject } from '../languages/yaml/json-values.ts';
import { type Json, setProperty } from '../languages/yaml/node.ts';
import { parseYaml } from '../languages/yaml/parse.ts';
import { formatBlock } from '../languages/yaml/quote.ts';
import { setValues } from '../languages/yaml/set-values.ts';
import type { Artifact } from '../skill/body.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { applyEdits, lineBreakOf, nextLine, type Span, sliceOf, span } from '../text.ts';
import { contentSpan, proseSpans, type RecordArtifact, withPlainLineBreaks } from './record.ts';

type Candidates = Iterable<string | undefined>;

const replaced = (text: string, place: Span, newText: string): string => applyEdits(text, [{ span: place, newText }]);

const artifactAt = ({ body }: SkillFile, at: number): Artifact | undefined => body?.artifacts[at];

export function* kindWays(file: SkillFile, at: number, kind: string): Candidates {
  const artifact = artifactAt(file, at);
  if (artifact) yield replaced(file.text, artifact.kindSpan, kind);
}

export function* nameWays(file: SkillFile, at: number, name: string): Candidates {
  const artifact = artifactAt(file, at);
  if (!artifact) return;
  const { nameSpan, kindSpan } = artifact;
  yield nameSpan
    ? replaced(file.text, nameSpan, name)
    : replaced(file.text, span(kindSpan.end, artifact.heading.textSpan.end), `: ${name}`);
}

/** Returns the metadata as it is written in a file, where the variant is one of the keys. */
function writtenMetadata({ kind, model_variant, metadata }: RecordArtifact): JsonObject | null {
  if (model_variant === null || kind !== 'PromptTemplate') return metadata;
  const all: Record<string, Json> = { model_variant };
  for (const [key, value] of Object.entries(metadata ?? {})) setProperty(all, key, value);
  return all;
}

export function* metadataWays(file: SkillFile, at: number, wanted: RecordArtifact): Candidates {
  const artifact = artifactAt(file, at);
  if (!artifact) return;
  const { text } = file;
  const lineBreak = lineBreakOf(text);
  const values = writtenMetadata(wanted);
  const fence = artifact.metadata?.fence;
  if (!fence) {
    const head = nextLine(text, artifact.heading.span.end, artifact.span.end);
    const before = /[\r\n]$/.test(text.slice(0, head)) ? '' : lineBreak;
    yield replaced(text, span(head, head), before + fenceOf(values ?? {}, lineBreak));
    return;
  }
  if (values === null) {
    yield replaced(text, span(fence.span.start, nextLine(text, fence.span.end, artifact.span.end)), '');
    return;
  }
  const read = (now: string) => {
    // The text after the metadata does not change, so the end is counted from the end of the text.
    const tree = parseYaml(now, span(fence.contentSpan.start, now.length - (text.length - fence.contentSpan.end)));
    return tree.broken ? undefined : { root: tree.root, content: tree.span };
  };
  yield setValues(text, values, read).text;
  yield replaced(text, span(fence.span.start, nextLine(text, fence.span.end)), fenceOf(values, lineBreak));
}

function fenceOf(values: JsonObject, lineBreak: string): string {
  const yaml = formatBlock(values);
  const lines = yaml === '{}' ? [] : yaml.replace(/^\n {2}/, '').split(/\n(?: {2})?/);
  return ['```yaml artifact', ...lines, '```', ''].join(lineBreak);
}

export function* contentWays(file: SkillFile, at: number, wanted: RecordArtifact): Candidates {
  const artifact = artifactAt(file, at);
  if (!artifact) return;
  const { text } = file;
  const lineBreak = lineBreakOf(text);
  const place = contentSpan(artifact);
  yield withLines(text, place, wanted.content);
  if (place.start === place.end) {
    const inFence = artifact.template?.fence;
    if (inFence) yield replaced(text, place, wanted.content.replaceAll('\n', lineBreak) + lineBreak);
    const at = artifact.metadata?.fence.span.end ?? artifact.heading.span.end;
    yield replaced(text, span(at, at), lineBreak.repeat(2) + wanted.content.replaceAll('\n', lineBreak));
  }
  const rest = /\s*$/.exec(sliceOf(text, artifact.span))?.[0] ?? '';
  const whole = artifactText(wanted, lineBreak).trimEnd();
  yield replaced(text, artifact.span, whole + rest);
  yield replaced(text, artifact.span, whole + lineBreak.repeat(2));
}

/** Replaces the lines that differ. The other lines keep their line breaks. */
function withLines(text: string, place: Span, content: string): string {
  const old = sliceOf(text, place).split(/(?<=\n|\r(?!\n))/);
  const wanted = content.split(/(?<=\n)/);
  const same = (a: string | undefined, b: string | undefined): boolean =>
    a !== undefined && b !== undefined && withPlainLineBreaks(a) === b;
  let head = 0;
  while (head < old.length && head < wanted.length && same(old[head], wanted[head])) head++;
  let tail = 0;
  while (
    tail < Math.min(old.length, wanted.length) - head &&
    same(old[old.length - 1 - tail], wanted[wanted.length - 1 - tail])
  )
    tail++;
  const middle = wanted.slice(head, wanted.length - tail).join('');
  const parts = [
    old.slice(0, head).join(''),
    middle.replaceAll('\n', lineBreakOf(text)),
    ...old.slice(old.length - tail),
  ];
  return replaced(text, place, parts.join(''));
}

/** Returns an artifact as a section. A template is written in a fence. */
export function artifactText(artifact: RecordArtifact, lineBreak: string): string {
  const { kind, name, content } = artifact;
  const heading = name === kind ? `## ${kind}` : `## ${kind}: ${name}`;
  const metadata = writtenMetadata(artifact);
  const fence = metadata === null ? '' : fenceOf(metadata, lineBreak);
  const body = kind === 'PromptTemplate' ? inFence(content) : content;
  return `${heading}${lineBreak}${fence}${lineBreak}${body.replaceAll('\n', lineBreak)}${lineBreak}`;
}

/** Returns the text in a fence that is longer than any fence in the text. */
export function inFence(content: string, info = 'jinja'): string {
  const marks = fenceFor(content);
  return `${marks}${info}\n${content}${content === '' ? '' : '\n'}${marks}`;
}

export function* headingWays(file: SkillFile, heading: string | null): Candidates {
  const { text, body } = file;
  if (!body) return;
  const { title } = body;
  const lineBreak = lineBreakOf(text);
  if (heading === null) {
    if (title) yield replaced(text, span(title.span.start, nextLine(text, title.span.end)), '');
  } else if (title) yield replaced(text, title.textSpan, heading);
  else yield replaced(text, span(body.span.start, body.span.start), `# ${heading}${lineBreak.repeat(2)}`);
}

export function* framingWays(file: SkillFile, wanted: readonly string[]): Candidates {
  const { text, body } = file;
  if (!body) return;
  const places = proseSpans(file);
  const old = places.map((place) => withPlainLineBreaks(sliceOf(text, place)));
  let head = 0;
  while (head < old.length && head < wanted.length && old[head] === wanted[head]) head++;
  let tail = 0;
  while (tail < Math.min(old.length, wanted.length) - head && old.at(-1 - tail) === wanted.at(-1 - tail)) tail++;
  const middle = wanted.slice(head, wanted.length - tail);
  const gone = places.slice(head, places.length - tail);
  const lineBreak = lineBreakOf(text);
  if (gone.length === middle.length) {
    yield gone.reduceRight((next, place, at) => withLines(next, place, middle[at] as string), text);
    return;
  }
  const joined = middle.join('\n\n');
  const [first, ...others] = gone;
  if (first) {
    const rest = others.reduceRight((next, place) => replaced(next, place, ''), text);
    yield withLines(rest, first, joined);
    return;
  }
  const added = joined.replaceAll('\n', lineBreak);
  const before = places[head - 1];
  if (before) yield replaced(text, span(before.end, before.end), `${lineBreak.repeat(2)}${added}`);
  const start = body.title ? nextLine(text, body.title.span.end) : body.span.start;
  yield replaced(text, span(start, start), `${lineBreak}${added}${lineBreak}${lineBreak}`);
}

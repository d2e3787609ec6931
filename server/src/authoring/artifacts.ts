/** Adds, changes and removes one artifact, and leaves the rest of the file unchanged (docs/mcp.md, "Artifacts"). */

import { fenceFor } from '../languages/markdown/code-fences.ts';
import { trimSpan } from '../languages/markdown/spans.ts';
import { canonical, isObject, printYaml } from '../languages/schema/schema.ts';
import { findValue, type Json, jsonOf, stringOf, type YamlNode } from '../languages/yaml/node.ts';
import { inWords, listed } from '../nearest.ts';
import type { Artifact } from '../skill/body.ts';
import { insertSection, templateSection } from '../skill/edited-file.ts';
import { SkillFile } from '../skill/skill-file.ts';
import { applyEdits, lineBreakOf, nextLine, type Span, sliceOf, type TextEdit } from '../text.ts';
import { ARTIFACT_KINDS, type ArtifactKind, findKind } from '../vocabulary/artifact-keys.ts';
import { isRefused, type Refusal, type Rewriting, refusal } from './refusal.ts';
import { changeValue, type Fields, tooLong } from './set-fields.ts';

/** The identity of an artifact. If `name` is missing, the name is the kind, as in a heading without a name. */
export interface ArtifactName {
  readonly kind: string;
  readonly name?: string | undefined;
  /** The model for which the artifact is a variant of a template. */
  readonly variant?: string | undefined;
}

/** The Markdown below the heading, or the input and output of an Example as data. */
export type Content = string | { readonly input: Json; readonly output: Json };

export function variantOf(file: SkillFile, artifact: Artifact): string | undefined {
  const metadata = file.metadata.find((one) => one.artifact === artifact);
  return stringOf(findValue(metadata?.tree.root, 'model_variant'));
}

export function addArtifact(
  file: SkillFile,
  wanted: ArtifactName,
  content: Content,
  metadata: Fields | undefined,
): Rewriting {
  const kind = editableKind(file, wanted.kind);
  if (isRefused(kind)) return kind;
  if (!fits(kind.kind, content)) return noSides(kind.kind);
  const { artifacts = [] } = file.body ?? {};
  const { variant } = wanted;
  const name = wanted.name?.trim() || undefined;
  const same = artifacts.filter((one) => one.kind === kind.kind && one.name === (name ?? kind.kind));
  if (same.some((one) => variantOf(file, one) === variant)) {
    const which = variant === undefined ? '' : ` for the model \`${variant}\``;
    return refusal(
      'duplicate-artifact',
      `The skill already has the ${kind.kind} \`${name ?? kind.kind}\`${which}. Change it with \`update_artifact\`, or use another name.`,
    );
  }
  const all = { ...metadata, ...(variant === undefined ? {} : { model_variant: variant }) };
  const lineBreak = lineBreakOf(file.text);
  const section = withBreaks(sectionOf(kind.kind, name, all, content), lineBreak);
  const at = artifacts.filter((one) => one.kind === kind.kind).at(-1)?.span.end ?? file.text.length;
  const text = applyEdits(file.text, [insertSection(file.text, at, section)]);
  const after = new SkillFile(file.uri, text);
  const made = after.body?.artifacts.findLast((one) => one.kind === kind.kind && one.name === (name ?? kind.kind));
  const isMeant = made && isClosed(after) && sameTexts(textsBeside(file), textsBeside(after, made));
  return isMeant ? { text } : strayHeading(name);
}

export function updateArtifact(
  file: SkillFile,
  wanted: ArtifactName,
  { content, set, unset }: { readonly content?: Content; readonly set?: Fields; readonly unset?: readonly string[] },
): Rewriting {
  const artifact = findArtifact(file, wanted);
  if (isRefused(artifact)) return artifact;
  if (content !== undefined && !fits(artifact.kind, content)) return noSides(artifact.kind);
  const at = file.body?.artifacts.indexOf(artifact) ?? -1;
  let text = file.text;
  if (content !== undefined) {
    const edits = contentEdits(file, artifact, content);
    text = applyEdits(text, edits);
    const after = new SkillFile(file.uri, text);
    const isMeant =
      isClosed(after) && sameTexts(textsBeside(file, artifact), textsBeside(after, after.body?.artifacts[at]));
    if (!isMeant) return strayHeading(wanted.name);
  }
  return set || unset ? changeMetadata(file.uri, text, at, set ?? {}, unset ?? []) : { text };
}

export function removeArtifact(file: SkillFile, wanted: ArtifactName): Rewriting {
  const artifact = findArtifact(file, wanted);
  if (isRefused(artifact)) return artifact;
  const { text } = file;
  const { start, end } = artifact.span;
  const isLast = text.slice(end).trim() === '';
  const kept = isLast ? text.slice(0, start).trimEnd() + lineBreakOf(text) : text.slice(0, start) + text.slice(end);
  return { text: kept };
}

function editableKind(file: SkillFile, word: string): { readonly kind: ArtifactKind } | Refusal {
  const kind = findKind(word);
  if (!kind) {
    return refusal('unknown-kind', `\`${word}\` is not an artifact kind. Use ${inWords(ARTIFACT_KINDS, 'or')}.`);
  }
  if (file.dialect === 'composer' && isClosed(file)) return { kind };
  const why =
    file.dialect === 'composer'
      ? 'A fence or a comment in the body is not closed. Close it first.'
      : 'This file has no artifacts: only a `.skill.md` can have them.';
  return refusal('not-editable', why);
}

function findArtifact(file: SkillFile, wanted: ArtifactName): Artifact | Refusal {
  const kind = editableKind(file, wanted.kind);
  if (isRefused(kind)) return kind;
  const name = wanted.name?.trim() || kind.kind;
  const all = file.body?.artifacts.filter((one) => one.kind === kind.kind) ?? [];
  const named = all.filter((one) => one.name === name);
  const found =
    named.find((one) => variantOf(file, one) === wanted.variant) ??
    (wanted.variant === undefined && named.length === 1 ? named[0] : undefined);
  if (found) return found;
  const what = `The skill has no ${kind.kind} \`${name}\``;
  if (named.length === 0) {
    const has = all.length > 0 ? ` It has ${inWords([...new Set(all.map((one) => one.name))], 'and')}.` : '';
    return refusal('no-such-artifact', `${what}.${has}`);
  }
  const variants = named.map((one) => withVariant(variantOf(file, one)));
  return refusal(
    'no-such-artifact',
    `${what} ${withVariant(wanted.variant)}. It has one ${listed([...new Set(variants)])}.`,
  );
}

const withVariant = (variant: string | undefined): string =>
  variant === undefined ? 'without a `model_variant`' : `with the \`model_variant\` \`${variant}\``;

/** Returns the source text of the framing and of all artifacts except `but`. */
function textsBeside({ text, body }: SkillFile, but?: Artifact): readonly string[] {
  const others = body?.artifacts.filter((one) => one !== but).map(({ span }) => span) ?? [];
  return [...(body?.framing ?? []), ...others].map((span) => sliceOf(text, span).trim()).filter((one) => one !== '');
}

/** Returns true if every fence and comment is closed. */
const isClosed = ({ body }: SkillFile): boolean =>
  body?.problems.every(({ kind }) => kind === 'several-template-fences') === true;

const sameTexts = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((one, at) => one === b[at]);

const strayHeading = (name: string | undefined): Refusal =>
  refusal(
    'invalid-content',
    `The text is not a single artifact${name === undefined ? '' : ` named \`${name}\``}. ` +
      'Write the name on one line, close all fences, and do not use headings of level 1 or 2 in the content.',
  );

/** Returns true if the kind supports the content: only an Example has an input and an output. */
const fits = (kind: ArtifactKind, content: Content): boolean => typeof content === 'string' || kind === 'Example';

const noSides = (kind: ArtifactKind): Refusal =>
  refusal(
    'invalid-content',
    `Only an Example has an input and an output. Pass the content of \`${kind}\` as a string.`,
  );

function sectionOf(kind: ArtifactKind, name: string | undefined, metadata: Fields, content: Content): string {
  const yaml = Object.keys(metadata).length > 0 ? `${printYaml(metadata)}\n` : undefined;
  const text = textOf(kind, content);
  const heading = name === undefined ? `## ${kind}` : `## ${kind}: ${name}`;
  const fence = yaml === undefined ? undefined : fenceFor(yaml);
  const data = fence === undefined ? '' : `${fence}yaml artifact\n${yaml}${fence}\n`;
  return `${heading}\n${data}${text === '' ? '' : `\n${text}`}`.trimEnd();
}

function textOf(kind: ArtifactKind, content: Content): string {
  if (typeof content !== 'string') return exampleText(content);
  const text = content.replace(/^\s*\n/, '').trimEnd();
  if (kind !== 'PromptTemplate' || /^`{3,}[^\n]*\bjinja2?\b/m.test(text)) return text;
  // Remove the heading, because the caller writes it.
  return templateSection('', text, true, '\n').replace(/^[^\n]*\n+/, '');
}

const exampleText = ({ input, output }: Exclude<Content, string>): string =>
  [`### Input`, dataText(input), `### Output`, dataText(output)].join('\n\n');

/** Returns a string as it is, any other value as YAML in a fence. */
function dataText(value: Json): string {
  if (typeof value === 'string') return value.trim();
  const yaml = isObject(value) || Array.isArray(value) ? printYaml(value) : JSON.stringify(value);
  const fence = fenceFor(yaml);
  return `${fence}yaml\n${yaml}\n${fence}`;
}

function contentEdits({ text }: SkillFile, artifact: Artifact, content: Content): readonly TextEdit[] {
  const lineBreak = lineBreakOf(text);
  const { template, textSpan, kind } = artifact;
  const inFence = template?.fence && typeof content === 'string' ? template.span : undefined;
  // Keep the existing fence if the new text cannot close it.
  if (inFence && typeof content === 'string' && !content.includes('```')) {
    return [{ span: inFence, newText: withBreaks(content.trimEnd(), lineBreak) }];
  }
  const written = withBreaks(textOf(kind, content), lineBreak);
  if (textSpan.start < textSpan.end) return [{ span: textSpan, newText: written }];
  const at = endOfHead(text, artifact);
  const isNewLine = at > 0 && /[\r\n]/.test(text[at - 1] ?? '');
  return [{ span: { start: at, end: at }, newText: `${isNewLine ? '' : lineBreak}${lineBreak}${written}${lineBreak}` }];
}

/** Returns the offset after the heading and the metadata, at which the text of an empty artifact starts. */
function endOfHead(text: string, { heading, metadata }: Artifact): number {
  const last: Span = metadata?.fence.span ?? heading.span;
  return nextLine(text, Math.max(last.start, trimSpan(text, last).end - 1));
}

const withBreaks = (text: string, lineBreak: string): string => text.replaceAll(/\r\n|\r|\n/g, lineBreak);

export const artifactText = ({ text }: SkillFile, artifact: Artifact): string =>
  sliceOf(text, artifact.template?.span ?? artifact.textSpan);

// Edits the metadata fence of an artifact (docs/format.md, section 5, "Metadata").

/** Sets and removes metadata keys of the artifact with the index `at`. Adds or removes the metadata fence as needed. */
function changeMetadata(uri: string, text: string, at: number, set: Fields, unset: readonly string[]): Rewriting {
  const before = metadataAt(uri, text, at);
  const long = tooLong(set);
  if (long) return long;
  if (before && !isObject(jsonOf(before))) return cannotEdit();
  const old = before ? (jsonOf(before) as Fields) : {};
  const kept = Object.entries({ ...old, ...set }).filter(([key]) => !unset.includes(key));
  const wanted: Fields = Object.fromEntries(kept);
  if (canonical(wanted) === canonical(old)) return { text };
  const written = before ? rewritten(uri, text, at, wanted) : withFence(uri, text, at, wanted);
  const after = written === undefined ? undefined : metadataAt(uri, written, at);
  const isMeant = canonical(after ? jsonOf(after) : {}) === canonical(wanted);
  return written !== undefined && isMeant ? { text: written } : cannotEdit();
}

const cannotEdit = () =>
  refusal('not-editable', 'The metadata of this artifact cannot be changed automatically. Edit the file directly.');

function metadataAt(uri: string, text: string, at: number): YamlNode | undefined {
  const file = new SkillFile(uri, text);
  const artifact = file.body?.artifacts[at];
  return file.metadata.find((one) => one.artifact === artifact)?.tree.root;
}

function rewritten(uri: string, text: string, at: number, wanted: Fields): string | undefined {
  if (Object.keys(wanted).length === 0) return withoutFence(uri, text, at);
  return changeValue(text, (now) => metadataAt(uri, now, at), [], wanted as Json);
}

function withoutFence(uri: string, text: string, at: number): string | undefined {
  const span = new SkillFile(uri, text).body?.artifacts[at]?.metadata?.fence.span;
  return span && applyEdits(text, [{ span: { start: span.start, end: nextLine(text, span.end - 1) }, newText: '' }]);
}

function withFence(uri: string, text: string, at: number, wanted: Fields): string | undefined {
  const heading = new SkillFile(uri, text).body?.artifacts[at]?.heading;
  if (!heading) return undefined;
  const lineBreak = lineBreakOf(text);
  const yaml = printYaml(wanted).replaceAll('\n', lineBreak);
  const fence = fenceFor(yaml);
  const below = nextLine(text, heading.textSpan.end);
  const lead = below === text.length && !/[\r\n]$/.test(text) ? lineBreak : '';
  const newText = `${lead}${fence}yaml artifact${lineBreak}${yaml}${lineBreak}${fence}${lineBreak}`;
  return applyEdits(text, [{ span: { start: below, end: below }, newText }]);
}

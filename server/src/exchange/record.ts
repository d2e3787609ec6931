/**
 * The record of a skill, for a database or an application. The skill file can be restored from it byte for byte
 * (docs/exchange.md).
 */
import { isUnclosed } from '../languages/yaml/frontmatter.ts';
import { asJson, isObject, type JsonObject } from '../languages/yaml/json-values.ts';
import { isNull, type Json, jsonOf, setProperty } from '../languages/yaml/node.ts';
import type { Artifact } from '../skill/body.ts';
import { readArtifacts } from '../skill/read-package.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { lineAt, type Span, sliceOf, span } from '../text.ts';
import { expectation } from '../vocabulary/check-shape.ts';
import { type Dialect, decoded, dialectOf, fileNameOf, folderOf, nameFromUri } from '../vocabulary/dialect.ts';
import { IDENTITY_KEYS, recordKeys } from '../vocabulary/published/generated-keys.ts';
import { findKey, type KeyTable, type Shape } from '../vocabulary/shape.ts';
import { tableOf } from '../vocabulary/tables.ts';

export const RECORD_VERSION = 1;

export interface RecordArtifact {
  /** The ID, made of kind, name and variant. In a changed record, the ID identifies the source artifact. */
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly ordinal: number;
  readonly model_variant: string | null;
  /** Null if the artifact has no metadata. */
  readonly metadata: JsonObject | null;
  /** The text with `\n` as line break; the source of a PromptTemplate. */
  readonly content: string;
}

export interface SkillRecord {
  readonly skill_record: typeof RECORD_VERSION;
  readonly id: string;
  readonly file: string;
  readonly dialect: Dialect;
  readonly identity: JsonObject;
  readonly contract: JsonObject;
  /** Keys that the format does not know. */
  readonly other: JsonObject;
  readonly heading: string | null;
  /** The pieces of prose outside artifacts. */
  readonly framing: readonly string[];
  readonly artifacts: readonly RecordArtifact[];
  readonly not_understood: readonly NotUnderstood[];
  readonly source: { readonly text: string };
}

export function recordOf(file: SkillFile): SkillRecord {
  const { identity, contract, other } = partsOf(file);
  const { body } = file;
  const name = typeof identity.name === 'string' ? identity.name : nameFromUri(file.uri);
  const source = typeof identity.source === 'string' ? identity.source : 'user';
  return {
    skill_record: RECORD_VERSION,
    id: typeof identity.id === 'string' && identity.id !== '' ? identity.id : `${source}:${name}`,
    file: nameOfFile(file),
    dialect: file.dialect,
    identity,
    contract,
    other,
    heading: body?.title ? body.title.text : null,
    framing: proseSpans(file).map((place) => withPlainLineBreaks(sliceOf(file.text, place))),
    artifacts: artifactsOf(file),
    not_understood: findNotUnderstood(file),
    source: { text: file.text },
  };
}

/** Replaces all line breaks with `\n`, as in the record. */
export const withPlainLineBreaks = (text: string): string => text.replace(/\r\n?/g, '\n');

/** Returns the name of the file; for a `SKILL.md` with its folder. */
function nameOfFile({ uri, dialect }: SkillFile): string {
  const folder = dialect === 'agent-skill' ? fileNameOf(folderOf(uri)) : '';
  return [folder, fileNameOf(uri)]
    .filter((part) => part !== '')
    .map(decoded)
    .join('/');
}

/** Returns the values of the frontmatter; empty if it cannot be read, which `not_understood` reports. */
export function frontmatterValues({ frontmatter }: SkillFile): JsonObject {
  const { tree } = frontmatter;
  if (tree.broken || isUnclosed(frontmatter)) return {};
  const value = asJson(jsonOf(tree.root));
  return isObject(value) ? value : {};
}

function partsOf(file: SkillFile): Pick<SkillRecord, 'identity' | 'contract' | 'other'> {
  const table = tableOf(file.dialect);
  const parts = { identity: {}, contract: {}, other: {} } as Record<'identity' | 'contract' | 'other', JsonObject>;
  for (const [key, value] of Object.entries(frontmatterValues(file))) {
    const known = findKey(table, key) !== undefined;
    const part = !known ? 'other' : IDENTITY_KEYS.has(key) ? 'identity' : 'contract';
    setProperty(parts[part] as Record<string, Json>, key, value);
  }
  return parts;
}

/** Returns the spans of the prose outside artifacts. Each span begins and ends without empty lines. */
export function proseSpans({ text, body }: SkillFile): readonly Span[] {
  return (body?.framing ?? []).flatMap(({ start, end }) => {
    const slice = text.slice(start, end);
    const to = start + slice.trimEnd().length;
    if (to === start) return [];
    const from = start + (/^(?:[ \t]*(?:\r\n|\r|\n))*/.exec(slice)?.[0].length ?? 0);
    return [span(from, to)];
  });
}

/** Returns the span of an artifact's content. */
export const contentSpan = ({ template, textSpan }: Artifact): Span => template?.span ?? textSpan;

function artifactsOf(file: SkillFile): readonly RecordArtifact[] {
  const artifacts = file.body?.artifacts ?? [];
  return readArtifacts(file).map(({ id }, ordinal) => {
    const artifact = artifacts[ordinal] as Artifact;
    const { kind, name } = artifact;
    const metadata = metadataOf(file, artifact);
    const variant = kind === 'PromptTemplate' ? metadata?.model_variant : undefined;
    const content = withPlainLineBreaks(sliceOf(file.text, contentSpan(artifact)));
    if (typeof variant !== 'string') return { id, kind, name, ordinal, model_variant: null, metadata, content };
    return { id, kind, name, ordinal, model_variant: variant, metadata: without(metadata, 'model_variant'), content };
  });
}

/** Returns the metadata; null if it is missing or cannot be read. */
function metadataOf({ metadata }: SkillFile, artifact: Artifact): JsonObject | null {
  const tree = metadata.find((one) => one.artifact === artifact)?.tree;
  if (!tree || tree.broken) return null;
  if (!tree.root) return {};
  const value = asJson(jsonOf(tree.root));
  return value === null ? {} : isObject(value) ? value : null;
}

function without(object: JsonObject | null | undefined, key: string): JsonObject | null {
  if (!object) return null;
  const rest: Record<string, Json> = {};
  for (const [name, value] of Object.entries(object)) if (name !== key) setProperty(rest, name, value);
  return rest;
}

/** A part of a skill file for which the record has no field. `line` is counted from 1. */
interface NotUnderstood {
  readonly what: 'frontmatter' | 'key' | 'metadata' | 'section' | 'text';
  readonly line: number;
  readonly text: string;
  readonly why: string;
}

/** The maximum length of quoted text, in characters. */
const MAX_QUOTED = 200;

function findNotUnderstood(file: SkillFile): readonly NotUnderstood[] {
  const { text, lines } = file;
  const found = (what: NotUnderstood['what'], place: Span, why: string): NotUnderstood & { readonly at: number } => {
    const quoted = [...(sliceOf(text, place).split(/\r\n|\r|\n/, 1)[0] ?? '')].slice(0, MAX_QUOTED).join('');
    return { what, line: lineAt(lines, place.start) + 1, text: quoted, why, at: place.start };
  };
  const { tree } = file.frontmatter;
  const all = tree.problems.map(({ span, message }) => found('frontmatter', span, message));
  if (!tree.broken && tree.root && tree.root.kind !== 'map' && !isNull(tree.root)) {
    all.push(found('frontmatter', tree.root.span, 'The frontmatter must be a map of keys to values.'));
  }
  if (!tree.broken && tree.root?.kind === 'map') {
    const table = tableOf(file.dialect);
    for (const { key } of tree.root.entries) {
      if (findKey(table, String(key.value))) continue;
      all.push(found('key', key.span, 'Unknown key. It is kept.'));
    }
  }
  for (const { artifact, tree: own } of file.metadata) {
    const place = artifact.metadata?.span ?? artifact.span;
    for (const { span, message } of own.problems) all.push(found('metadata', span, message));
    if (!own.broken && own.root && own.root.kind !== 'map' && !isNull(own.root)) {
      all.push(found('metadata', place, 'The metadata must be a map of keys to values.'));
    }
  }
  const { body } = file;
  for (const { heading } of body?.retiredKinds ?? []) {
    all.push(found('section', heading.span, 'The kind is retired, so the section is read as prose.'));
  }
  for (const { heading } of body?.nearKinds ?? []) {
    all.push(
      found('section', heading.span, 'The heading resembles a kind, but is not one. The section is read as prose.'),
    );
  }
  for (const { fence } of body?.misplacedMetadata ?? []) {
    all.push(found('metadata', fence.span, 'The metadata fence is not the first block of an artifact.'));
  }
  for (const { span } of besideTemplates(file)) {
    all.push(
      found('text', span, 'The text is outside of the template fence. Only the text in the fence is the template.'),
    );
  }
  return all.sort((a, b) => a.at - b.at).map(({ at: _, ...entry }) => entry);
}

/** Returns the prose before and after the fence of each template. */
function besideTemplates({ text, body }: SkillFile): readonly { readonly span: Span }[] {
  return (body?.artifacts ?? []).flatMap(({ template, textSpan }) => {
    if (!template?.fence) return [];
    const { start, end } = template.fence.span;
    const parts = [
      { span: { start: textSpan.start, end: start } },
      { span: { start: end, end: Math.max(end, textSpan.end) } },
    ];
    return parts.flatMap(({ span }) => {
      const slice = sliceOf(text, span);
      if (slice.trim() === '') return [];
      const from = span.start + (slice.length - slice.trimStart().length);
      return [{ span: { start: from, end: span.end } }];
    });
  });
}

/** The parsed record, or the reason why it is invalid. */
type ReadRecord = { readonly record: SkillRecord } | { readonly problem: string };

/** Parses a record; undefined if the text is not a record. */
export function readRecord(text: string): ReadRecord | undefined {
  let json: Json;
  try {
    json = JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
  if (!isObject(json) || !Object.hasOwn(json, 'skill_record')) return undefined;
  if (Number(json.skill_record) > 1)
    return { problem: 'A newer version of Skill Composer wrote this record. Update Skill Composer.' };
  const problem = problemOfMap(json, recordKeys, '');
  if (problem !== undefined) return { problem: `This record is invalid: ${problem}` };
  const record = json as unknown as SkillRecord;
  const named = dialectOf(`file:///${record.file}`);
  // If the source were parsed as another dialect, it would have different artifacts, and the original artifacts would
  // be lost.
  return named === undefined || named === record.dialect
    ? { record }
    : {
        problem: `This record is invalid: the \`dialect\` of this \`file\` must be \`${named}\`, but is \`${record.dialect}\`.`,
      };
}

function problemOfMap(json: Json, keys: KeyTable, path: string): string | undefined {
  if (!isObject(json)) return `${placeOf(path)} must be a map of keys to values.`;
  for (const { name, shape, mandatory, nullable } of keys) {
    const below = path === '' ? name : `${path}.${name}`;
    const value = Object.hasOwn(json, name) ? json[name] : undefined;
    if (value === undefined && mandatory) return `\`${below}\` is missing.`;
    if (value === undefined || (value === null && nullable)) continue;
    const problem = problemOf(value, shape, below);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function problemOf(json: Json, shape: Shape, path: string): string | undefined {
  switch (shape.kind) {
    case 'map':
      return problemOfMap(json, shape.keys, path);
    case 'record':
      return isObject(json) ? undefined : wrong(shape, path);
    case 'list':
      if (!Array.isArray(json)) return wrong(shape, path);
      for (const [at, item] of (json as readonly Json[]).entries()) {
        const problem = problemOf(item, shape.items, `${path}[${at}]`);
        if (problem !== undefined) return problem;
      }
      return undefined;
    case 'number':
      return typeof json === 'number' && json >= (shape.min ?? json) && json <= (shape.max ?? json)
        ? undefined
        : wrong(shape, path);
    case 'choice':
      return shape.choices.some(({ value }) => value === json) ? undefined : wrong(shape, path);
    case 'any':
      return undefined;
    default:
      return typeof json === 'string' ? undefined : wrong(shape, path);
  }
}

const placeOf = (path: string): string => (path === '' ? 'it' : `\`${path}\``);

const wrong = (shape: Shape, path: string): string => `${placeOf(path)} must be ${expectation(shape)}.`;

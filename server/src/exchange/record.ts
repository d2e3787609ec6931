/** A skill as data, for a store or an application; with what is needed to write the same bytes again (docs/exchange.md). */
import { isUnclosed } from '../languages/yaml/frontmatter.ts';
import { type Json, jsonOf, put } from '../languages/yaml/node.ts';
import { asJson, isObject, type JsonObject } from '../languages/yaml/same-json.ts';
import type { Artifact } from '../skill/body.ts';
import { readArtifacts } from '../skill/package-body.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { type Span, sliceOf, span } from '../text.ts';
import { type Dialect, decoded, fileNameOf, folderOf, nameFromUri } from '../vocabulary/dialect.ts';
import { IDENTITY_KEYS } from '../vocabulary/published/record-keys.ts';
import { findKey } from '../vocabulary/shape.ts';
import { tableOf } from '../vocabulary/tables.ts';
import { findNotUnderstood, type NotUnderstood } from './not-understood.ts';

export const RECORD_VERSION = 1;

export interface RecordArtifact {
  /** By kind, name and variant; by it a changed record is held against its source. */
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly ordinal: number;
  readonly model_variant: string | null;
  /** Null where the artifact has none. */
  readonly metadata: JsonObject | null;
  /** With `\n` as line break; of a PromptTemplate its source. */
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
  /** The stretches of prose that no artifact holds. */
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
    framing: stretchesOf(file).map((place) => normal(sliceOf(file.text, place))),
    artifacts: artifactsOf(file),
    not_understood: findNotUnderstood(file),
    source: { text: file.text },
  };
}

/** Line breaks as the record has them. */
export const normal = (text: string): string => text.replace(/\r\n?/g, '\n');

/** The file's name; the folder of a `SKILL.md` belongs to it. */
function nameOfFile({ uri, dialect }: SkillFile): string {
  const folder = dialect === 'agent-skill' ? fileNameOf(folderOf(uri)) : '';
  return [folder, fileNameOf(uri)]
    .filter((part) => part !== '')
    .map(decoded)
    .join('/');
}

/** The frontmatter's values; empty where it cannot be read, which `not_understood` tells. */
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
    put(parts[part] as Record<string, Json>, key, value);
  }
  return parts;
}

/** The prose that no artifact holds, without the blank lines around each stretch; blank stretches are none. */
export function stretchesOf({ text, body }: SkillFile): readonly Span[] {
  return (body?.framing ?? []).flatMap(({ start, end }) => {
    const slice = text.slice(start, end);
    const to = start + slice.trimEnd().length;
    if (to === start) return [];
    const from = start + (/^(?:[ \t]*(?:\r\n|\r|\n))*/.exec(slice)?.[0].length ?? 0);
    return [span(from, to)];
  });
}

/** Where the content of an artifact stands. */
export const contentSpan = ({ template, textSpan }: Artifact): Span => template?.span ?? textSpan;

function artifactsOf(file: SkillFile): readonly RecordArtifact[] {
  const artifacts = file.body?.artifacts ?? [];
  return readArtifacts(file).map(({ id }, ordinal) => {
    const artifact = artifacts[ordinal] as Artifact;
    const { kind, name } = artifact;
    const metadata = metadataOf(file, artifact);
    const variant = kind === 'PromptTemplate' ? metadata?.model_variant : undefined;
    const content = normal(sliceOf(file.text, contentSpan(artifact)));
    if (typeof variant !== 'string') return { id, kind, name, ordinal, model_variant: null, metadata, content };
    return { id, kind, name, ordinal, model_variant: variant, metadata: without(metadata, 'model_variant'), content };
  });
}

/** Null where there is none, or none that can be read. */
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
  for (const [name, value] of Object.entries(object)) if (name !== key) put(rest, name, value);
  return rest;
}

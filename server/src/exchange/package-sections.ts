/** An artifact of a package as a section of a body, written so that it is read as that artifact again. */
import { type Json, put } from '../languages/yaml/node.ts';
import type { JsonObject } from '../languages/yaml/same-json.ts';
import { SkillFile } from '../skill/skill-file.ts';
import { sliceOf } from '../text.ts';
import { artifactKeys } from '../vocabulary/artifact-keys.ts';
import type { ArtifactKind } from '../vocabulary/artifact-kinds.ts';
import { findKey } from '../vocabulary/shape.ts';
import type { PackageArtifact } from './package-artifacts.ts';
import { toOwnAssertion } from './package-assertions.ts';
import type { RecordArtifact } from './record.ts';
import { inFence } from './record-body.ts';

/** The artifact as a record has it. `taken` holds the names that are given away. */
export function sectionOf(artifact: PackageArtifact, taken: Set<string>): RecordArtifact {
  const kind = artifact.kind as ArtifactKind;
  const isTemplate = kind === 'PromptTemplate';
  const variant = isTemplate && artifact.variant !== 'default' ? (artifact.variant ?? null) : null;
  const name = freeName(kind, usedName(kind, artifact.name), variant, taken);
  const metadata = ownMetadata(kind, artifact.metadata);
  return {
    id: '',
    kind,
    name,
    ordinal: artifact.ordinal,
    model_variant: variant,
    metadata: Object.keys(metadata).length > 0 || variant !== null ? metadata : null,
    content: isTemplate ? artifact.content : safeContent(artifact.content),
  };
}

function freeName(kind: string, name: string, variant: string | null, taken: Set<string>): string {
  for (let n = 1; ; n++) {
    const one = n === 1 ? name : `${name} ${n}`;
    const key = JSON.stringify([kind, one, variant]);
    if (taken.has(key)) continue;
    taken.add(key);
    return one;
  }
}

/** The name as a heading can have it. */
export function usedName(kind: ArtifactKind, name: string): string {
  if (readsAs(`## ${kind}: ${name}\n`, kind, name, '')) return name;
  const plain = name
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/[#`*_<>[\]\\&]/g, '')
    .trim();
  return plain === '' ? kind : plain;
}

/** The metadata that the kind takes; the rest is kept beside. */
function ownMetadata(kind: ArtifactKind, metadata: JsonObject): JsonObject {
  const own: Record<string, Json> = {};
  for (const [key, value] of Object.entries(metadata)) {
    if (key === 'model_variant' || !findKey(artifactKeys[kind], key)) continue;
    put(own, key, key === 'assertions' && Array.isArray(value) ? value.map(toOwnAssertion) : value);
  }
  return own;
}

/** Content that would end its section, or swallow the next one, has its headings lowered, or stands in a fence. */
export function safeContent(content: string): string {
  const text = content.trim();
  const isSafe = (one: string): boolean => readsAs(`## Description: x\n\n${one}\n\n`, 'Description', 'x', one);
  if (isSafe(text)) return text;
  const lowered = text.replace(/^( {0,3})#{1,2}(?=[ \t]|$)/gm, '$1###');
  return isSafe(lowered) ? lowered : inFence(text, 'text');
}

function readsAs(section: string, kind: ArtifactKind, name: string, content: string): boolean {
  const { body, text, metadata } = new SkillFile(
    'file:///x.skill.md',
    `---\nname: x\n---\n${section}\n## Description: end\n`,
  );
  const [first, second] = body?.artifacts ?? [];
  return (
    first?.kind === kind &&
    first.name === name &&
    second?.name === 'end' &&
    body?.problems.length === 0 &&
    metadata.length === 0 &&
    body.artifacts.length === 2 &&
    body.sections.length === 2 &&
    sliceOf(text, first.textSpan) === content
  );
}

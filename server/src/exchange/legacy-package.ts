/** Converts artifacts of a package to sections of a body, so that parsing returns the same artifacts. */

import { asJson, isObject, type JsonObject } from '../languages/yaml/json-values.ts';
import {
  findValue,
  type Json,
  jsonOf,
  numberOf,
  setProperty,
  stringOf,
  type YamlNode,
} from '../languages/yaml/node.ts';
import { SkillFile } from '../skill/skill-file.ts';
import { sliceOf } from '../text.ts';
import { type ArtifactKind, artifactKeys } from '../vocabulary/artifact-keys.ts';
import { findKey } from '../vocabulary/shape.ts';
import type { Loss } from './conversion.ts';
import type { RecordArtifact } from './record.ts';
import { inFence } from './record-body.ts';

/** Returns the artifact in the form of a record. `taken` contains the names that are already used. */
export function sectionOf(artifact: LegacyArtifact, taken: Set<string>): RecordArtifact {
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

/** Returns the name, without characters that a heading cannot have. */
export function usedName(kind: ArtifactKind, name: string): string {
  if (readsAs(`## ${kind}: ${name}\n`, kind, name, '')) return name;
  const plain = name
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/[#`*_<>[\]\\&]/g, '')
    .trim();
  return plain === '' ? kind : plain;
}

/** Returns the metadata keys that the kind supports. `x-package` keeps the other keys. */
function ownMetadata(kind: ArtifactKind, metadata: JsonObject): JsonObject {
  const own: Record<string, Json> = {};
  for (const [key, value] of Object.entries(metadata)) {
    if (key === 'model_variant' || !findKey(artifactKeys[kind], key)) continue;
    setProperty(own, key, key === 'assertions' && Array.isArray(value) ? value.map(toOwnAssertion) : value);
  }
  return own;
}

/**
 * Lowers the headings in content, or puts the content in a fence, if the content would otherwise end or exceed its
 * section.
 */
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

/** An artifact of a legacy package. */
export interface LegacyArtifact {
  readonly kind: ArtifactKind | 'code_template' | 'dspy_module';
  readonly name: string;
  readonly content: string;
  readonly variant: string | undefined;
  readonly metadata: JsonObject;
  /** The name of the template that replaces a module that cannot run. */
  readonly fallback: string | undefined;
  readonly ordinal: number;
  /** The index of the artifact in the list. */
  readonly at: number;
  readonly node: YamlNode;
}

/** The artifact kinds, by their names in a package. */
export const PACKAGE_KINDS: ReadonlyMap<string | undefined, LegacyArtifact['kind']> = new Map<
  string,
  LegacyArtifact['kind']
>([
  ['description', 'Description'],
  ['approach', 'Approach'],
  ['prompt_template', 'PromptTemplate'],
  ['example', 'Example'],
  ['code_template', 'code_template'],
  ['dspy_module', 'dspy_module'],
]);

const isRetired = ({ kind }: LegacyArtifact): boolean => kind === 'code_template' || kind === 'dspy_module';

/** Returns the artifacts in the order of their ordinals, separated into kept, retired and unknown artifacts. */
export function readPackageArtifacts(nodes: readonly YamlNode[]) {
  const unknown: Loss[] = [];
  const all = nodes.flatMap((node, at): LegacyArtifact[] => {
    const word = stringOf(findValue(node, 'kind'));
    const kind = PACKAGE_KINDS.get(word);
    const content = stringOf(findValue(node, 'content'));
    const name = stringOf(findValue(node, 'name')) ?? word ?? '';
    if (kind === undefined || content === undefined) {
      const why = kind === undefined ? 'Its `kind` is unknown.' : 'It has no `content`.';
      unknown.push({ what: `artifact \`${name}\``, span: node.span, why });
      return [];
    }
    const metadata: Json = asJson(jsonOf(findValue(node, 'metadata')));
    const values = isObject(metadata) ? metadata : {};
    const fallback = typeof values.fallback_artifact === 'string' ? values.fallback_artifact : undefined;
    const variant = stringOf(findValue(node, 'model_variant'));
    const ordinal = numberOf(findValue(node, 'ordinal')) ?? at;
    return [{ kind, name, content, variant, metadata: values, fallback, ordinal, at, node }];
  });
  const sorted = all.sort((a, b) => a.ordinal - b.ordinal || a.at - b.at);
  return { kept: sorted.filter((one) => !isRetired(one)), retired: sorted.filter(isRetired), unknown };
}

/** Converts an assertion from the legacy package format to the current format. */
function toOwnAssertion(assertion: Json): Json {
  if (!isObject(assertion)) return assertion;
  const { check, severity, ...rest } = assertion;
  const soft = typeof severity === 'string' ? { severity: severity.toLowerCase() } : {};
  if (rest.type === 'length') {
    const unit = check === 'token_range' ? 'tokens' : 'characters';
    return { ...rest, unit, ...soft };
  }
  if (rest.type !== 'pattern' || rest.pattern === undefined) return { ...rest, ...soft };
  const { pattern, ...more } = rest;
  return check === 'regex_no_match' ? { ...more, not_match: pattern, ...soft } : { ...more, match: pattern, ...soft };
}

const CHECKS: ReadonlyMap<Json | undefined, string> = new Map<Json | undefined, string>([
  ['structural', 'json_schema'],
  ['semantic', 'llm_eval'],
]);

/** Converts an assertion from the current format to the legacy package format. */
export function toPackageAssertion(assertion: Json): Json {
  if (!isObject(assertion)) return assertion;
  const { type } = assertion;
  if (type === 'length') {
    const { unit, ...rest } = assertion;
    if (unit === 'words' || unit === 'lines') return assertion;
    return { ...rest, check: unit === 'tokens' ? 'token_range' : 'char_range' };
  }
  if (type === 'pattern') return patternOf(assertion);
  const check = CHECKS.get(type);
  return check === undefined ? assertion : { ...assertion, check };
}

function patternOf(assertion: JsonObject): Json {
  const { match, not_match: refused, ...rest } = assertion;
  if (match !== undefined && refused !== undefined) return assertion;
  return refused === undefined
    ? { ...rest, check: 'regex_match', pattern: match ?? '' }
    : { ...rest, check: 'regex_no_match', pattern: refused };
}

/** Converts a skill to a legacy package (docs/format.md, section 8). */

import { asJson, isEqualJson, isObject, type JsonObject } from '../languages/yaml/json-values.ts';
import { type Json, jsonOf, setProperty } from '../languages/yaml/node.ts';
import { contentDigest } from '../skill/content-digest.ts';
import { readArtifacts } from '../skill/read-package.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { sliceOf } from '../text.ts';
import type { ArtifactKind } from '../vocabulary/artifact-keys.ts';
import type { Conversion, Loss } from './conversion.ts';
import { inferSchema } from './infer-schema.ts';
import { safeContent, toPackageAssertion } from './legacy-package.ts';
import { contentSpan, frontmatterValues, proseSpans, recordOf } from './record.ts';

const KINDS = {
  Description: 'description',
  Approach: 'approach',
  PromptTemplate: 'prompt_template',
  Example: 'example',
} as const satisfies Record<ArtifactKind, string>;

/** The keys of a skill that a package has under the same name. */
const SHARED = ['id', 'description', 'version', 'tags', 'author', 'intent_patterns', 'trigger_phrases'] as const;

/** The skill's keys that a package expresses with its own keys, or that follow from the package's keys. */
const EXPRESSED_KEYS: ReadonlySet<string> = new Set([...SHARED, 'name', 'title', 'source', 'x-package', 'framing']);

export function skillToPackage(file: SkillFile, name: string): Conversion {
  const [problem] = file.frontmatter.tree.broken ? file.frontmatter.tree.problems : [];
  if (problem) return { problem: `Its frontmatter does not parse: ${problem.message}`, span: problem.span };
  const { values, lost } = packageValues(file);
  return { files: [{ path: `${name}.skill.json`, text: `${JSON.stringify(values, undefined, 2)}\n` }], losses: lost };
}

/** Returns the package, and the parts of the skill that a package cannot express. */
export function packageValues(file: SkillFile): { readonly values: JsonObject; readonly lost: readonly Loss[] } {
  const head = frontmatterValues(file);
  const { values, ids } = plainValues(file, head);
  return { values: withPatch(values, ids, head['x-package']), lost: findLost(file, head) };
}

/** Returns the package without the data that `x-package` keeps. */
export function plainValues(file: SkillFile, head = frontmatterValues(file)) {
  const prose = framingOf(file, head);
  const framing: JsonObject[] =
    prose === undefined ? [] : [{ kind: 'description', name: 'Framing', ordinal: 0, content: prose }];
  const artifacts = [...framing, ...artifactsOf(file, framing.length)];
  const name = head.title ?? head.name;
  const { source } = head;
  const shared = SHARED.flatMap((key) => (head[key] === undefined ? [] : [[key, head[key]] as const]));
  const values: JsonObject = {
    ...Object.fromEntries(shared.filter(([key]) => key === 'id')),
    ...(name !== undefined && { name }),
    ...Object.fromEntries(shared.filter(([key]) => key !== 'id')),
    ...(source !== undefined && { source: source === 'imported' || source === 'marketplace' ? 'community' : source }),
    artifacts,
  };
  const ids = [...framing.map(() => undefined), ...readArtifacts(file).map(({ id }) => id)];
  return { values, ids };
}

/** Returns the framing; undefined if it only repeats the description, as in a converted package without a template. */
function framingOf(file: SkillFile, { description }: JsonObject): string | undefined {
  const prose = proseSpans(file)
    .map((place) => sliceOf(file.text, place))
    .join('\n\n');
  const isDescription = typeof description === 'string' && prose === safeContent(description);
  return prose.trim() === '' || isDescription ? undefined : prose;
}

function artifactsOf(file: SkillFile, before: number): readonly JsonObject[] {
  const { artifacts } = recordOf(file);
  return artifacts.map(({ kind, name, ordinal, model_variant: variant, metadata }, at) => {
    const artifact = file.body?.artifacts[at];
    const content = artifact ? sliceOf(file.text, contentSpan(artifact)) : '';
    const known = metadata && Object.keys(metadata).length > 0 ? { metadata: packageMetadata(metadata) } : {};
    return {
      kind: KINDS[kind as ArtifactKind],
      name,
      ordinal: ordinal + before,
      content,
      ...(variant !== null && { model_variant: variant }),
      ...known,
    };
  });
}

function packageMetadata(metadata: JsonObject): JsonObject {
  const { assertions } = metadata;
  return Array.isArray(assertions) ? { ...metadata, assertions: assertions.map(toPackageAssertion) } : metadata;
}

function findLost(file: SkillFile, head: JsonObject): readonly Loss[] {
  const { root } = file.frontmatter.tree;
  if (root?.kind !== 'map') return [];
  const lost = root.entries.flatMap(({ key, value, span }): Loss[] => {
    const name = String(key.value);
    if (EXPRESSED_KEYS.has(name) || isImplied(file, name, jsonOf(value))) return [];
    return [{ what: name, span, why: 'A package does not support this key.' }];
  });
  const prose = framingOf(file, head);
  const [first] = proseSpans(file);
  if (prose === undefined || !first) return lost;
  return [
    ...lost,
    { what: 'framing', span: first, why: 'A package has no framing. It is now the description `Framing`.' },
  ];
}

/** Returns true if converting back restores the key. */
function isImplied(file: SkillFile, key: string, value: Json): boolean {
  if (key !== 'input_schema') return false;
  const sources = file.templates.map(({ source }) => source.template.text);
  return (
    isEqualJson(asJson(value), asJson(inferSchema(sources))) || (isObject(value) && Object.keys(value).length === 0)
  );
}

// The differences between a package and the skill converted from it. The key `x-package` stores these differences, so
// that converting back restores the package.

/** The keys to set and the keys to remove to turn one object into another. */
type Patch = { readonly set?: JsonObject; readonly absent?: readonly string[] };

function patchOf(from: JsonObject, to: JsonObject, passed: readonly string[] = []): Patch {
  const set: Record<string, Json> = {};
  for (const [key, value] of Object.entries(to)) {
    if (!passed.includes(key) && !isEqualJson(own(from, key), value)) setProperty(set, key, value);
  }
  const absent = Object.keys(from).filter((key) => !passed.includes(key) && !Object.hasOwn(to, key));
  return { ...(Object.keys(set).length > 0 && { set }), ...(absent.length > 0 && { absent }) };
}

const own = (object: JsonObject, key: string): Json | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined;

function patched(from: JsonObject, patch: Json | undefined): JsonObject {
  if (!isObject(patch)) return from;
  const absent = Array.isArray(patch.absent) ? patch.absent : [];
  const next: Record<string, Json> = {};
  for (const [key, value] of Object.entries(from)) if (!absent.includes(key)) setProperty(next, key, value);
  for (const [key, value] of Object.entries(isObject(patch.set) ? patch.set : {})) setProperty(next, key, value);
  return next;
}

const artifactsIn = (values: JsonObject): readonly JsonObject[] =>
  Array.isArray(values.artifacts) ? values.artifacts.filter(isObject) : [];

/**
 * Returns the patch that turns the package converted back (`back`) into the original. `ids` are the IDs of the skill's
 * artifacts; `order` contains the index of each artifact in the original package.
 */
export function findPatch(
  back: JsonObject,
  original: JsonObject,
  ids: readonly string[],
  order: readonly number[],
): JsonObject | undefined {
  const [made, written] = [artifactsIn(back), artifactsIn(original)];
  const artifacts: Record<string, Json> = {};
  for (const [at, id] of ids.entries()) {
    const [one, other] = [made[at], written[order[at] as number]];
    if (!one || !other) continue;
    const patch = patchOf(one, other);
    const was = patch.set?.content === undefined ? {} : { was: contentDigest(String(one.content)) };
    const place = order[at] === at ? {} : { at: order[at] as number };
    const entry = { ...patch, ...was, ...place };
    if (Object.keys(entry).length > 0) setProperty(artifacts, id, entry as Json);
  }
  const patch = patchOf(back, original, ['artifacts']);
  const all = { ...patch, ...(Object.keys(artifacts).length > 0 && { artifacts }) } as JsonObject;
  return Object.keys(all).length === 0 ? undefined : all;
}

/** Applies a patch from `findPatch`. Content that was edited since the conversion stays as it is. */
function withPatch(values: JsonObject, ids: readonly (string | undefined)[], patch: Json | undefined): JsonObject {
  if (!isObject(patch)) return values;
  const patches = isObject(patch.artifacts) ? patch.artifacts : {};
  const placed = artifactsIn(values).map((artifact, at) => {
    const id = ids[at];
    const entry = id === undefined ? undefined : own(patches, id);
    const next = patched(artifact, entry);
    const { was = undefined, at: place = at } = isObject(entry) ? entry : {};
    const isChanged = was !== undefined && was !== contentDigest(String(artifact.content));
    const content = isChanged ? { content: artifact.content as Json } : {};
    return { place: typeof place === 'number' ? place : at, artifact: { ...next, ...content } };
  });
  const artifacts = placed.sort((a, b) => a.place - b.place).map(({ artifact }) => artifact);
  return patched({ ...values, artifacts }, { ...patch, artifacts: {} });
}

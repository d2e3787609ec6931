/**
 * The differences between a package and the skill converted from it. The key `x-package` stores these differences, so
 * that converting back restores the package.
 */

import { isEqualJson, isObject, type JsonObject } from '../languages/yaml/json-values.ts';
import { type Json, setProperty } from '../languages/yaml/node.ts';
import { contentDigest } from '../skill/content-digest.ts';

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
export function withPatch(
  values: JsonObject,
  ids: readonly (string | undefined)[],
  patch: Json | undefined,
): JsonObject {
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

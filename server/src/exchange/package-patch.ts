/** What a package says beyond the skill that is made of it: kept under `x-package`, and put back on the way back. */
import { type Json, put } from '../languages/yaml/node.ts';
import { isObject, type JsonObject, sameJson } from '../languages/yaml/same-json.ts';
import { contentDigest } from '../skill/content-digest.ts';

/** What must be set and left out for one object to become another. */
type Patch = { readonly set?: JsonObject; readonly absent?: readonly string[] };

function patchOf(from: JsonObject, to: JsonObject, passed: readonly string[] = []): Patch {
  const set: Record<string, Json> = {};
  for (const [key, value] of Object.entries(to)) {
    if (!passed.includes(key) && !sameJson(own(from, key), value)) put(set, key, value);
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
  for (const [key, value] of Object.entries(from)) if (!absent.includes(key)) put(next, key, value);
  for (const [key, value] of Object.entries(isObject(patch.set) ? patch.set : {})) put(next, key, value);
  return next;
}

const artifactsIn = (values: JsonObject): readonly JsonObject[] =>
  Array.isArray(values.artifacts) ? values.artifacts.filter(isObject) : [];

/** `ids` are those of the skill's artifacts, in their order, and `order` which of the package's each is. */
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
    if (Object.keys(entry).length > 0) put(artifacts, id, entry as Json);
  }
  const patch = patchOf(back, original, ['artifacts']);
  const all = { ...patch, ...(Object.keys(artifacts).length > 0 && { artifacts }) } as JsonObject;
  return Object.keys(all).length === 0 ? undefined : all;
}

/** Puts back what `findPatch` has found; a content that was changed since stays changed. */
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

/** The references of a JSON Schema: whether they lead somewhere, and whether following them ends. */
import { nearestNames } from '../../../nearest.ts';
import type { Json } from '../../yaml/node.ts';
import { isObject, type JsonObject, type Origins, own, type SchemaProblem, show } from '../model.ts';
import { entryOf } from '../origins.ts';
import { replaceWith } from '../problems.ts';
import { allSchemas, isRemote, refTarget, resolveRef, subSchemasOf } from '../walk.ts';

export function checkReferences(root: JsonObject, schema: JsonObject, origins: Origins): readonly SchemaProblem[] {
  const referring = [...allSchemas(schema)].filter((part) => typeof own(part, '$ref') === 'string');
  if (referring.length === 0) return [];
  const problems: SchemaProblem[] = [];
  // In schemas with an `$id` of their own, references resolve by rules that are not followed here.
  const hasOwnAddresses = [...allSchemas(root)].some((part) => part !== root && typeof own(part, '$id') === 'string');
  const circular = circularRefs(root, schema);
  for (const part of referring) {
    const ref = own(part, '$ref');
    const place = entryOf(origins.get(part), '$ref')?.value.span;
    if (typeof ref !== 'string' || !place) continue;
    if (resolveRef(root, ref) !== undefined) {
      if (!circular.has(part)) continue;
      const message = `This reference leads back to itself without reading any part of the value, so it says nothing. Put \`properties\` or \`items\` in between, or remove it.`;
      problems.push({ span: place, message });
    } else if (hasOwnAddresses || ref === own(root, '$id')) {
    } else if (isRemote(ref)) {
      problems.push({
        span: place,
        message: `${show(ref)} is in another document, and those are never fetched. Copy the schema into \`$defs\` and refer to it there, \`#/$defs/name\`.`,
      });
    } else problems.push({ span: place, ...explain(root, ref, place) });
  }
  return problems;
}

function explain(root: JsonObject, ref: string, place: SchemaProblem['span']): Omit<SchemaProblem, 'span'> {
  const targets: string[] = [];
  for (const holder of ['$defs', 'definitions']) {
    const definitions = own(root, holder);
    if (isObject(definitions)) targets.push(...Object.keys(definitions).map((name) => `#/${holder}/${name}`));
  }
  const name = ref.slice(ref.lastIndexOf('/') + 1);
  const same = targets.find((target) => target.endsWith(`/${name}`));
  const near =
    same ??
    nearestNames(ref, targets, 1)[0] ??
    targets.find(
      (target) => nearestNames(name.replace(/^#/, ''), [target.slice(target.lastIndexOf('/') + 1)]).length > 0,
    );
  const message = `${show(ref)} leads nowhere in this schema.`;
  if (near !== undefined) {
    return {
      message: `${message} Did you mean ${show(near)}?`,
      fix: replaceWith(near, place, `'${near}'`),
    };
  }
  const advice =
    targets.length === 0
      ? 'Add the schema under `$defs` at the top, or write it here.'
      : `There are ${targets.slice(0, 5).map(show).join(', ')}.`;
  return { message: `${message} ${advice}` };
}

/**
 * The schemas whose `$ref` closes a circle in which every schema applies to the same value: one for each circle, the first
 * in document order of those that were met on the way.
 */
function circularRefs(root: JsonObject, start: JsonObject): ReadonlySet<Json> {
  const result = new Set<Json>();
  const state = new Map<Json, 'open' | 'done'>();
  const inPlace = (schema: JsonObject): Json[] => {
    const next = subSchemasOf(schema)
      .filter((sub) => sub.inPlace)
      .map((sub) => sub.schema);
    const target = refTarget(root, schema);
    return target === undefined ? next : [...next, target];
  };
  for (const first of allSchemas(start)) {
    if (state.has(first)) continue;
    const walk: { schema: JsonObject; next: Json[] }[] = [{ schema: first, next: inPlace(first) }];
    state.set(first, 'open');
    for (let top = walk.at(-1); top; top = walk.at(-1)) {
      const target = top.next.shift();
      if (target === undefined) {
        state.set(top.schema, 'done');
        walk.pop();
      } else if (isObject(target) && !state.has(target)) {
        state.set(target, 'open');
        walk.push({ schema: target, next: inPlace(target) });
      } else if (isObject(target) && state.get(target) === 'open') {
        const circle = walk.slice(walk.findIndex(({ schema }) => schema === target)).map(({ schema }) => schema);
        const closing = circle.find((schema) => typeof own(schema, '$ref') === 'string');
        if (closing) result.add(closing);
      }
    }
  }
  return result;
}

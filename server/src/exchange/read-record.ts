/** Reads a record that a store or an application hands over, and says what keeps it from being one. */
import type { Json } from '../languages/yaml/node.ts';
import { isObject } from '../languages/yaml/same-json.ts';
import { dialectOf } from '../vocabulary/dialect.ts';
import { recordKeys } from '../vocabulary/published/record-keys.ts';
import type { KeyTable, Shape } from '../vocabulary/shape.ts';
import { expectation } from '../vocabulary/shape-words.ts';
import type { SkillRecord } from './record.ts';

export type ReadRecord = { readonly record: SkillRecord } | { readonly problem: string };

/** Undefined where the text is no record at all. */
export function readRecord(text: string): ReadRecord | undefined {
  let json: Json;
  try {
    json = JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
  if (!isObject(json) || !Object.hasOwn(json, 'skill_record')) return undefined;
  if (Number(json.skill_record) > 1) return { problem: 'A newer Skill Composer wrote this record: update this one.' };
  const problem = problemOfMap(json, recordKeys, '');
  if (problem !== undefined) return { problem: `This is no record: ${problem}` };
  const record = json as unknown as SkillRecord;
  const named = dialectOf(`file:///${record.file}`);
  // Read as another dialect, the source would seem to have other artifacts, and lose its own.
  return named === undefined || named === record.dialect
    ? { record }
    : { problem: `This is no record: the \`dialect\` of such a \`file\` is \`${named}\`, not \`${record.dialect}\`.` };
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

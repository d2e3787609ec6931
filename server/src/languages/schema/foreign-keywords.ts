/** `id` (draft-04) and `$async` are no keywords of our dialects, yet ajv refuses the one and obeys the other. */
import type { Json } from '../yaml/node.ts';
import type { JsonObject } from './model.ts';
import { allSchemas } from './walk.ts';

/** A copy for ajv, with the keywords alone that a dialect has. */
export function withoutForeignKeywords(json: JsonObject): JsonObject {
  const copy = structuredCopy(json) as JsonObject;
  for (const schema of allSchemas(copy)) {
    const open = schema as Record<string, Json>;
    delete open.id;
    delete open.$async;
    delete open.$schema;
    if (open.type === undefined) delete open.nullable;
  }
  return copy;
}

const structuredCopy = (json: Json): Json => JSON.parse(JSON.stringify(json)) as Json;

/** Schemas and types that several messages share, including those between a panel and its page. */
import * as v from 'valibot';
import type { Json } from '../languages/yaml/node.ts';
import type { Range, Span } from '../text.ts';
import { optional } from './request.ts';

const text = v.string();

/**
 * Returns a schema for a JSON object that is not a list. `v.object` would also accept a list if all fields are
 * optional.
 * @__NO_SIDE_EFFECTS__
 */
const anyObject = <T extends object>() =>
  v.custom<T>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), 'Expected an object');

export const jsonObject = anyObject<object>();

/** Any JSON value. */
export const json = v.custom<Json>((value) => value !== undefined, 'Expected a value');

export const invocationSource = v.picklist(['explicit', 'agent-selected', 'scheduled', 'authoring']);

const fields = v.object({
  request: optional(text),
  parameters: optional(anyObject<Readonly<Record<string, Json>>>()),
  source: optional(invocationSource),
  channel: optional(text),
  thread_id: optional(text),
  profile: optional(text),
  model: optional(text),
  memory: optional(v.array(v.object({ id: text, tier: text, text }))),
});

/** The schema of `Invocation` in `skill/package.ts`. */
export const invocation = v.pipe(anyObject<v.InferInput<typeof fields>>(), fields);

const position = v.object({
  line: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  character: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
});
export const range = v.object({ start: position, end: position });

/** A range in a file, in the position encoding of the language server protocol. */
export const fileRange = v.object({ uri: text, range });

/**
 * A value as it is sent to the client: every location `{uri, span}` in it becomes `{uri, range}`, in the negotiated
 * position encoding.
 */
export type OnWire<T> = T extends { readonly uri: string; readonly span: Span }
  ? { readonly [Key in Exclude<keyof T, 'span'>]: OnWire<T[Key]> } & { readonly range: Range }
  : T extends readonly (infer Item)[]
    ? readonly OnWire<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: OnWire<T[Key]> }
      : T;

/** A protocol of models: how a request lists tools and results, and how an answer is written. */
import type { Json } from './json-values.ts';

/** A call of a tool, which the model makes. */
export interface ModelToolCall {
  readonly tool: string;
  readonly input: { readonly [key: string]: Json };
}

/** The answer of the model in one turn: a call of a tool, or text. */
export type Turn = ModelToolCall | string;

/** A reply as the server sends it: one JSON value, or a stream of events. */
export type ModelReply =
  | { readonly kind: 'json'; readonly body: Json }
  | { readonly kind: 'stream'; readonly events: readonly StreamEvent[] };

export interface StreamEvent {
  /** The name of the event; undefined in protocols that do not name events. */
  readonly name?: string;
  readonly data: Json;
}

export interface Protocol {
  readonly name: 'anthropic' | 'chat' | 'responses' | 'gemini';
  /** Returns true if this protocol has this path. */
  matches(path: string): boolean;
  /** The names of the tools that a request offers. */
  toolsOf(body: Json): readonly string[];
  /**
   * The paths of the tool results in the conversation, for example `messages.3.content.0`, in their order. Their number
   * is the number of turns that the model has made.
   */
  resultsOf(body: Json): readonly string[];
  /**
   * Returns the reply to a request.
   *
   * @param turn what the model answers
   * @param number the number of the request, which makes IDs unique
   */
  reply(request: { readonly path: string; readonly body: Json }, turn: Turn, number: number): ModelReply;
}

/** The name of the model in every reply, unless the request names one. */
export const MODEL = 'lab';

/** The definition of requests and notifications between client and server. */
import * as v from 'valibot';
import type { CancellationToken } from 'vscode-languageserver-protocol';
import type { Json } from '../languages/yaml/node.ts';

/**
 * A message: its method, and the schema of its parameters, which the server checks before it calls a handler. Without a
 * schema, the parameters are not checked. `types` never has a value and only gives TypeScript the types of the
 * parameters and the reply.
 */
export interface Message<Params, Reply> {
  readonly method: string;
  readonly params: v.GenericSchema | undefined;
  readonly types?: { readonly params: Params; readonly reply: Reply };
}

export type ParamsOf<M> = M extends Message<infer Params, unknown> ? Params : never;

/** The read-only type of the values that fit a schema. */
export type TypeOf<Schema extends v.GenericSchema> = Immutable<v.InferOutput<Schema>>;

type Immutable<T> = [Json] extends [T]
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Immutable<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Immutable<T[Key]> }
      : T;

/** Defines a message whose parameters are checked with a schema for each field. */
export const message =
  <Reply>() =>
  <const Fields extends v.ObjectEntries>(
    method: string,
    fields: Fields,
  ): Message<TypeOf<v.ObjectSchema<Fields, undefined>>, Reply> => ({ method, params: v.object(fields) });

/** Defines a message from the server to this project's client, with parameters that have a type but are not checked. */
export const unchecked = <Params, Reply>(method: string): Message<Params, Reply> => ({ method, params: undefined });

/**
 * Makes a field optional. Some clients send null for a missing field, so parsing turns null into a missing value.
 * @__NO_SIDE_EFFECTS__
 */
export const optional = <const Schema extends v.GenericSchema>(schema: Schema) =>
  v.pipe(
    v.nullish(schema),
    v.transform((value) => value ?? undefined),
  ) as unknown as v.ExactOptionalSchema<Schema, undefined>;

// Functions that send and answer messages through a server connection or a language client.

interface Sender {
  sendRequest<Reply>(method: string, params: unknown, token?: unknown): Promise<Reply>;
}

interface Notifier {
  sendNotification(method: string, params?: unknown): Promise<void>;
}

interface Receiver {
  onRequest(method: string, handler: (params: never, token: CancellationToken) => unknown): unknown;
  onNotification(method: string, handler: (params: unknown) => void): unknown;
}

/** Sends a request. Rejects if the other side rejects the request or has ended. */
export const sendRequest = <Params, Reply>(
  to: Sender,
  { method }: Message<Params, Reply>,
  params: Params,
  token?: unknown,
): Promise<Reply> => to.sendRequest<Reply>(method, params, token);

export const sendNotification = <Params>(to: Notifier, { method }: Message<Params, void>, params: Params): void =>
  void to.sendNotification(method, params);

export const onRequest = <Params, Reply>(
  from: Pick<Receiver, 'onRequest'>,
  { method }: Message<Params, Reply>,
  answer: (params: Params, token: CancellationToken) => Reply | Promise<Reply>,
): void => void from.onRequest(method, answer);

export const onNotification = <Params>(
  from: Pick<Receiver, 'onNotification'>,
  { method }: Message<Params, void>,
  take: (params: Params) => void,
): void => void from.onNotification(method, take as (params: unknown) => void);

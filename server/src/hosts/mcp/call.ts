/** A call as the protocol hands it to the authoring tools, and what they give back. */

export interface Call {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  /** What a person said where the call had to ask; undefined where nobody was asked yet, or nobody can be. */
  readonly answer: 'accepted' | 'declined' | undefined;
  /** Whether the client can ask a person. */
  readonly canAsk: boolean;
}

export type Reply =
  | { readonly kind: 'result'; readonly result: Result }
  /** The call is to be made again with the person's answer. */
  | { readonly kind: 'ask'; readonly question: string };

export interface Result {
  readonly [key: string]: unknown;
  readonly ok: boolean;
}

export interface Authoring {
  call(call: Call): Promise<Reply>;
  dispose(): void;
}

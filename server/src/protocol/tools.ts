/** The replies about importing tools from servers and the editor (docs/tools.md), and about tools for agents. */

/** The servers that would be started and called, for the user to confirm. */
export type ToolServersReply =
  | {
      /** The ID of this reply, so that only the listed servers can be started. */
      readonly plan: number;
      readonly servers: readonly {
        readonly name: string;
        /** The configuration file that names the server. */
        readonly file: string;
        /** The server's command or address, with secrets hidden. */
        readonly what: string;
        readonly details: readonly string[];
      }[];
      /** The values that the user must enter before the servers are started. */
      readonly inputs: readonly ToolServerInput[];
    }
  | { readonly problem: string };

export interface ToolServerInput {
  readonly id: string;
  readonly description: string | null;
  readonly initial: string | null;
  readonly isPassword: boolean;
  /** The allowed values; null if any text is allowed. */
  readonly options: readonly string[] | null;
}

export type PullToolsReply =
  | {
      readonly tools: number;
      /** The result, as lines for the output channel. */
      readonly lines: readonly string[];
      /** The servers that did not respond, each with the reason. */
      readonly missed: readonly string[];
      /** The number of changes that break skills. */
      readonly breaking: number;
    }
  | { readonly problem: string };

export type EditorToolsReply =
  | {
      /** The URI of the snapshot, and its new text. */
      readonly uri: string;
      readonly text: string;
      /** The names of the editor's tools in the snapshot. */
      readonly taken: readonly string[];
    }
  | { readonly problem: string };

/** The JSON reply of the authoring server; `ok` is false if the call is refused. */
export interface AgentToolReply {
  readonly [key: string]: unknown;
  readonly ok: boolean;
}

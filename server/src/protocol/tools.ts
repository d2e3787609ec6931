/** Taking tools in from servers and from the editor (docs/tools.md), and what agents of the editor ask: the replies. */

/** What is going to be started and called, for the user to agree to. */
export type ToolServersReply =
  | {
      /** Names what is shown here, so that nothing else is started. */
      readonly plan: number;
      readonly servers: readonly {
        readonly name: string;
        /** The configuration that names it. */
        readonly file: string;
        /** The command or the address, with secrets hidden. */
        readonly what: string;
        readonly details: readonly string[];
      }[];
      /** What has to be asked for first. */
      readonly inputs: readonly ToolServerInput[];
    }
  | { readonly problem: string };

export interface ToolServerInput {
  readonly id: string;
  readonly description: string | null;
  readonly initial: string | null;
  readonly isPassword: boolean;
  /** Null where any text will do. */
  readonly options: readonly string[] | null;
}

export type PullToolsReply =
  | {
      readonly tools: number;
      /** What came of it, for the output. */
      readonly lines: readonly string[];
      /** The servers that have not answered, each with its reason. */
      readonly missed: readonly string[];
      /** How many changes break skills. */
      readonly breaking: number;
    }
  | { readonly problem: string };

export type EditorToolsReply =
  | {
      /** The snapshot, and what is to be written there. */
      readonly uri: string;
      readonly text: string;
      /** The names of the editor's tools that it has. */
      readonly taken: readonly string[];
    }
  | { readonly problem: string };

/** The same as the authoring server gives, as JSON; `ok` is false where the call is refused. */
export interface AgentToolReply {
  readonly [key: string]: unknown;
  readonly ok: boolean;
}

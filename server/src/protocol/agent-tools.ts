/** What an agent of the editor asks of the skills in its window, with the texts of open buffers: the params and the reply. */

export interface AgentToolParams {
  readonly tool: 'check' | 'compose' | 'match';
  /** As the agent gave it: nothing of it is sure. */
  readonly input: unknown;
  /** The URIs of the folders that files are named in. */
  readonly folders: readonly string[];
}

/** The same as the authoring server gives, as JSON; `ok` is false where the call is refused. */
export interface AgentToolReply {
  readonly [key: string]: unknown;
  readonly ok: boolean;
}

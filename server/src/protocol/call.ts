/** A `SKILL.md` as somebody calls it by name, with arguments, through one client (docs/clients.md, "Arguments"). */

export interface Call {
  /** Undefined where nobody said for whom the skill is: nothing is filled in. */
  readonly client: { readonly id: string; readonly name: string } | undefined;
  /** What the client does is a fact with a source; undefined where it fills in nothing, or nobody knows. */
  readonly fills: CallFact | undefined;
  /** The same for the commands in the body. */
  readonly runs: CallFact | undefined;
  /** The placeholders of the body, as they are written, each once. */
  readonly placeholders: readonly string[];
  /** The names that `arguments` gives, in their order. */
  readonly names: readonly string[];
  readonly hint: string | undefined;
  /** The arguments, parted as clients part them. */
  readonly words: readonly string[];
  /** The commands in the prompt, in UTF-16 units. They are shown, and never run. */
  readonly commands: readonly { readonly start: number; readonly end: number; readonly text: string }[];
}

export interface CallFact {
  readonly note: string | undefined;
  readonly source: string;
  /** ISO date. */
  readonly checked: string;
  readonly certainty: 'read' | 'derived' | 'unverified';
}

/** Runs of installed clients for an editor (docs/observing.md, "In VS Code"). */

/** A client that can be run; `program` is null if it is not installed. Or a client that cannot, with the reason. */
export type ListedClient =
  | {
      readonly id: string;
      readonly name: string;
      readonly package: string;
      readonly program: string | null;
      readonly version: string | null;
    }
  | { readonly id: string; readonly name: string; readonly reason: string };

export type ObservableReply = { readonly clients: readonly ListedClient[] } | Problem;

/** The program and the files of a run. */
export interface ObservingPlan {
  /** The number that confirms this plan. */
  readonly plan: number;
  readonly name: string;
  /** The absolute path of the program. */
  readonly program: string;
  /** The version of the program, and the one that the facts are of; null if it is not known. */
  readonly version: string | null;
  readonly knownVersion: string | null;
  /** The number of copied skills, and of those that are put into `folder`. */
  readonly skills: number;
  readonly installed: number;
  readonly folder: string;
  /** The paths that are not copied, by reason; empty if all are. */
  readonly leftOut: string;
  /** The number of files that are copied only if the user asks for them. */
  readonly others: Readonly<Record<'agents' | 'commands' | 'plugins', number>>;
  /** A program without which the client loads no skill, and that is not installed. */
  readonly missing: string | null;
  /** The hosts that the client was seen to ask for. */
  readonly contacts: readonly string[];
}

export type PlanObservingReply = ObservingPlan | Problem;

export type ObserveReply =
  | {
      readonly name: string;
      /** The prediction, and what the client sent: two texts that differ where these do. */
      readonly predicted: string;
      readonly sent: string;
      /** The number of texts that differ from an exact prediction, of those without one, and of all texts. */
      readonly differences: number;
      readonly unknown: number;
      readonly texts: number;
      /** The report for an issue, as Markdown. */
      readonly report: string;
    }
  | Problem;

/** The reason why nothing was done, or why nothing was observed. */
interface Problem {
  readonly problem: string;
}

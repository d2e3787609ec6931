/** What a client makes of one `SKILL.md`: a row of cells, each with its reasons (docs/clients.md). */
import type { Certainty, Client, Condition, Fact } from '../vocabulary/client.ts';

export const COLUMNS = ['found', 'loaded', 'listed', 'chosen', 'cut', 'ignored'] as const;

/** What in the file, or around it, is behind a reason. */
export interface Cause {
  readonly kind: Condition | 'place' | 'file-name' | 'key';
  /** The key that it is about, where it is one. */
  readonly key?: string;
}

export interface Reason {
  /** A sentence. */
  readonly text: string;
  readonly source: string;
  /** ISO date. */
  readonly checked: string;
  readonly certainty: Certainty | 'read';
  readonly cause?: Cause;
  /** True where the cell is what the author wants, so that nobody need be told. */
  readonly meant?: true;
  /** True where the client loses something by it, which is more than a remark. */
  readonly bad?: true;
}

export type YesNo = 'yes' | 'no' | 'unknown';
/** Who can choose the skill. */
export type Chosen = 'model-or-name' | 'model' | 'name' | 'nobody' | 'unknown';

export interface Cell<Outcome extends string = YesNo> {
  readonly outcome: Outcome;
  readonly reasons: readonly Reason[];
}

export interface ClientRow {
  readonly client: Client;
  /** What the client knows the skill by. */
  readonly name: string;
  readonly found: Cell;
  readonly loaded: Cell;
  readonly listed: Cell;
  readonly chosen: Cell<Chosen>;
  readonly cut: Cell;
  readonly ignored: Cell;
}

export const cell = <Outcome extends string>(outcome: Outcome, ...reasons: readonly Reason[]): Cell<Outcome> => ({
  outcome,
  reasons,
});

/** A reason that rests on a fact. */
export function reasonOf(
  { sources }: Client,
  fact: Pick<Fact<unknown>, 'source' | 'certainty' | 'note'>,
  text: string,
  more: Pick<Reason, 'cause' | 'meant' | 'bad'> = {},
): Reason {
  const source = sources[fact.source];
  return {
    text: fact.note === undefined ? `${text}.` : `${text} (${fact.note}).`,
    source: source?.where ?? '',
    checked: source?.checked ?? '',
    certainty: fact.certainty ?? 'read',
    ...more,
  };
}

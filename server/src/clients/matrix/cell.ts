/** The row for one `SKILL.md` and one client, with the reason for each cell (docs/clients.md). */

import type { Certainty, Client, Fact } from '../facts/client.ts';
import { knownOf, type Pipeline } from '../pipeline/pipeline.ts';
import { type Cause, settingOf } from './causes.ts';

export const COLUMNS = ['found', 'loaded', 'listed', 'chosen', 'cut', 'ignored'] as const;

export interface Reason {
  /** A sentence. */
  readonly text: string;
  readonly source: string;
  /** ISO date. */
  readonly checked: string;
  readonly certainty: Certainty | 'read';
  readonly cause?: Cause;
  /** True if the author wants this outcome, so it is not reported. */
  readonly isIntended?: true;
  /** True if the skill loses something in this client. */
  readonly isLoss?: true;
  /** True if the client skips the skill and shows no message. */
  readonly isSilent?: boolean;
  /** True if the outcome depends on something that the files do not say, such as a setting or an installation. */
  readonly isOpen?: true;
}

export type YesNo = 'yes' | 'no' | 'unknown';
/** The ways to choose the skill: the model chooses it, or people call it by its name. */
export type Chosen = 'model-or-name' | 'model' | 'name' | 'nobody' | 'unknown';

export interface Cell<Outcome extends string = YesNo> {
  readonly outcome: Outcome;
  readonly reasons: readonly Reason[];
}

export interface ClientRow {
  readonly client: Client;
  /** The name of the skill in the client. */
  readonly name: string;
  readonly found: Cell;
  /**
   * The folder that the client must open to find the skill, relative to the workspace folder; undefined if that is the
   * workspace folder or one above it.
   */
  readonly start?: string;
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

type MoreOfReason = Pick<Reason, 'cause' | 'isIntended' | 'isLoss' | 'isSilent' | 'isOpen'>;

/** Returns a reason with the source of the setting that decides about its cause. `text` has no period. */
export function reasonFrom(pipeline: Pipeline, setting: string, text: string, more: MoreOfReason = {}): Reason {
  const known = knownOf(pipeline, setting);
  const source = pipeline.sources[known?.source ?? ''];
  return {
    text: known?.note === undefined ? `${text}.` : `${text} (${known.note}).`,
    source: source?.where ?? '',
    checked: source?.checked ?? '',
    certainty: known?.certainty ?? 'read',
    ...more,
  };
}

/** Returns a reason for a cause. */
export const reasonFor = (
  pipeline: Pipeline,
  cause: Cause,
  text: string,
  more: Omit<MoreOfReason, 'cause'> = {},
): Reason => reasonFrom(pipeline, settingOf(cause), text, { cause, ...more });

/** Returns a reason with the source of a fact. `text` has no period. */
export function reasonOf(
  { sources }: Client,
  fact: Pick<Fact<unknown>, 'source' | 'certainty' | 'note'>,
  text: string,
  more: MoreOfReason = {},
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

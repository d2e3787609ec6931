/**
 * A client of `SKILL.md` as steps, each with its settings (docs/clients.md, "The steps of a client"). The data is in
 * `data/ID.json`.
 */
import type { AdmitRules } from './admit.ts';
import type { DeliverRules } from './deliver.ts';
import type { EntryRules } from './entry.ts';
import type { DescriptionRules, FieldRules, NameRules } from './fields.ts';
import type { FindRules } from './find.ts';
import type { PluginRules } from './plugin-rules.ts';
import type { ReadRules } from './read.ts';
import type { Step } from './reading.ts';
import type { ResolveRules } from './resolve.ts';

export interface Pipeline extends ReadRules {
  readonly id: string;
  readonly name: string;
  /** The ID of a client whose steps this one has, except for those that it has itself. */
  readonly extends?: string;
  /** The sources, each with the ISO date on which it was checked. */
  readonly sources: Readonly<Record<string, { readonly where: string; readonly checked: string }>>;
  /** The sources of the settings: for each step, and for single settings by their path, such as `find.hidden`. */
  readonly known: Readonly<Record<Step | string, Known>>;
  readonly find: FindRules;
  /** Undefined if it is not known how the client loads plugins. */
  readonly plugins?: PluginRules;
  readonly fields: FieldRules;
  readonly resolve: ResolveRules;
  readonly admit: AdmitRules;
  readonly entry: EntryRules;
  /** Undefined for a framework whose texts are not described. */
  readonly deliver?: DeliverRules;
  /** The stops, or the steps of stops, about which the client shows no message to its user. */
  readonly silent?: readonly string[];
  /** The rules of `fields` that cause a warning and no stop. */
  readonly warns?: {
    readonly name?: Partial<NameRules>;
    readonly description?: Partial<DescriptionRules>;
  };
  /** True for a service to which skills are uploaded, so that a stop refuses the upload. */
  readonly uploads?: true;
}

/** The key of the source that is an observation of the lab. */
export const OBSERVED = 'run';

export interface Known {
  /** A key of the client's `sources`. */
  readonly source: string;
  readonly certainty?: 'partial' | 'unverified';
  readonly note?: string;
}

/** Returns how a setting is known: the entry for its path, or for the nearest path above it. */
export function knownOf({ known }: Pipeline, setting: string): Known | undefined {
  for (let path = setting; path !== ''; path = path.slice(0, Math.max(0, path.lastIndexOf('.')))) {
    const one = known[path];
    if (one) return one;
  }
  return undefined;
}

/** What each client does with one file for each usual fault, in words that `docs/clients.json` has used from the start. */

import type { Certainty, Client } from '../../../server/src/clients/facts/client.ts';
import { findClient } from '../../../server/src/clients/facts/clients.ts';
import { type CauseCode, settingOf } from '../../../server/src/clients/matrix/causes.ts';
import type { ClientRow } from '../../../server/src/clients/matrix/cell.ts';
import { stepsOf } from '../../../server/src/clients/matrix/prediction.ts';
import type { Follows } from '../../../server/src/clients/pipeline/find.ts';
import { knownOf } from '../../../server/src/clients/pipeline/pipeline.ts';
import { isChoice, type Setting } from '../../../server/src/clients/pipeline/setting.ts';
import { type Condition, fixtureOf, rowFor } from './fixtures.ts';

export type Outcome =
  | 'ok'
  /** The file is loaded with a loss. */
  | 'loaded'
  | 'loaded_with_warning'
  | 'repaired'
  | 'truncated'
  | 'renamed'
  | 'hidden_from_model'
  | 'skipped_with_message'
  | 'skipped_silently'
  /** The upload fails. */
  | 'rejected'
  | 'first_wins'
  | 'last_wins'
  | 'both_listed'
  | 'unknown';

/** The code of the cause that a condition is about. */
const CODES: Readonly<Record<Condition, readonly [CauseCode, key?: string]>> = {
  missing_frontmatter: ['open/no-frontmatter'],
  unclosed_frontmatter: ['open/unclosed'],
  bad_yaml: ['parse/syntax'],
  unquoted_colon: ['parse/colon'],
  duplicate_key: ['parse/duplicate-key'],
  bom: ['open/bom'],
  crlf: ['open/no-frontmatter'],
  missing_name: ['fields/missing', 'name'],
  missing_description: ['fields/missing', 'description'],
  empty_description: ['fields/missing', 'description'],
  name_bad_chars: ['fields/pattern', 'name'],
  name_consecutive_hyphens: ['fields/pattern', 'name'],
  name_not_folder: ['fields/folder', 'name'],
  name_too_long: ['fields/length', 'name'],
  description_too_long: ['fields/length', 'description'],
  empty_body: ['fields/body'],
  duplicate_name: ['resolve/equal-name'],
};

export const CONDITIONS = Object.keys(CODES) as readonly Condition[];

/** Returns the outcome in the row of a client for the file of a condition. */
function outcomeIn({ loaded, listed, cut, ignored, client }: ClientRow): Outcome {
  const all = [...loaded.reasons, ...listed.reasons];
  if (loaded.outcome === 'no') {
    if (stepsOf(client).uploads) return 'rejected';
    return loaded.reasons.some(({ isSilent }) => isSilent) ? 'skipped_silently' : 'skipped_with_message';
  }
  if (loaded.outcome === 'unknown' || listed.outcome === 'unknown' || cut.outcome === 'unknown') return 'unknown';
  if (listed.outcome === 'no') return 'hidden_from_model';
  if (cut.outcome === 'yes') return 'truncated';
  if (listed.reasons.some(({ isLoss }) => isLoss)) return 'loaded';
  if (loaded.reasons.some(({ text }) => text.includes('only partly loaded'))) return 'loaded';
  if (ignored.reasons.some(({ cause }) => cause?.code === 'fields/renamed')) return 'renamed';
  if (all.some(({ cause }) => cause?.code === 'fields/missing' && cause.key === 'name')) return 'renamed';
  if (loaded.reasons.some(({ text }) => text.includes('with a warning'))) return 'loaded_with_warning';
  return loaded.reasons.some(({ text }) => text.includes('fixes automatically')) ? 'repaired' : 'ok';
}

/** Returns a framework with a folder, as if its program named it, and every other client as it is. */
const inAFolder = (client: Client): Client => (client.framework && findClient(`${client.id}:.agents/skills`)) || client;

export interface OutcomeFact {
  readonly value: Outcome;
  readonly note?: string;
  readonly source: string;
  readonly certainty?: Certainty;
}

/** Returns the outcome of a client for the file of a condition, with the source of the setting that decides. */
export function outcomeOf(asked: Client, condition: Condition): OutcomeFact {
  const client = inAFolder(asked);
  const inRow =
    condition === 'duplicate_name' ? equalNames(client) : outcomeIn(rowFor(client, fixtureOf(client, condition)));
  const { duplicates } = stepsOf(client).parse;
  const isOk = condition === 'duplicate_key' && inRow === 'ok';
  const value = isOk && duplicates === 'last' ? 'last_wins' : isOk && duplicates === 'first' ? 'first_wins' : inRow;
  const [code, key] = value === 'truncated' ? (['entry/cut', 'description'] as const) : CODES[condition];
  const known = knownOf(stepsOf(client), settingOf({ code, ...(key !== undefined && { key }) }));
  const { source = '', note, certainty } = known ?? {};
  return { value, source, ...(note !== undefined && { note }), ...(certainty && { certainty }) };
}

type Computed = Omit<OutcomeFact, 'value'> & { readonly value: unknown };

const STEPS = ['find', 'open', 'parse', 'fields', 'resolve', 'admit', 'entry'] as const;

/** Returns the facts that follow from the steps of a client, by the last part of their identifiers. */
export function computedFacts(client: Client): ReadonlyMap<string, Computed> {
  const steps = stepsOf(client);
  const fact = (setting: string, value: unknown): Computed => {
    const { source = '', note, certainty } = knownOf(steps, setting) ?? {};
    return { value, source, ...(note !== undefined && { note }), ...(certainty && { certainty }) };
  };
  const { folderLinks, fileLinks, fileName } = steps.find;
  const { equalNames: rule } = steps.resolve;
  return new Map<string, Computed>([
    ...STEPS.map((step): [string, Computed] => [`steps.${step}`, fact(step, steps[step])]),
    ['fileName', fact('find.fileName', isChoice(fileName) ? 'unknown' : fileName)],
    ['links', fact('find.folderLinks', { folder: linksOf(folderLinks), file: linksOf(fileLinks) })],
    ['precedence', fact('resolve.equalNames', isChoice(rule) || rule === 'any' ? 'unknown' : rule)],
    ...CONDITIONS.map((condition): [string, Computed] => [`outcomes.${condition}`, outcomeOf(client, condition)]),
  ]);
}

export type Links = 'followed' | 'passed-over' | 'followed-inside' | 'unknown';

/** Returns how a client treats links. */
export function linksOf(rule: Setting<Follows>): Links {
  if (isChoice(rule)) return 'unknown';
  const links = {
    yes: 'followed',
    no: 'passed-over',
    never: 'passed-over',
    inside: 'followed-inside',
    'in-place': 'followed-inside',
  } as const;
  return links[rule];
}

function equalNames(client: Client): Outcome {
  const { equalNames: rule } = stepsOf(client).resolve;
  const outcomes: ReadonlyMap<unknown, Outcome> = new Map([
    ['first', 'first_wins'],
    ['last', 'last_wins'],
    ['both', 'both_listed'],
  ]);
  return outcomes.get(rule) ?? 'unknown';
}

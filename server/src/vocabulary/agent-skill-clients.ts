/**
 * The frontmatter keys of `SKILL.md` (docs/format.md, section 9) in the public documents of each client. The tables
 * contain only keys beyond the open standard (`agent-skill-keys.ts`), and keys that the client reads differently.
 */

import type { Client, ClientKeyFact } from '../clients/facts/client.ts';
import { clients, nameWithVersion } from '../clients/facts/clients.ts';
import claudeCode from '../clients/facts/data/claude-code.json';
import { facts as standardFacts } from '../clients/facts/data/standard.json';
import { mapEntries, stringOf, type YamlEntry, type YamlNode, type YamlTree } from '../languages/yaml/node.ts';
import { closestSlip, closestTypo, normalizedSpelling } from '../nearest.ts';
import { agentSkillKeys } from './agent-skill-keys.ts';

export type ClientKeyType = 'string' | 'boolean' | 'list' | 'map' | 'string-or-list';

interface ClientKey {
  readonly name: string;
  readonly type: ClientKeyType;
  /** One sentence about the effect of the key. */
  readonly description: string;
  /** All allowed values, if the document has a list. */
  readonly values?: readonly string[];
  /** True if the client also reads integers, beside `values`. */
  readonly integers?: true;
  /** The words that the client reads as booleans, beside those of YAML. */
  readonly booleans?: readonly string[];
  /** True if the client reads only these words, in this letter case. */
  readonly exactBooleans?: true;
  /** True if commas separate the items in a string. */
  readonly commas?: true;
}

interface ClientKeyTable {
  readonly client: string;
  /** The public document that defines the keys. */
  readonly source: string;
  /** The ISO date on which the document was read. */
  readonly checked: string;
  readonly keys: readonly ClientKey[];
}

/** The recommendations of the standard for the body; they are not limits. */
export const standardAdvice = standardFacts.advice.value;

/** The events of `hooks`. Only Claude Code documents events for skills. */
export const hookEvents: readonly string[] = claudeCode.facts['hooks.events'].value;

/** The client whose events `hookEvents` contains, with its version. */
export const hookClient: string = nameWithVersion(claudeCode);

const standardNames: ReadonlySet<string> = new Set(agentSkillKeys.map(({ name }) => name));

/**
 * Returns the key, or undefined if the table leaves out the key, for example because authors also use the word for
 * their own purposes.
 */
function findKey(fact: ClientKeyFact, { booleans, exactBooleans }: Client): ClientKey | undefined {
  const { name, type, effect, values, integers, shared, commas, nested } = fact;
  if (shared || type === 'unknown' || type === 'number') return undefined;
  if (standardNames.has(name) && type !== 'string-or-list' && !nested) return undefined;
  return {
    ...{ name, type, description: effect },
    ...(values && { values }),
    ...(integers && { integers }),
    ...(type === 'boolean' && booleans && { booleans: booleans.value }),
    ...(type === 'boolean' && exactBooleans && { exactBooleans: true }),
    ...(commas && { commas }),
  };
}

function tableOf(client: Client): readonly ClientKeyTable[] {
  const { name, keys, sources } = client;
  const known = keys.map((key) => findKey(key, client)).filter((key) => key !== undefined);
  const source = sources[keys[0]?.source ?? ''];
  return source && known.length > 0
    ? [{ client: name, source: source.where, checked: source.checked, keys: known }]
    : [];
}

export const clientKeyTables: readonly ClientKeyTable[] = clients.flatMap(tableOf);

// Lookups of the frontmatter keys of `SKILL.md` in the standard and in clients (docs/format.md, section 9).

/** A key of one client. */
export interface KeyOfClient extends ClientKey {
  readonly client: string;
}

const keysOfClients: readonly KeyOfClient[] = clientKeyTables.flatMap(({ client, keys }) =>
  keys.map((key) => ({ ...key, client })),
);

export const isStandardKey = (name: string): boolean => standardNames.has(name);

/** Returns the definitions of a key in all clients; empty if no client defines the key. */
export const findClientKeys = (name: string): readonly KeyOfClient[] =>
  keysOfClients.filter((key) => key.name === name);

const knownKeys: ReadonlySet<string> = new Set([...standardNames, ...keysOfClients.map(({ name }) => name)]);

const mandatoryNames = agentSkillKeys.flatMap(({ name, mandatory }) => (mandatory ? [name] : []));

/** Keys that authors write in a skill, although the keys belong in other files of the same clients. */
const KEYS_ELSEWHERE: ReadonlyMap<string, string> = new Map([['tools', 'allowed-tools']]);

/** Keys that authors write for a key of a client with another name. */
const OTHER_WORDS: ReadonlyMap<string, string> = new Map(
  ['pathpatterns', 'pathpattern', 'pathglobs', 'filepatterns', 'fileglobs', 'filepaths', 'includepaths'].map(
    (word) => [word, 'paths'] as const,
  ),
);

/** Returns the known key that a misspelt key means; one that the file has, too, only for another spelling of it. */
export function findMeantKey(written: string, taken: ReadonlySet<string>): string | undefined {
  const elsewhere = KEYS_ELSEWHERE.get(written);
  if (elsewhere !== undefined) return taken.has(elsewhere) ? undefined : elsewhere;
  const other = OTHER_WORDS.get(normalizedSpelling(written));
  if (other !== undefined) return taken.has(other) ? undefined : other;
  const missing = mandatoryNames.filter((name) => !taken.has(name));
  return (
    closestSlip(written, missing) ??
    closestTypo(
      written,
      [...knownKeys].filter((name) => !taken.has(name)),
    ) ??
    [...knownKeys].find((name) => normalizedSpelling(name) === normalizedSpelling(written))
  );
}

export const knownAgentSkillKeys = (): Iterable<string> => knownKeys;

/** A misspelt top-level key of a `SKILL.md`. */
export interface MisspeltEntry {
  readonly entry: YamlEntry;
  /** The right key. */
  readonly meant: string;
  /** True if the key is not a misspelling, but another word for a key of a client. */
  readonly isOtherWord?: true;
}

interface ForeignEntries {
  /** Keys that at least one client defines. */
  readonly known: readonly YamlEntry[];
  readonly misspelt: readonly MisspeltEntry[];
  /** Keys that neither the standard nor a client defines. */
  readonly unknown: readonly YamlEntry[];
}

/** The maximum number of entries; the rest are ignored. */
const MAX_ENTRIES = 500;

/** Returns the keys that the standard does not define, each at its first position. Skips keys that begin with `x-`. */
export function readForeignEntries({ root }: YamlTree): ForeignEntries {
  const known: YamlEntry[] = [];
  const misspelt: MisspeltEntry[] = [];
  const unknown: YamlEntry[] = [];
  const entries = mapEntries(root).slice(0, MAX_ENTRIES);
  const taken = new Set(entries.map(nameOf));
  const seen = new Set<string>();
  for (const entry of entries) {
    const name = nameOf(entry);
    if (seen.has(name) || isStandardKey(name) || name.startsWith('x-')) continue;
    seen.add(name);
    if (findClientKeys(name).length > 0) {
      known.push(entry);
      continue;
    }
    const meant = name === 'tools' && !namesTools(entry.value) ? undefined : findMeantKey(name, taken);
    if (meant === undefined) {
      unknown.push(entry);
      continue;
    }
    misspelt.push({ entry, meant, ...(OTHER_WORDS.has(normalizedSpelling(name)) && { isOtherWord: true }) });
    // Two misspellings must not be corrected to the same key.
    taken.add(meant);
  }
  return { known, misspelt, unknown };
}

const nameOf = ({ key }: YamlEntry): string => String(key.value);

/** Returns true if the value names a tool of Claude Code; other authors list clients or programs under `tools`. */
const namesTools = (value: YamlNode): boolean =>
  (value.kind === 'list' ? value.items.map(stringOf) : [stringOf(value)]).some((text) =>
    /\b(?:Read|Write|Edit|MultiEdit|Bash|Grep|Glob|Task|WebFetch|WebSearch|TodoWrite|NotebookEdit)\b|\bmcp__/.test(
      text ?? '',
    ),
  );

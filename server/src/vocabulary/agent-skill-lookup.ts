/** Who knows a frontmatter key of `SKILL.md`: the standard, some clients, or nobody (docs/format.md, section 9). */
import { plainlyMeant } from '../nearest.ts';
import { type ClientKey, clientKeyTables } from './agent-skill-clients.ts';
import { agentSkillKeys } from './agent-skill-keys.ts';

/** A key as one client reads it. */
export interface KeyOfClient extends ClientKey {
  readonly client: string;
}

const keysOfClients: readonly KeyOfClient[] = clientKeyTables.flatMap(({ client, keys }) =>
  keys.map((key) => ({ ...key, client })),
);

const standardNames: ReadonlySet<string> = new Set(agentSkillKeys.map(({ name }) => name));

export const isStandardKey = (name: string): boolean => standardNames.has(name);

/** What each client that defines the key says of it; empty where none does. */
export const findClientKeys = (name: string): readonly KeyOfClient[] =>
  keysOfClients.filter((key) => key.name === name);

const knownKeys: ReadonlySet<string> = new Set([...standardNames, ...keysOfClients.map(({ name }) => name)]);

/** Keys of other files of the same clients, which authors write in a skill. */
const KEYS_ELSEWHERE: ReadonlyMap<string, string> = new Map([['tools', 'allowed-tools']]);

/** The known key that a misspelt one means, if it does not stand in the file already. */
export function findMeantKey(written: string, taken: ReadonlySet<string>): string | undefined {
  const elsewhere = KEYS_ELSEWHERE.get(written);
  if (elsewhere !== undefined) return taken.has(elsewhere) ? undefined : elsewhere;
  return plainlyMeant(
    written,
    [...knownKeys].filter((name) => !taken.has(name)),
  );
}

export const knownAgentSkillKeys = (): Iterable<string> => knownKeys;

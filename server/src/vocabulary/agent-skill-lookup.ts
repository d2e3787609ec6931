/** Who knows a frontmatter key of `SKILL.md`: the standard, some clients, or nobody (docs/format.md, section 9). */
import { distance } from 'fastest-levenshtein';
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

/** The same for all spellings that differ only in letter case, hyphens and underscores. */
const fold = (name: string): string => name.slice(0, 100).toLowerCase().replace(/[-_]/g, '');

const knownKeys = [...new Set([...standardNames, ...keysOfClients.map(({ name }) => name)])].map((name) => ({
  name,
  folded: fold(name),
}));

/** The known key that a misspelt one means, if it does not stand in the file already; other spellings before misspellings. */
export function findMeantKey(written: string, taken: ReadonlySet<string>): string | undefined {
  const word = fold(written);
  const free = knownKeys.filter(({ name }) => !taken.has(name));
  const meant = free.find(({ folded }) => folded === word) ?? free.find(({ folded }) => isMisspelling(word, folded));
  return meant?.name;
}

/** One wrong letter, two in long words. Not an appended word (`models`, `description_zh`), nor a short word. */
function isMisspelling(written: string, right: string): boolean {
  const [shorter, longer] = written.length < right.length ? [written, right] : [right, written];
  if (shorter.length < 4 || longer.length - shorter.length > 2) return false;
  if (longer !== shorter && longer.startsWith(shorter)) return false;
  if (isSwap(written, right)) return true;
  return shorter.length >= 6 && distance(written, right) <= (shorter.length >= 10 ? 2 : 1);
}

/** The same letters, two of them in each other's place. */
const isSwap = (a: string, b: string): boolean =>
  a.length === b.length && distance(a, b) === 2 && [...a].sort().join('') === [...b].sort().join('');

/** Who knows a frontmatter key of `SKILL.md`: the standard, some clients, or nobody (skill-format.md, section 9). */
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

/** Letter case, hyphens and underscores are a matter of style: `allowedTools` is `allowed-tools`. */
const bare = (name: string): string => name.slice(0, 100).toLowerCase().replace(/[-_]/g, '');

const known = [...new Set([...standardNames, ...keysOfClients.map(({ name }) => name)])].map((name) => ({
  name,
  bare: bare(name),
}));

/** The known key that a misspelt one certainly means, if it does not stand in the file already. */
export const findMeantKey = (written: string, taken: ReadonlySet<string>): string | undefined =>
  keysMeant(written).find((name) => !taken.has(name));

/** A folder of skills has few keys of its own, over and over: to look for them in each file took a tenth of its check. */
const meant = new Map<string, readonly string[]>();
const MAX_MEANT = 500;

/** The known keys that a word may stand for, those that differ in style first. */
function keysMeant(written: string): readonly string[] {
  const word = bare(written);
  const remembered = meant.get(word);
  if (remembered) return remembered;
  const alike = known.filter((key) => key.bare === word);
  const slips = known.filter((key) => key.bare !== word && isSlip(word, key.bare));
  const names = [...alike, ...slips].map(({ name }) => name);
  if (meant.size >= MAX_MEANT) meant.clear();
  meant.set(word, names);
  return names;
}

/**
 * One wrong letter, two in long words. What only goes on is a word of its own (`models`, `description_zh`), and short
 * words are too alike.
 */
function isSlip(written: string, right: string): boolean {
  const [shorter, longer] = written.length < right.length ? [written, right] : [right, written];
  if (shorter.length < 4 || longer.length - shorter.length > 2) return false;
  if (longer !== shorter && longer.startsWith(shorter)) return false;
  if (isSwap(written, right)) return true;
  return shorter.length >= 6 && distance(written, right) <= (shorter.length >= 10 ? 2 : 1);
}

/** The same letters, two of them in each other's place. */
const isSwap = (a: string, b: string): boolean =>
  a.length === b.length && distance(a, b) === 2 && [...a].sort().join('') === [...b].sort().join('');

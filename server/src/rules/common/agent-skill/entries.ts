/** The keys at the top of a `SKILL.md` that the standard does not have, by who knows them instead. */

import type { YamlEntry } from '../../../languages/yaml/node.ts';
import type { SkillFile } from '../../../skill/skill-file.ts';
import { findClientKeys, findMeantKey, isStandardKey } from '../../../vocabulary/agent-skill-lookup.ts';

export interface MisspeltEntry {
  readonly entry: YamlEntry;
  /** The key that it must be meant for. */
  readonly meant: string;
}

export interface ForeignEntries {
  /** Keys of some clients. */
  readonly known: readonly YamlEntry[];
  readonly misspelt: readonly MisspeltEntry[];
  /** Keys that nobody defines. */
  readonly unknown: readonly YamlEntry[];
}

/** Beyond this nobody wrote the map by hand. */
const MAX_ENTRIES = 500;

/** Each key counts where it stands first. Keys that begin with `x-` are the author's own business. */
export function readForeignEntries({ frontmatter }: SkillFile): ForeignEntries {
  const { root } = frontmatter.tree;
  const known: YamlEntry[] = [];
  const misspelt: MisspeltEntry[] = [];
  const unknown: YamlEntry[] = [];
  const entries = root?.kind === 'map' ? root.entries.slice(0, MAX_ENTRIES) : [];
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
    const meant = findMeantKey(name, taken);
    if (meant === undefined) unknown.push(entry);
    else misspelt.push({ entry, meant });
    // A second misspelling of the same key would make it stand there twice.
    if (meant !== undefined) taken.add(meant);
  }
  return { known, misspelt, unknown };
}

export const nameOf = ({ key }: YamlEntry): string => String(key.value);

/** "Claude Code, VS Code and Cursor". */
export function listed(names: readonly string[], conjunction: 'and' | 'or' = 'and'): string {
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} ${conjunction} ${names.at(-1)}`;
}

export const STANDARD = 'Agent Skills specification, https://agentskills.io/specification';

/** The top-level keys of a `SKILL.md` that the standard does not have. */
import { mapEntries, stringOf, type YamlEntry, type YamlNode, type YamlTree } from '../languages/yaml/node.ts';
import { findClientKeys, findMeantKey, isStandardKey } from './agent-skill-lookup.ts';

export interface MisspeltEntry {
  readonly entry: YamlEntry;
  /** The key that it must be meant for. */
  readonly meant: string;
}

export interface ForeignEntries {
  /** Keys of some clients. */
  readonly known: readonly YamlEntry[];
  readonly misspelt: readonly MisspeltEntry[];
  /** Keys that neither the standard nor a client has. */
  readonly unknown: readonly YamlEntry[];
}

/** More entries are not looked at. */
const MAX_ENTRIES = 500;

/** Each key where it stands first. Keys that begin with `x-` are the author's own. */
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
    misspelt.push({ entry, meant });
    // Two misspellings cannot both become the same key.
    taken.add(meant);
  }
  return { known, misspelt, unknown };
}

const nameOf = ({ key }: YamlEntry): string => String(key.value);

/** Whether a tool of Claude Code is among the values; `tools` of other authors lists clients or programs. */
const namesTools = (value: YamlNode): boolean =>
  (value.kind === 'list' ? value.items.map(stringOf) : [stringOf(value)]).some((text) =>
    /\b(?:Read|Write|Edit|MultiEdit|Bash|Grep|Glob|Task|WebFetch|WebSearch|TodoWrite|NotebookEdit)\b|\bmcp__/.test(
      text ?? '',
    ),
  );

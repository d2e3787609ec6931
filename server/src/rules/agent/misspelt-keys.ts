/** The misspelt keys of agents, commands and the settings of a skill for Codex. */
import { type Draft, fixHere } from '../../finding.ts';
import { renameKey } from '../../languages/yaml/edit.ts';
import { mapEntries, type YamlEntry, type YamlNode } from '../../languages/yaml/node.ts';
import { closestSlip, closestTypo, didYouMean, normalizedSpelling } from '../../nearest.ts';
import type { SkillFile } from '../../skill/skill-file.ts';

/** A key that no client reads, and the key that it probably means. */
export interface MisspeltKey {
  readonly entry: YamlEntry;
  readonly meant: string;
  /** True if the map has the meant key, too, so that no fix can rename the other one. */
  readonly isBeside: boolean;
}

export interface KeyWords {
  /** The known names for other words, such as `tools` for `allowed-tools`. */
  readonly words?: ReadonlyMap<string, string>;
  /** Returns whether a name is a key of other files or clients, so that it is not a misspelling. */
  readonly isElsewhere?: (name: string) => boolean;
}

/** Returns the clearly misspelt keys of a map. A key with another spelling of a written key is one, too. */
export function misspeltKeysIn(
  map: YamlNode | undefined,
  known: readonly string[],
  { words, isElsewhere }: KeyWords = {},
): readonly MisspeltKey[] {
  const entries = mapEntries(map);
  const written = new Set(entries.map(({ key }) => String(key.value)));
  const free = [...new Set(known)].filter((name) => !written.has(name));
  const meantBy = (name: string): string | undefined => {
    const other = words?.get(name);
    if (other !== undefined && free.includes(other)) return other;
    const spelling = normalizedSpelling(name);
    return (
      closestSlip(name, free) ?? closestTypo(name, free) ?? known.find((one) => normalizedSpelling(one) === spelling)
    );
  };
  return entries.flatMap((entry): MisspeltKey | [] => {
    const name = String(entry.key.value);
    if (known.includes(name) || (!words?.has(name) && isElsewhere?.(name))) return [];
    const meant = meantBy(name);
    return meant === undefined ? [] : { entry, meant, isBeside: written.has(meant) };
  });
}

/** Returns the finding for a misspelt key of a map, with the fix that renames it. */
export function draftOfKey(file: SkillFile, map: YamlNode | undefined, misspelt: MisspeltKey, before = ''): Draft {
  const { entry, meant, isBeside } = misspelt;
  const name = String(entry.key.value);
  return {
    span: entry.key.span,
    message: `${before}Unknown key \`${name.slice(0, 100)}\`.${isBeside ? ` The file has \`${meant}\`, too. Remove one of them.` : didYouMean([meant])}`,
    fixes:
      isBeside || map?.kind !== 'map'
        ? []
        : fixHere(file, `Rename to \`${meant}\``, renameKey(file.text, map, name, meant)),
  };
}

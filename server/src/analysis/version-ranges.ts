/** Version ranges of `requires`, and the versions of skills. */
import { gtr, ltr, satisfies, subset, valid } from 'semver';
import { setScalar } from '../languages/yaml/edit.ts';
import { findValue, listItems, type YamlScalar } from '../languages/yaml/node.ts';
import { type VersionDemand, versionDemand } from '../skill/breaking-changes.ts';
import { findSkillEntry, type Named, type RequiresEntry } from '../skill/contract.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import type { TextEdit } from '../text.ts';
import { byPreference } from '../workspace/resolve-skill.ts';
import type { IndexedSkill } from '../workspace/workspace-index.ts';
import type { Analysis } from './analysis.ts';

/** Returns the version that the released state of a file demands; undefined if that state or the version is unknown. */
export function demandOfRelease(analysis: Analysis, file: SkillFile): VersionDemand | undefined {
  const released = analysis.released(file.uri);
  if (!released || released.frontmatter.tree.broken || !file.contract.version) return undefined;
  return versionDemand(released.contract, file.contract);
}

/** Returns the entries of `requires` that name a skill and have a version. */
export const requirementsOf = (
  { contract }: SkillFile,
  name: string,
): readonly (RequiresEntry & { readonly version: Named })[] =>
  contract.requires.flatMap((entry) =>
    entry.name === name && entry.version ? [{ ...entry, version: entry.version }] : [],
  );

/** Returns the edits that change a range and keep its quotes. */
export function setRange(file: SkillFile, { span }: Named, range: string): readonly TextEdit[] {
  const items = listItems(findSkillEntry(file.frontmatter.tree.root, 'requires')?.value);
  const node = items.map((item) => findValue(item, 'version')).find((version) => version?.span.start === span.start);
  return node?.kind === 'scalar' ? setScalar(file.text, asText(node), range) : [];
}

/** Ensures that a range such as `1`, which YAML reads as a number, is replaced with a string. */
const asText = (node: YamlScalar): YamlScalar => (typeof node.value === 'number' ? { ...node, style: 'plain' } : node);

/** Returns why a range does not include a version, as the end of a sentence whose subject is the version. */
export function refusalOf(range: string, version: string): string {
  const isInside = satisfies(version, range, { includePrerelease: true });
  if (isInside) return `is a pre-release, which \`${range}\` does not include`;
  if (gtr(version, range)) return `is above \`${range}\``;
  if (ltr(version, range)) return `is below \`${range}\``;
  return `is not in \`${range}\``;
}

/** Returns a range that also includes the caret range of the version. */
export function widened(range: string, version: string): string {
  const caret = `^${version}`;
  return subset(range, caret) ? caret : `${range} || ${caret}`;
}

/** A skill with its version in canonical form. */
export interface Version {
  readonly skill: IndexedSkill;
  readonly version: string;
}

/**
 * Returns the versions of a skill for the file `from` in the order of preference, without invalid versions and versions
 * from files that do not parse.
 */
export const versionsOf = (analysis: Analysis, name: string, from: string): readonly Version[] =>
  [...analysis.skillsNamed(name, from)].sort(byPreference).flatMap((skill) => {
    const version = valid(skill.summary.version);
    return version === null || skill.summary.broken ? [] : [{ skill, version }];
  });

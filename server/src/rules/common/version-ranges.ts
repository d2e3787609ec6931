/** Ranges of `requires` and the versions that they may allow. */
import { gtr, ltr, satisfies, subset, valid } from 'semver';
import type { Analysis } from '../../analysis/analysis.ts';
import { setScalar } from '../../languages/yaml/edit.ts';
import { findValue, listItems, type YamlScalar } from '../../languages/yaml/node.ts';
import { findSkillEntry, type Named, type RequiresEntry } from '../../skill/contract.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { TextEdit } from '../../text.ts';
import { byVersion } from '../../workspace/resolve-skill.ts';
import type { IndexedSkill } from '../../workspace/workspace-index.ts';

/** The `requires` entries of a skill by its name, those that have a version. */
export const requirementsOf = (
  { contract }: SkillFile,
  name: string,
): readonly (RequiresEntry & { readonly version: Named })[] =>
  contract.requires.flatMap((entry) =>
    entry.name === name && entry.version ? [{ ...entry, version: entry.version }] : [],
  );

/** Gives a range another text and keeps the way it is written. */
export function setRange(file: SkillFile, { span }: Named, range: string): readonly TextEdit[] {
  const items = listItems(findSkillEntry(file.frontmatter.tree.root, 'requires')?.value);
  const node = items.map((item) => findValue(item, 'version')).find((version) => version?.span.start === span.start);
  return node?.kind === 'scalar' ? setScalar(file.text, asText(node), range) : [];
}

/** Makes a range such as `1`, which is a number to YAML, be replaced by a text. */
const asText = (node: YamlScalar): YamlScalar => (typeof node.value === 'number' ? { ...node, style: 'plain' } : node);

/** Why a range refuses a version, as the end of a sentence about the version. */
export function refusalOf(range: string, version: string): string {
  const isInside = satisfies(version, range, { includePrerelease: true });
  if (isInside) return `is a pre-release, which \`${range}\` does not ask for`;
  if (gtr(version, range)) return `is above \`${range}\``;
  if (ltr(version, range)) return `is below \`${range}\``;
  return `is not in \`${range}\``;
}

/** The range that takes the version as well, by the caret of the version. */
export function widened(range: string, version: string): string {
  const caret = `^${version}`;
  return subset(range, caret) ? caret : `${range} || ${caret}`;
}

/** A skill with its version in canonical form. */
export interface Version {
  readonly skill: IndexedSkill;
  readonly version: string;
}

/** The versions of a skill, highest first; those that are invalid or whose file does not parse are left out. */
export const versionsOf = (analysis: Analysis, name: string): readonly Version[] =>
  [...analysis.skillsNamed(name)].sort(byVersion).flatMap((skill) => {
    const version = valid(skill.summary.version);
    return version === null || skill.summary.broken ? [] : [{ skill, version }];
  });

/** Ranges of `requires`: where they are written, and why they refuse a version. */
import { gtr, ltr, satisfies, subset, valid } from 'semver';
import { setScalar } from '../../languages/yaml/edit.ts';
import { findValue, type YamlScalar } from '../../languages/yaml/node.ts';
import type { Named, RequiresEntry } from '../../skill/contract.ts';
import { findSkillEntry } from '../../skill/contract.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { TextEdit } from '../../text.ts';

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
  const list = findSkillEntry(file.frontmatter.tree.root, 'requires')?.value;
  if (list?.kind !== 'list') return [];
  for (const item of list.items) {
    const node = findValue(item, 'version');
    if (node?.kind === 'scalar' && node.span.start === span.start) return setScalar(file.text, asText(node), range);
  }
  return [];
}

/** A range such as `1` is a number to YAML; what takes its place is a text. */
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

/** The version in canonical form; undefined for what is none. */
export const versionOf = (written: string | undefined): string | undefined => valid(written) ?? undefined;

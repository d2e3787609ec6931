/** Versions: the next ones of the file's own, and ranges around the version of another skill. */
import { inc, valid, validRange } from 'semver';
import { findValue, nodeAt, stringOf } from '../../languages/yaml/node.ts';
import { sliceOf } from '../../text.ts';
import { resolveSummary } from '../../workspace/resolve-skill.ts';
import { Kind, type Proposal } from './proposal.ts';
import { written, type YamlCursor } from './yaml-place.ts';

export function versionProposals({ file: { text }, place }: YamlCursor): Proposal[] {
  const current = sliceOf(text, place.span);
  if (!valid(current)) {
    return ['1.0.0', '0.1.0'].map((label) => ({ label, kind: Kind.Constant }));
  }
  // Matched by the current version, since the next one may begin differently.
  return (['patch', 'minor', 'major'] as const).flatMap((release) => {
    const label = inc(current, release);
    return label ? [{ label, kind: Kind.Constant, detail: `next ${release} version`, filter: current }] : [];
  });
}

/** The ranges that the version of the skill in the same entry of `requires` is in. */
export function rangeProposals(cursor: YamlCursor): Proposal[] {
  const { analysis, file, tree, place } = cursor;
  const skill = stringOf(findValue(nodeAt(tree.root, place.path.slice(0, -1)), 'skill'));
  // Without the file's own ranges, since the one being edited may be invalid.
  const version =
    skill === undefined
      ? undefined
      : resolveSummary(analysis.graph, { ...file.summary, requires: [] }, skill)?.summary.version;
  if (version === undefined || !valid(version)) return [];
  const current = sliceOf(file.text, place.span);
  const filter = current !== '' && validRange(current) !== null ? { filter: current } : {};
  const ranges: readonly (readonly [string, string])[] = [
    [`^${version}`, 'this version and later ones without a breaking change'],
    [`~${version}`, 'this version and later patches'],
    [version, 'this very version'],
    [`>=${version}`, 'this version and all later ones'],
  ];
  return ranges.map(([label, detail]) => ({
    label,
    kind: Kind.Constant,
    detail,
    insert: written(cursor, label),
    ...filter,
  }));
}

import type { Analysis } from '../analysis/analysis.ts';
import type { Fix } from '../finding.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { allows, byVersion, resolveSummary } from '../workspace/resolve-skill.ts';
import type { IndexedSkill } from '../workspace/workspace-index.ts';

import { placeIn, settledSkill, valueAt } from './common/composition-places.ts';
import { byName, type Mention, referencesTo } from './common/mentions.ts';
import { inner } from './common/naming-fixes.ts';
import { requirementsOf, setRange, versionOf } from './common/ranges.ts';
import { stepNames } from './common/steps.ts';
import { fixHere, type Rule, SKILLS } from './rule.ts';

/** A deprecated skill is used: once a name, where it is composed, else where it is first named. */
export const deprecatedSkill: Rule = {
  name: 'deprecated-skill',
  code: 'E018',
  severity: 'warning',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4, "Versions"' },
  dialects: SKILLS,
  *check(file, analysis) {
    const root = settledSkill(analysis, file);
    if (!root) return;
    for (const [name, [first, ...others]] of byName(usesOf(file))) {
      const used = resolveSummary(analysis.graph, root.summary, name);
      if (!used?.summary.deprecated || used.summary.broken || used.uri === file.uri) continue;
      yield {
        span: first.span,
        message: messageOf(analysis, used, name),
        tag: 'deprecated',
        related: [
          ...placeIn(analysis, used, valueAt('deprecated'), `\`${name}\` is deprecated here`),
          ...others.map(({ span }) => ({ uri: file.uri, span, message: `\`${name}\` is named here too` })),
        ],
        fixes: [...moveTo(analysis, file, used, name, [first, ...others]), ...requireNewer(analysis, file, used, name)],
      };
    }
  },
};

/** Every use of a skill; a successor is named, not used. */
function usesOf(file: SkillFile): readonly Mention[] {
  const inFrontmatter = [...file.contract.composes, ...file.contract.requires];
  return [
    ...inFrontmatter.map(({ name, span }) => ({ name, span, nameSpan: span, isReference: false })),
    ...referencesTo(file, 'skill'),
  ];
}

function messageOf(analysis: Analysis, { summary }: IndexedSkill, name: string): string {
  const { version, sunset, successor } = summary;
  const which = version === undefined ? '' : ` ${version}`;
  const end = sunset === undefined ? '' : `, and will be removed on ${sunset}`;
  const newer = newerOf(analysis, name);
  const advice = successor
    ? `Its successor is \`${successor}\`: use that instead.`
    : newer
      ? `${newer.summary.version} is not: require that instead.`
      : 'It names no successor: ask whoever owns it what to use instead.';
  return `\`${name}\`${which} is deprecated${end}. ${advice}`;
}

/** The highest version of the skill that is not deprecated. */
const newerOf = (analysis: Analysis, name: string): IndexedSkill | undefined =>
  [...analysis.skillsNamed(name)]
    .sort(byVersion)
    .find(({ summary }) => !summary.deprecated && !summary.broken && versionOf(summary.version) !== undefined);

/** Moves the ranges that led to a deprecated version to one that is not. */
function requireNewer(analysis: Analysis, file: SkillFile, { summary }: IndexedSkill, name: string): readonly Fix[] {
  const version = versionOf(newerOf(analysis, name)?.summary.version);
  if (summary.successor !== undefined || version === undefined) return [];
  const range = allows(`^${version}`, summary.version) ? version : `^${version}`;
  const edits = requirementsOf(file, name).flatMap((entry) => setRange(file, entry.version, range));
  return edits.length > 0 ? [fixHere(file, `Require \`${range}\``, edits)] : [];
}

/** Names the successor wherever the skill is named: as part, as step, in prose. A range that it is not in follows it. */
function moveTo(
  analysis: Analysis,
  file: SkillFile,
  { summary: { successor } }: IndexedSkill,
  name: string,
  uses: readonly Mention[],
): readonly Fix[] {
  const [target] = successor === undefined ? [] : analysis.skillsNamed(successor);
  if (successor === undefined || !target || target.uri === file.uri) return [];
  if (file.contract.composes.some((entry) => entry.name === successor)) return [];
  // A step is called by the skill's name where the entry gives it no other.
  const isStep = file.contract.composes.some((entry) => entry.name === name && !entry.as);
  const places = [...uses.map(({ nameSpan }) => nameSpan), ...(isStep ? stepNames(file, name) : [])];
  const version = versionOf(target.summary.version);
  const ranges = requirementsOf(file, name).flatMap((entry) =>
    version === undefined || allows(entry.version.name, version) ? [] : setRange(file, entry.version, `^${version}`),
  );
  const edits = places.map((place) => ({ span: inner(file.text, place), newText: successor }));
  return [fixHere(file, `Use \`${successor}\` instead`, [...edits, ...ranges])];
}

import { valid } from 'semver';
import type { Analysis } from '../../analysis/analysis.ts';
import { placeIn, resolvedSkill, valueAt } from '../../analysis/composed-skills.ts';
import { inner } from '../../analysis/name-fixes.ts';
import { requirementsOf, setRange, type Version, versionsOf } from '../../analysis/version-ranges.ts';
import type { Fix } from '../../finding.ts';
import { fixHere, placesHere } from '../../finding.ts';
import { stepNames } from '../../skill/execution/steps.ts';
import { byName, type Mention, usedSkills } from '../../skill/mentions.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { isDate } from '../../vocabulary/formats.ts';
import { allows, preferred, resolveSummary } from '../../workspace/resolve-skill.ts';
import type { IndexedSkill } from '../../workspace/workspace-index.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';

/**
 * Reports a deprecated skill that is used. Each name is reported once, at its entry in `composes` or else at its first
 * mention.
 */
export const deprecatedSkill: Rule = {
  name: 'deprecated-skill',
  number: 'E018',
  severity: 'warning',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4, "Versions"' },
  dialects: SKILLS,
  about: 'composition',
  *check(file, analysis) {
    const root = resolvedSkill(analysis, file);
    if (!root) return;
    for (const [name, [first, ...others]] of byName(usedSkills(file))) {
      const used = resolveSummary(analysis.graph, root, name);
      if (!used?.summary.deprecated || used.summary.broken || used.uri === file.uri) continue;
      yield {
        span: first.span,
        message: messageOf(analysis, used, name),
        tag: 'deprecated',
        related: [
          ...placeIn(analysis, used, valueAt('deprecated'), `\`${name}\` is deprecated here`),
          ...placesHere(file, others, `\`${name}\` is also used here`),
        ],
        fixes: [
          ...useSuccessor(analysis, file, used, name, [first, ...others]),
          ...requireNewer(analysis, file, used, name),
        ],
      };
    }
  },
};

function messageOf(analysis: Analysis, { uri, summary }: IndexedSkill, name: string): string {
  const { version, sunset, successor } = summary;
  const which = version === undefined ? '' : ` ${version}`;
  const end = sunset === undefined ? '' : describeSunset(sunset, analysis.today);
  const newer = newerOf(analysis, name, uri);
  const advice = successor
    ? `Use its successor \`${successor}\` instead.`
    : newer
      ? `Require version \`${newer.skill.summary.version}\` instead.`
      : 'It has no successor: ask its owner for an alternative.';
  return `\`${name}\`${which} is deprecated${end}. ${advice}`;
}

/** Describes the sunset. ISO dates can be compared as strings. */
function describeSunset(sunset: string, today: string | undefined): string {
  if (today === undefined || !isDate(sunset)) return ` (sunset ${sunset})`;
  return sunset < today ? ` and was due to be removed on ${sunset}` : ` and will be removed on ${sunset}`;
}

/** Returns the first version in the order of preference that is not deprecated. */
const newerOf = (analysis: Analysis, name: string, from: string): Version | undefined =>
  versionsOf(analysis, name, from).find(({ skill }) => !skill.summary.deprecated);

/** Offers to change the ranges that resolve to the deprecated version. */
function requireNewer(analysis: Analysis, file: SkillFile, { summary }: IndexedSkill, name: string): readonly Fix[] {
  const version = newerOf(analysis, name, file.uri)?.version;
  if (summary.successor !== undefined || version === undefined) return [];
  const range = allows(`^${version}`, summary.version) ? version : `^${version}`;
  const edits = requirementsOf(file, name).flatMap((entry) => setRange(file, entry.version, range));
  return fixHere(file, `Require \`${range}\``, edits);
}

/**
 * Offers to replace all mentions of the skill with the successor, and to change version ranges that do not allow the
 * successor.
 */
function useSuccessor(
  analysis: Analysis,
  file: SkillFile,
  { summary: { successor } }: IndexedSkill,
  name: string,
  uses: readonly Mention[],
): readonly Fix[] {
  const target = successor === undefined ? undefined : preferred(analysis.skillsNamed(successor, file.uri));
  if (successor === undefined || !target || target.uri === file.uri) return [];
  if (file.contract.composes.some((entry) => entry.name === successor)) return [];
  // A step has the name of the skill unless its entry has `as`.
  const isStep = file.contract.composes.some((entry) => entry.name === name && !entry.as);
  const places = [...uses.map(({ nameSpan }) => nameSpan), ...(isStep ? stepNames(file, name) : [])];
  const version = valid(target.summary.version);
  const ranges = requirementsOf(file, name).flatMap((entry) =>
    version === null || allows(entry.version.name, version) ? [] : setRange(file, entry.version, `^${version}`),
  );
  const edits = places.map((place) => ({ span: inner(file.text, place), newText: successor }));
  return fixHere(file, `Use \`${successor}\` instead`, [...edits, ...ranges]);
}

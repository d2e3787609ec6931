import type { Fix } from '../finding.ts';
import type { SkillDocument } from '../skill/document.ts';
import { allows, byVersion, resolveSummary } from '../workspace/resolve-skill.ts';
import { type IndexedSkill, skillsNamed, type WorkspaceIndex } from '../workspace/workspace-index.ts';
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
  evidence: { kind: 'spec', source: 'composability specification, section 7.3' },
  dialects: SKILLS,
  *check(index, document) {
    const root = settledSkill(index, document);
    if (!root) return;
    for (const [name, [first, ...others]] of byName(usesOf(document))) {
      const used = resolveSummary(index.graph, root.summary, name);
      if (!used?.summary.deprecated || used.summary.broken || used.uri === document.uri) continue;
      yield {
        span: first.span,
        message: messageOf(index, used, name),
        tag: 'deprecated',
        related: [
          ...placeIn(index, used, valueAt('deprecated'), `\`${name}\` is deprecated here`),
          ...others.map(({ span }) => ({ uri: document.uri, span, message: `\`${name}\` is named here too` })),
        ],
        fixes: [
          ...moveTo(index, document, used, name, [first, ...others]),
          ...requireNewer(index, document, used, name),
        ],
      };
    }
  },
};

/** Every use of a skill; a successor is named, not used. */
function usesOf(document: SkillDocument): readonly Mention[] {
  const inFrontmatter = [...document.contract.composes, ...document.contract.requires];
  return [
    ...inFrontmatter.map(({ name, span }) => ({ name, span, nameSpan: span, isReference: false })),
    ...referencesTo(document, 'skill'),
  ];
}

function messageOf(index: WorkspaceIndex, { summary }: IndexedSkill, name: string): string {
  const { version, sunset, successor } = summary;
  const which = version === undefined ? '' : ` ${version}`;
  const end = sunset === undefined ? '' : `, and will be removed on ${sunset}`;
  const newer = newerOf(index, name);
  const advice = successor
    ? `Its successor is \`${successor}\`: use that instead.`
    : newer
      ? `${newer.summary.version} is not: require that instead.`
      : 'It names no successor: ask whoever owns it what to use instead.';
  return `\`${name}\`${which} is deprecated${end}. ${advice}`;
}

/** The highest version of the skill that is not deprecated. */
const newerOf = (index: WorkspaceIndex, name: string): IndexedSkill | undefined =>
  [...skillsNamed(index, name)]
    .sort(byVersion)
    .find(({ summary }) => !summary.deprecated && !summary.broken && versionOf(summary.version) !== undefined);

/** Moves the ranges that led to a deprecated version to one that is not. */
function requireNewer(
  index: WorkspaceIndex,
  document: SkillDocument,
  { summary }: IndexedSkill,
  name: string,
): readonly Fix[] {
  const version = versionOf(newerOf(index, name)?.summary.version);
  if (summary.successor !== undefined || version === undefined) return [];
  const range = allows(`^${version}`, summary.version) ? version : `^${version}`;
  const edits = requirementsOf(document, name).flatMap((entry) => setRange(document, entry.version, range));
  return edits.length > 0 ? [fixHere(document, `Require \`${range}\``, edits)] : [];
}

/** Names the successor wherever the skill is named: as part, as step, in prose. A range that it is not in follows it. */
function moveTo(
  index: WorkspaceIndex,
  document: SkillDocument,
  { summary: { successor } }: IndexedSkill,
  name: string,
  uses: readonly Mention[],
): readonly Fix[] {
  const [target] = successor === undefined ? [] : skillsNamed(index, successor);
  if (successor === undefined || !target || target.uri === document.uri) return [];
  if (document.contract.composes.some((entry) => entry.name === successor)) return [];
  // A step is called by the skill's name where the entry gives it no other.
  const isStep = document.contract.composes.some((entry) => entry.name === name && !entry.as);
  const places = [...uses.map(({ nameSpan }) => nameSpan), ...(isStep ? stepNames(document, name) : [])];
  const version = versionOf(target.summary.version);
  const ranges = requirementsOf(document, name).flatMap((entry) =>
    version === undefined || allows(entry.version.name, version)
      ? []
      : setRange(document, entry.version, `^${version}`),
  );
  const edits = places.map((place) => ({ span: inner(document.text, place), newText: successor }));
  return [fixHere(document, `Use \`${successor}\` instead`, [...edits, ...ranges])];
}

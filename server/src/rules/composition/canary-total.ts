import type { Analysis } from '../../analysis/analysis.ts';
import { placeIn } from '../../analysis/composed-skills.ts';
import type { Fix } from '../../finding.ts';
import { fixHere } from '../../finding.ts';
import { setScalar } from '../../languages/yaml/edit.ts';
import { findValue, listItems } from '../../languages/yaml/node.ts';
import { findSkillEntry, type SurfaceEntry } from '../../skill/contract.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { byVersion, isSameVersion } from '../../workspace/resolve-skill.ts';
import type { IndexedSkill } from '../../workspace/workspace-index.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';

/** Reports canary shares of one skill on one surface that add up to more than 100, at the share that exceeds 100. */
export const canaryTotal: Rule = {
  name: 'canary-total',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4, "Surfaces"' },
  dialects: SKILLS,
  *check(file, analysis) {
    const { name: { name } = {}, surfaces } = file.contract;
    const sharing = surfaces.filter(({ percent }) => percent);
    const own = analysis.graph.skills.get(file.uri);
    if (!own || own.summary.broken || name === undefined || sharing.length === 0) return;
    const versions = analysis.skillsNamed(name, file.uri);
    if (versions.length < 2 || !versions.includes(own)) return;
    for (const entry of sharing) {
      if (!entry.percent) continue;
      const shares = sharesOn(versions, entry.name);
      const total = sum(shares);
      if (total <= LIMIT || shares[exceedingAt(shares)]?.skill !== own) continue;
      const others = shares.filter(({ skill }) => skill !== own);
      yield {
        span: entry.percent.span,
        message: `The shares of \`${name}\` on the surface \`${entry.name}\` add up to ${shown(total)}% (${inWords(shares)}). Lower them to at most 100%.`,
        related: others
          .slice(0, MAX_RELATED)
          .flatMap(({ skill, percent }) => placeOf(analysis, skill, entry.name, percent)),
        fixes: lower(file, entry, LIMIT - sum(others)),
      };
    }
  },
};

/** The largest sum of the shares. The margin is for fractions such as `33.3`, whose sums are not exact. */
const LIMIT = 100 + 1e-9;

const MAX_RELATED = 30;

interface Share {
  readonly skill: IndexedSkill;
  readonly percent: number;
}

/** Returns the shares on a surface, the lowest version first. Counts a version that two files define only once. */
function sharesOn(versions: readonly IndexedSkill[], surface: string): readonly Share[] {
  const sorted = [...versions].sort((a, b) => byVersion(b, a));
  return sorted.flatMap((skill, at) => {
    const percent = skill.summary.surfaces.find(({ name }) => name === surface)?.percent;
    const isRepeated = at > 0 && isSameVersion(sorted[at - 1]?.summary.version, skill.summary.version);
    return percent === undefined || skill.summary.broken || isRepeated ? [] : [{ skill, percent }];
  });
}

const sum = (shares: readonly Share[]): number => shares.reduce((total, { percent }) => total + percent, 0);

/** Returns the index of the first share with which the sum exceeds the limit. */
function exceedingAt(shares: readonly Share[]): number {
  let total = 0;
  return shares.findIndex(({ percent }) => {
    total += percent;
    return total > LIMIT;
  });
}

/** Returns a percentage with at most two decimal places. */
const shown = (percent: number): string => String(Math.round(percent * 100) / 100);

const inWords = (shares: readonly Share[]): string => {
  const words = shares.slice(0, 3).map(({ skill, percent }) => `${shown(percent)}% for ${skill.summary.version}`);
  return [...words, ...(shares.length > 3 ? [`and ${shares.length - 3} more`] : [])].join(', ');
};

const placeOf = (analysis: Analysis, skill: IndexedSkill, surface: string, percent: number) =>
  placeIn(
    analysis,
    skill,
    ({ surfaces }) => surfaces.find(({ name }) => name === surface)?.percent,
    `${skill.summary.version} receives ${shown(percent)}%`,
  );

/** Offers the percentage that the other versions leave. */
function lower(file: SkillFile, { percent }: SurfaceEntry, rest: number): readonly Fix[] {
  const left = Math.floor(rest * 100) / 100;
  const items = listItems(findSkillEntry(file.frontmatter.tree.root, 'surfaces')?.value);
  const node = items
    .map((item) => findValue(item, 'canary_percent'))
    .find((value) => value?.span.start === percent?.span.start);
  if (node?.kind !== 'scalar' || left <= 0) return [];
  return fixHere(file, `Set the share to \`${left}\``, setScalar(file.text, node, left));
}

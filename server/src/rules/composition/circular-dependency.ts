import { composedSkills, nameOf, placeOfEntry, resolvedSkill } from '../../analysis/composed-skills.ts';
import { removeComposedSkill } from '../../analysis/removals.ts';
import type { IndexedSkill } from '../../workspace/workspace-index.ts';
import { draftsOfFlow } from '../data-flow/checks.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';

/** The maximum number of edges that a finding shows for a cycle. */
const MAX_EDGES = 30;

/**
 * An entry in `composes` through which a skill composes itself, directly or indirectly, or whose data form a cycle.
 * Each file in a cycle of skills gets a finding at its own entry.
 */
export const circularDependency: Rule = {
  name: 'circular-dependency',
  number: 'E003',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4' },
  dialects: SKILLS,
  about: 'composition',
  prevents: ['composition'],
  *check(file, analysis) {
    yield* draftsOfFlow(analysis, file, 'circular-dependency');
    const root = resolvedSkill(analysis, file);
    if (!root || root.summary.composes.length === 0) return;
    const wayBack = analysis.graph.waysBackOf(root);
    for (const { skill, entry, named } of composedSkills(analysis, file)) {
      const way = wayBack(skill.uri);
      if (!way) continue;
      const cycle = [root, ...way];
      const composedSkill = file.contract.composes[entry];
      yield {
        span: named.span,
        message: `Circular dependency: ${formatCycle(cycle)}. Remove one of these compositions.`,
        related: cycle.slice(0, -1).flatMap((composer, at) => {
          const next = cycle[at + 1];
          if (!next || at >= MAX_EDGES) return [];
          return placeOfEntry(analysis, composer, next, `\`${nameOf(composer)}\` composes \`${nameOf(next)}\``);
        }),
        fixes: composedSkill
          ? removeComposedSkill(file, composedSkill, `Remove \`${named.name}\` from \`composes\``)
          : [],
      };
    }
  },
};

/** Formats the names of a cycle as a path. */
function formatCycle(cycle: readonly IndexedSkill[]): string {
  const names = cycle.map((skill) => `\`${nameOf(skill)}\``);
  const shown =
    names.length > MAX_EDGES ? [...names.slice(0, 5), `… ${names.length - 7} more …`, ...names.slice(-2)] : names;
  return shown.join(' → ');
}

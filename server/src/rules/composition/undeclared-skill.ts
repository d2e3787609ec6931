import type { Analysis } from '../../analysis/analysis.ts';
import { declaresLevel } from '../../analysis/composed-skills.ts';
import { declareIn } from '../../analysis/name-fixes.ts';
import type { Fix } from '../../finding.ts';
import { fixHere, placesHere } from '../../finding.ts';
import { nearestNames } from '../../nearest.ts';
import { findSkillEntry } from '../../skill/contract.ts';
import { insertKey } from '../../skill/insert-key.ts';
import { byName, type Mention, referencesTo } from '../../skill/mentions.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { levelsOf } from '../../workspace/order.ts';
import { resolveSummary } from '../../workspace/resolve-skill.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';

/** Reports a known skill that the body names but the contract does not compose. */
export const undeclaredSkill: Rule = {
  name: 'undeclared-skill',
  severity: 'hint',
  evidence: { kind: 'spec', source: 'docs/format.md, section 5, "References"' },
  dialects: SKILLS,
  *check(file, analysis) {
    const references = byName(referencesTo(file, 'skill'));
    if (references.size === 0 || analysis.partial) return;
    const composed = new Set(file.contract.composes.map(({ name }) => name));
    // A composed name that is similar to `name` is a misspelling, which `skill-not-found` reports.
    const misspelt = [...composed].filter((name) => !analysis.isSkillName(name)).slice(0, MAX_MISSPELT);
    for (const [name, mentions] of references) {
      if (composed.has(name) || name === file.contract.name?.name || !analysis.isSkillName(name)) continue;
      if (misspelt.some((wrong) => nearestNames(wrong, [name]).length > 0)) continue;
      // A skill cannot compose a skill that composes it, so the text only mentions the named skill.
      if (composesBack(analysis, file, name)) continue;
      const [first, ...others] = mentions;
      yield {
        span: first.span,
        message: `\`${name}\` is not in \`composes\`, so it does not run with this skill. Add it, or write its name without \`#skill:\`.`,
        related: placesHere(file, others, `\`${name}\` is also used here`),
        fixes: [...composing(analysis, file, name), ...nameAlone(file, mentions)],
      };
    }
  },
};

/** The largest number of unknown names that are compared with each name in the body. */
const MAX_MISSPELT = 100;

function composesBack({ graph }: Analysis, file: SkillFile, name: string): boolean {
  const skill = resolveSummary(graph, file, name);
  return skill !== undefined && graph.closureOf(skill).some((part) => part.uri === file.uri);
}

/**
 * Returns the fix that adds a skill to `composes`, and the level of the new composite. A skill without outputs, or of a
 * lower level, cannot compose the other one.
 */
function composing({ graph }: Analysis, file: SkillFile, name: string): readonly Fix[] {
  const skill = resolveSummary(graph, file, name);
  const needed = Math.max(2, 1 + ((skill && levelsOf(graph, skill).get(skill.uri)) ?? 1));
  const { level = needed, composes } = file.contract;
  if (!findSkillEntry(file.frontmatter.tree.root, 'output_schema') || needed > 3 || level < needed) return [];
  const added = declaresLevel(file) || composes.length > 0 ? [] : insertKey(file, 'level', String(needed));
  return declareIn(file, 'composes', name, `Add \`${name}\` to \`composes\``).map((fix) => ({
    ...fix,
    edits: fix.edits.map(({ uri, edits }) => ({ uri, edits: [...added, ...edits] })),
  }));
}

const nameAlone = (file: SkillFile, mentions: readonly Mention[]): Fix[] =>
  fixHere(
    file,
    'Write the name without `#skill:`',
    mentions.map(({ span, name }) => ({ span, newText: name })),
  );

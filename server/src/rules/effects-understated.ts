import type { Fix } from '../finding.ts';
import { appendItem, formatJson, formatScalar } from '../languages/yaml/edit.ts';
import { findSkillEntry } from '../skill/contract.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { effectiveContract } from '../workspace/effective-contract.ts';
import { listedUpTo, nameOf, placeIn, resolvedSkill } from './common/composed-skills.ts';
import { fixHere, type Rule, SKILLS } from './rule.ts';

/**
 * A composite that declares fewer effects than its composed skills have. If a composite declares no effects, they are
 * inferred.
 */
export const effectsUnderstated: Rule = {
  name: 'effects-understated',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4, "Effects and operation"' },
  dialects: SKILLS,
  about: 'composition',
  *check(file, analysis) {
    const root = resolvedSkill(analysis, file);
    const declared = findSkillEntry(file.frontmatter.tree.root, 'effects')?.value;
    if (!root || root.summary.composes.length === 0 || declared?.kind !== 'list') return;
    const own = new Set(root.summary.effects);
    const known = analysis.catalogOf(file.uri).effects;
    const { effects } = effectiveContract(analysis.graph.closureOf(root), analysis.operationOfTool);
    // Unknown effects are reported in the file that declares them.
    const missing = [...effects].filter(([effect]) => !own.has(effect) && known.has(effect));
    if (missing.length === 0) return;
    const listed = missing.map(([effect, skill]) => `\`${effect}\` (from \`${nameOf(skill)}\`)`);
    yield {
      span: declared.span,
      message: `\`effects\` does not list ${listedUpTo(listed)}. Add ${missing.length === 1 ? 'it' : 'them'}, or remove \`effects\` to have all effects inferred.`,
      related: missing.flatMap(([effect, skill]) =>
        placeIn(
          analysis,
          skill,
          (contract) => contract.effects.find(({ name }) => name === effect),
          `\`${nameOf(skill)}\` has the effect \`${effect}\``,
        ),
      ),
      fixes: addEffects(
        file,
        missing.map(([effect]) => effect),
      ),
    };
  },
};

function addEffects(file: SkillFile, effects: readonly string[]): readonly Fix[] {
  const { root } = file.frontmatter.tree;
  const list = findSkillEntry(root, 'effects')?.value;
  if (root?.kind !== 'map' || list?.kind !== 'list') return [];
  const edits =
    list.items.length === 0
      ? [{ span: list.span, newText: formatJson(effects) }]
      : effects.flatMap((effect) => appendItem(file.text, root, 'effects', formatScalar(effect, true)));
  const names = listedUpTo(effects.map((effect) => `\`${effect}\``));
  return fixHere(file, `Add ${names}`, edits);
}

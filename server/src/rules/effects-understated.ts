import type { Fix } from '../finding.ts';
import { appendItem, formatJson, formatScalar } from '../languages/yaml/edit.ts';
import { findSkillEntry } from '../skill/contract.ts';
import type { SkillDocument } from '../skill/document.ts';
import { closureOf } from '../workspace/composing.ts';
import { effectiveContract } from '../workspace/effective-contract.ts';
import { catalogOf } from '../workspace/workspace-index.ts';
import { listed, nameOf, placeIn, settledSkill } from './common/composition-places.ts';
import { fixHere, type Rule, SKILLS } from './rule.ts';

/** Effects only add up: a composite has at least those of its parts. Who declares none leaves them to be inferred. */
export const effectsUnderstated: Rule = {
  name: 'effects-understated',
  code: 'effects-understated',
  severity: 'error',
  evidence: { kind: 'spec', source: 'composability specification, section 5.1' },
  dialects: SKILLS,
  readsHeadOnly: true,
  *check(index, document) {
    const root = settledSkill(index, document);
    const declared = findSkillEntry(document.frontmatter.tree.root, 'effects')?.value;
    if (!root || root.summary.composes.length === 0 || declared?.kind !== 'list') return;
    const own = new Set(root.summary.effects);
    const known = catalogOf(index, document.uri).effects;
    const { effects } = effectiveContract(closureOf(index.graph, root));
    // An effect that nobody knows is a mistake in the file that declares it.
    const missing = [...effects].filter(([effect]) => !own.has(effect) && known.has(effect));
    if (missing.length === 0) return;
    const told = missing.map(([effect, skill]) => `\`${effect}\` (from \`${nameOf(skill)}\`)`);
    yield {
      span: declared.span,
      message: `A composite has every effect that its parts have, but ${listed(told)} ${missing.length === 1 ? 'is' : 'are'} not declared here. Add ${missing.length === 1 ? 'it' : 'them'}, or leave \`effects\` out to have them inferred.`,
      related: missing.flatMap(([effect, skill]) =>
        placeIn(
          index,
          skill,
          (contract) => contract.effects.find(({ name }) => name === effect),
          `\`${nameOf(skill)}\` has the effect \`${effect}\``,
        ),
      ),
      fixes: addEffects(
        document,
        missing.map(([effect]) => effect),
      ),
    };
  },
};

function addEffects(document: SkillDocument, effects: readonly string[]): readonly Fix[] {
  const { root } = document.frontmatter.tree;
  const list = findSkillEntry(root, 'effects')?.value;
  if (root?.kind !== 'map' || list?.kind !== 'list') return [];
  const edits =
    list.items.length === 0
      ? [{ span: list.span, newText: formatJson(effects) }]
      : effects.flatMap((effect) => appendItem(document.text, root, 'effects', formatScalar(effect, true)));
  const names = listed(effects.map((effect) => `\`${effect}\``));
  return edits.length > 0 ? [fixHere(document, `Add ${names}`, edits)] : [];
}

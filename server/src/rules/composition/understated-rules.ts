/** Rules about an operation or effects that are weaker than those of the tools and composed skills of a skill. */
import type { Analysis } from '../../analysis/analysis.ts';
import { listedUpTo, nameOf, placeIn, resolvedSkill } from '../../analysis/composed-skills.ts';
import type { Fix, RelatedLocation } from '../../finding.ts';
import { fixHere } from '../../finding.ts';
import { appendItem, formatJson, formatScalar, setScalar } from '../../languages/yaml/edit.ts';
import { findValue } from '../../languages/yaml/node.ts';
import { findSkillEntry } from '../../skill/contract.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { effectiveContract, operationRank, strongestOperation } from '../../workspace/effective-contract.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';

/**
 * Reports a skill with a weaker operation than one of its tools or a skill that it composes. An operation that is not
 * declared is inferred.
 */
export const operationUnderstated: Rule = {
  name: 'operation-understated',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4, "Effects and operation"' },
  dialects: SKILLS,
  about: 'composition',
  *check(file, analysis) {
    const root = resolvedSkill(analysis, file);
    const node = findValue(file.frontmatter.tree.root, 'operation');
    const own = root?.summary.operation;
    if (!root || node?.kind !== 'scalar') return;
    // `invalid-value` reports a word that is not a known operation.
    if (own === undefined || operationRank(own) < 0) return;
    const strongest = strongestOperation([root, ...analysis.graph.closureOf(root)], analysis.operationOfTool);
    if (!strongest || operationRank(strongest.name) <= operationRank(own)) return;
    const { name, by, tool } = strongest;
    const source = by === root ? `the tool \`${tool}\`` : `the composed skill \`${nameOf(by)}\``;
    yield {
      span: node.span,
      message: `\`operation\` is \`${own}\`, but ${source} is \`${name}\`. Write \`${name}\`, or remove the key to have it inferred.`,
      related: tool === undefined ? placeOfOperation(analysis, strongest) : placesOfTool(analysis, strongest, tool),
      fixes: fixHere(file, `Raise the operation to \`${name}\``, setScalar(file.text, node, name)),
    };
  },
};

type Strongest = NonNullable<ReturnType<typeof strongestOperation>>;

const placeOfOperation = (analysis: Analysis, { by, name }: Strongest): RelatedLocation[] =>
  placeIn(analysis, by, (contract) => contract.operation, `\`${nameOf(by)}\` is \`${name}\``);

/** Returns the location of a tool in `tools`, and in the catalog. */
function placesOfTool(analysis: Analysis, { by, name }: Strongest, tool: string): RelatedLocation[] {
  const message = `The tool \`${tool}\` is \`${name}\``;
  const declared = analysis.parsedCatalogOf(by.uri).tools.get(tool);
  return [
    ...placeIn(analysis, by, ({ tools }) => tools.find((one) => one.name === tool), message),
    ...(declared?.uri && declared.span ? [{ uri: declared.uri, span: declared.span, message }] : []),
  ];
}

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

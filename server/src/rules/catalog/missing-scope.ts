import type { Analysis } from '../../analysis/analysis.ts';
import { composedSkills, nameOf, placeIn, resolvedSkill } from '../../analysis/composed-skills.ts';
import { declareIn } from '../../analysis/name-fixes.ts';
import type { RelatedLocation } from '../../finding.ts';
import { nearestNames } from '../../nearest.ts';
import { groupBy } from '../../skill/mentions.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Span } from '../../text.ts';
import { effectiveContract } from '../../workspace/effective-contract.ts';
import type { IndexedSkill } from '../../workspace/workspace-index.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';

/** The largest number of unknown scopes that are compared with each needed scope. */
const MAX_MISSPELT = 100;

/**
 * Reports each scope that a tool or a composed skill needs and `required_scopes` does not list. The finding is at the
 * first tool or skill that needs the scope.
 */
export const missingScope: Rule = {
  name: 'missing-scope',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, sections 4 and 6' },
  dialects: SKILLS,
  *check(file, analysis) {
    const { scopes: known } = analysis.parsedCatalogOf(file.uri);
    const required = new Set(file.contract.requiredScopes.map(({ name }) => name));
    const misspelt = known ? [...required].filter((name) => !known.has(name)).slice(0, MAX_MISSPELT) : [];
    // An unknown scope is reported in the file that names it. `unknown-scope` reports a misspelling of this scope.
    const isMissing = (scope: string) =>
      !required.has(scope) &&
      known?.has(scope) !== false &&
      !misspelt.some((wrong) => nearestNames(wrong, [scope]).length > 0);
    const needs = [...needsOfTools(analysis, file), ...needsOfParts(analysis, file, isMissing)];
    for (const [scope, [first, ...others]] of groupBy(needs, (need) => need.scope)) {
      if (!isMissing(scope)) continue;
      yield {
        span: first.span,
        message: `\`${first.name}\` needs the scope \`${scope}\`, which \`required_scopes\` does not list, so a caller may lack it. Add it.`,
        related: [
          ...first.source,
          ...others.flatMap(({ name, span, source }) => [
            { uri: file.uri, span, message: `\`${name}\` also needs it` },
            ...source,
          ]),
        ],
        fixes: declareIn(file, 'required_scopes', scope, `Add \`${scope}\` to \`required_scopes\``),
      };
    }
  },
};

interface Need {
  readonly scope: string;
  /** The tool or the composed skill. */
  readonly name: string;
  readonly span: Span;
  /** The location of the requirement, if a composed skill in another file requires the scope. */
  readonly source: readonly RelatedLocation[];
}

/** Returns the scopes that the tools need, without those of optional tools, which may be absent. */
const needsOfTools = (analysis: Analysis, file: SkillFile): readonly Need[] =>
  file.contract.tools
    .filter(({ optional }) => !optional)
    .flatMap(({ name, span }) => scopesOf(analysis, file, name).map((scope) => ({ scope, name, span, source: [] })));

function scopesOf(analysis: Analysis, file: SkillFile, tool: string): readonly string[] {
  const declared = analysis.parsedCatalogOf(file.uri).tools.get(tool);
  if (declared) return declared.scopes;
  const backed = analysis.graph.tools.has(tool) ? analysis.skillsNamed(tool, file.uri) : [];
  return backed.find(({ summary }) => summary.isTool)?.summary.requiredScopes ?? [];
}

/**
 * Returns the scopes that composed skills need, directly or indirectly, each scope with the first skill that needs the
 * scope.
 */
function* needsOfParts(analysis: Analysis, file: SkillFile, isMissing: (scope: string) => boolean): Iterable<Need> {
  const root = resolvedSkill(analysis, file);
  if (!root || root.summary.composes.length === 0) return;
  const { scopes } = effectiveContract(analysis.graph.closureOf(root), analysis.operationOfTool);
  for (const [scope, by] of scopes) {
    const entry = isMissing(scope) ? entryBringing(analysis, file, by) : undefined;
    if (!entry) continue;
    const message = `\`${nameOf(by)}\` requires \`${scope}\``;
    const source = placeIn(
      analysis,
      by,
      ({ requiredScopes }) => requiredScopes.find(({ name }) => name === scope),
      message,
    );
    yield { scope, ...entry, source };
  }
}

/** Returns the entry of `composes` that composes a skill, directly or indirectly. */
const entryBringing = (analysis: Analysis, file: SkillFile, { uri }: IndexedSkill) =>
  composedSkills(analysis, file).find(
    ({ skill }) => skill.uri === uri || analysis.graph.closureOf(skill).some((deep) => deep.uri === uri),
  )?.named;

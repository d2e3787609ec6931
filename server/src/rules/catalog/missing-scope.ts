import type { Analysis } from '../../analysis/analysis.ts';
import { nameOf, placeIn, reachedSkills } from '../../analysis/composed-skills.ts';
import { declareIn } from '../../analysis/name-fixes.ts';
import type { RelatedLocation } from '../../finding.ts';
import { nearestNames } from '../../nearest.ts';
import type { SkillContract } from '../../skill/contract.ts';
import { groupBy } from '../../skill/mentions.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Span } from '../../text.ts';
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
  return analysis.parsedCatalogOf(file.uri).tools.get(tool)?.scopes ?? [];
}

/** Returns the scopes that composed skills need, directly or indirectly, each with the first skill that needs it. */
function* needsOfParts(analysis: Analysis, file: SkillFile, isMissing: (scope: string) => boolean): Iterable<Need> {
  const seen = new Set<string>();
  for (const { skill, named } of reachedSkills(analysis, file)) {
    for (const scope of skill.summary.requiredScopes) {
      if (seen.has(scope) || !isMissing(scope)) continue;
      seen.add(scope);
      const message = `\`${nameOf(skill)}\` requires \`${scope}\``;
      const pick = ({ requiredScopes }: SkillContract) => requiredScopes.find(({ name }) => name === scope);
      yield { scope, ...named, source: placeIn(analysis, skill, pick, message) };
    }
  }
}

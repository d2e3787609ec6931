import type { Analysis } from '../../analysis/analysis.ts';
import { mayOverlap } from '../../analysis/replaced-by.ts';
import type { RelatedLocation } from '../../finding.ts';
import { formatNumber } from '../../format-amounts.ts';
import { OVERLAP_THRESHOLD, shownSimilarity } from '../../matching/overlap-index.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { nameFromUri } from '../../vocabulary/dialect.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';

/** The largest number of related locations in one finding. */
const MAX_PLACES = 5;

/** Reports a skill whose description is similar to that of another skill. */
export const overlappingSkills: Rule = {
  name: 'overlapping-skills',
  severity: 'off',
  evidence: { kind: 'heuristic', source: 'docs/registry.md, "Overlap"' },
  dialects: [...SKILLS, 'agent-skill'],
  isDecided: (_, analysis) => !analysis.partial,
  *check(file, analysis) {
    const { description } = file.contract;
    if (!description || analysis.partial) return;
    const partners = partnersOf(analysis, file);
    const [first] = partners;
    if (!first) return;
    const words = first.shared.map((word) => `“${word}”`).join(', ');
    const more = partners.length > 1 ? ` and ${formatNumber(partners.length - 1)} more` : '';
    yield {
      span: description.span,
      message: `This description is similar to that of \`${first.name}\`${more} (similarity ${figure(first.similarity)}, limit ${figure(OVERLAP_THRESHOLD)}; shared words: ${words}). Describe the difference, or merge the skills into one with a parameter.`,
      related: partners.slice(0, MAX_PLACES).flatMap(({ uri, name, similarity }): RelatedLocation[] => {
        const place = analysis.file(uri)?.contract.description;
        const message = `\`${name}\` has a similar description (${figure(similarity)})`;
        return place ? [{ uri, span: place.span, message }] : [];
      }),
    };
  },
};

interface Partner {
  readonly uri: string;
  readonly name: string;
  readonly similarity: number;
  readonly shared: readonly string[];
}

function partnersOf(analysis: Analysis, { uri }: SkillFile): readonly Partner[] {
  const { skills } = analysis.graph;
  const own = skills.get(uri);
  if (!own) return [];
  return analysis.overlap
    .similarTo(uri, OVERLAP_THRESHOLD)
    .flatMap(({ ids, similarity, shared }) =>
      ids.flatMap((other): readonly Partner[] => {
        const skill = skills.get(other);
        if (!skill || !mayOverlap(analysis, own, skill)) return [];
        return [{ uri: other, name: skill.summary.name ?? nameFromUri(other), similarity, shared }];
      }),
    )
    .sort((a, b) => b.similarity - a.similarity || (a.uri < b.uri ? -1 : 1));
}

const figure = (similarity: number): string => shownSimilarity(similarity).toFixed(2);

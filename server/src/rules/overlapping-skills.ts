import { grouped } from '../amounts.ts';
import type { Analysis } from '../analysis/analysis.ts';
import { mayOverlap } from '../analysis/replaced-by.ts';
import type { RelatedPlace } from '../finding.ts';
import { OVERLAP_THRESHOLD, shownSimilarity } from '../matching/overlap-index.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { nameFromUri } from '../vocabulary/dialect.ts';
import { type Rule, SKILLS } from './rule.ts';

/** More places of one finding are not listed. */
const MAX_PLACES = 5;

/** Two skills whose descriptions say nearly the same; reported at both. */
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
    const others = partners.length > 1 ? ` ${grouped(partners.length - 1)} more overlap with it, too.` : '';
    yield {
      span: description.span,
      message: `Says nearly the same as \`${first.name}\` (similarity ${figure(first.similarity)}, the threshold is ${figure(OVERLAP_THRESHOLD)}) by the words ${words}, so a planner can hardly tell them apart. Is this a new capability, or a parameter of an existing skill?${others}`,
      related: partners.slice(0, MAX_PLACES).flatMap(({ uri, name, similarity }): RelatedPlace[] => {
        const place = analysis.file(uri)?.contract.description;
        const message = `\`${name}\` says nearly the same (${figure(similarity)})`;
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

import { overListings } from '../../analysis/targets.ts';
import { heaviestSkills, type ListEntry } from '../../clients/matrix/budget.ts';
import { listText } from '../../clients/matrix/limit-text.ts';
import { findEntry, findValue, mapEntries } from '../../languages/yaml/node.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { missingKeySpan } from '../../skill/skill-file.ts';
import { type Span, span } from '../../text.ts';
import type { Rule } from '../engine/rule.ts';
import { ABOUT_CLIENTS } from './client-findings.ts';

/**
 * Reports lists of skills that exceed a client's limit. The finding is in the catalog or, if there is no catalog, at
 * the longest description.
 */
export const listingOverBudget: Rule = {
  name: 'listing-over-budget',
  severity: 'warning',
  ...ABOUT_CLIENTS,
  dialects: ['agent-skill', 'catalog'],
  *check(file, analysis) {
    if (analysis.partial) return;
    const catalog = analysis.findCatalog(file.uri);
    if (catalog && catalog.uri !== file.uri) return;
    if (!catalog && analysis.listings.longestBeside(file.uri) !== file.uri) return;
    const over = overListings(analysis, file.uri);
    const [first] = over;
    if (!first) return;
    const heaviest = heaviestSkills(first.entries).slice(0, 3);
    yield {
      shortens: 'list',
      measure: { of: 'share', amount: Math.max(...over.map(({ used, limit }) => used / Math.max(1, limit.amount))) },
      span: catalog ? placeInCatalog(file) : placeInSkill(file),
      message: `${over.map(listText).join(' ')} Shorten the longest ${heaviest.length === 1 ? 'description' : 'descriptions'} (${named(heaviest)}), or remove skills.`,
    };
  },
};

const named = (skills: readonly ListEntry[]): string => skills.map(({ name }) => `\`${name}\``).join(', ');

function placeInCatalog({ frontmatter: { tree } }: SkillFile): Span {
  const entry = findEntry(tree.root, 'agent_skills') ?? mapEntries(tree.root)[0];
  return entry?.key.span ?? span(0, 0);
}

function placeInSkill(file: SkillFile): Span {
  return findValue(file.frontmatter.tree.root, 'description')?.span ?? missingKeySpan(file);
}

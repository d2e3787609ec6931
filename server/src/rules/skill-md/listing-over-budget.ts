import type { ListEntry, Listing } from '../../agent-skills/budget.ts';
import { inBrackets, limitBasis } from '../../agent-skills/limit-text.ts';
import { overListings } from '../../analysis/targets.ts';
import { formatNumber } from '../../format-amounts.ts';
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
    const heaviest = first.entries.heaviest.slice(0, 3);
    yield {
      shortens: 'list',
      measure: { of: 'share', amount: Math.max(...over.map(({ used, limit }) => used / Math.max(1, limit.amount))) },
      span: catalog ? placeInCatalog(file) : placeInSkill(file),
      message: `${over.map(sentence).join(' ')} Shorten the longest ${heaviest.length === 1 ? 'description' : 'descriptions'} (${named(heaviest)}), or remove skills.`,
    };
  },
};

function sentence(listing: Listing): string {
  const { client, entries, used, limit } = listing;
  const { inOrder: skills } = entries;
  const size = `The list of ${skills.length} ${skills.length === 1 ? 'skill' : 'skills'} has ${formatNumber(used)} ${limit.unit}`;
  const most = `the limit of ${client.name} is ${formatNumber(limit.amount)}${inBrackets(limitBasis(listing))}`;
  return `${size}; ${most}, so it ${lossOf(listing)}.`;
}

function lossOf({ client, entries, limit, dropped, outcomeOf, shortenedTo }: Listing): string {
  if (shortenedTo !== undefined) return `cuts descriptions to about ${formatNumber(shortenedTo)} ${limit.unit}`;
  switch (client.listing.overflow.value) {
    case 'first-lines': {
      const cut = entries.inOrder.filter((entry) => outcomeOf(entry) === 'first-line').length;
      return `keeps only the first line of ${formatNumber(cut)} of their descriptions`;
    }
    case 'stops':
      return `omits at least ${formatNumber(dropped)} of them`;
    default:
      return `omits the descriptions of at least ${formatNumber(dropped)} of them`;
  }
}

const named = (skills: readonly ListEntry[]): string => skills.map(({ name }) => `\`${name}\``).join(', ');

function placeInCatalog({ frontmatter: { tree } }: SkillFile): Span {
  const entry = findEntry(tree.root, 'agent_skills') ?? mapEntries(tree.root)[0];
  return entry?.key.span ?? span(0, 0);
}

function placeInSkill(file: SkillFile): Span {
  return findValue(file.frontmatter.tree.root, 'description')?.span ?? missingKeySpan(file);
}

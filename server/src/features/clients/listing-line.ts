/** The line of a list that a model sees of a skill before it chooses one, cut as the client cuts it. */
import { nameFor } from '../../agent-skills/duplicates.ts';
import type { Fate, Listing } from '../../agent-skills/listing.ts';
import { subjectOf } from '../../agent-skills/subject.ts';
import { findValue, stringOf } from '../../languages/yaml/node.ts';
import { spanBehind } from '../../languages/yaml/source-spans.ts';
import type { ListingLine } from '../../protocol/clients-view.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Span } from '../../text.ts';
import type { Client } from '../../vocabulary/client.ts';
import { aboutTokens } from '../about-tokens.ts';

export function listingLine(
  file: SkillFile,
  client: Client,
  listing: Listing | undefined,
  fate: Fate | undefined,
): ListingLine | undefined {
  const { agentSkill } = file.summary;
  if (!agentSkill || fate === 'dropped') return undefined;
  const { root } = file.frontmatter.tree;
  const { format } = client.listing;
  const parts = ['description', ...(client.limits.description?.value.with ?? [])];
  const written = parts.flatMap((key) => stringOf(findValue(root, key))?.trim() || []);
  const whole = written.join(' ');
  const kept = fate === 'name-only' ? 0 : Math.min(shownBy(client), shortenedTo(client, listing, fate));
  const characters = [...whole];
  const isCut = characters.length > kept;
  const description = isCut ? `${characters.slice(0, kept).join('')}${kept > 0 ? '…' : ''}` : whole;
  const hidden = isCut ? hiddenPart(file, kept) : undefined;
  const values = new Map([
    ['name', nameFor(client, subjectOf(file.uri, agentSkill))],
    ['description', description],
    ['path', 'SKILL.md'],
  ]);
  const line = format.line ?? '{name}: {description}';
  const text = line.replace(/\{(\w+)\}/g, (_, key: string) => values.get(key) ?? '');
  return {
    text,
    tokens: aboutTokens(text),
    ...(hidden && { hidden: { uri: file.uri, span: hidden } }),
  };
}

/** How many characters of a description the list shows. */
function shownBy({ limits, outcomes }: Client): number {
  const { listing, max } = limits.description?.value ?? {};
  const isCut = outcomes.description_too_long?.value === 'truncated';
  return listing ?? (isCut ? max : undefined) ?? Infinity;
}

function shortenedTo({ listing: { budget } }: Client, listing: Listing | undefined, fate: Fate | undefined): number {
  if (fate !== 'shortened' || listing?.shortenedTo === undefined) return Infinity;
  const each =
    listing.limit.unit === 'tokens' && budget.value !== 'unknown' ? (budget.value?.charactersPerToken ?? 1) : 1;
  return listing.shortenedTo * each;
}

function hiddenPart({ text, frontmatter }: SkillFile, kept: number): Span | undefined {
  const value = findValue(frontmatter.tree.root, 'description');
  return value?.kind === 'scalar' ? spanBehind(text, value, kept) : undefined;
}

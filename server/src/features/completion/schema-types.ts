/** The types of the schema shorthand. */

import { shorthandTypes } from '../../languages/schema/schema.ts';
import { ours } from '../markdown.ts';
import { Kind, type Proposal, Rank } from './proposal.ts';
import { written, type YamlCursor } from './yaml-place.ts';

/** The types plain, as lists and optional, then enumerations and maps. */
export function types(cursor: YamlCursor): Proposal[] {
  const variants = shorthandTypes.slice(0, 5);
  const type = (label: string, rank: Rank, words: Pick<Proposal, 'detail' | 'docs'>): Proposal => ({
    label,
    kind: Kind.TypeParameter,
    insert: written(cursor, label),
    rank,
    ...words,
  });
  return [
    ...shorthandTypes.map(({ name, docs }) => type(name, Rank.near, { docs: ours(docs) })),
    ...variants.map(({ name }) => type(`${name}[]`, Rank.known, { detail: `list of ${name}` })),
    ...variants.map(({ name }) => type(`${name}?`, Rank.rest, { detail: `${name}, optional` })),
    ...(cursor.quote === '' ? SNIPPETS : []),
  ];
}

const snippet = (label: string, detail: string, insert: string): Proposal => ({
  label,
  kind: Kind.Snippet,
  detail,
  insert,
  isSnippet: true,
  rank: Rank.snippet,
});

const SNIPPETS: readonly Proposal[] = [
  snippet('[…]', 'one of fixed values', '[$1]'),
  snippet('{type: …}', 'a type with bounds or a default', '{type: $1}'),
];

/** The types of the shorthand. */
import { shorthandTypes } from '../../languages/schema/schema.ts';
import { Kind, type Proposal } from './proposal.ts';
import { written, type YamlCursor } from './yaml-place.ts';

/** The types of the shorthand, plain, then as lists, then optional; and what is no word. */
export function types(cursor: YamlCursor): Proposal[] {
  const variants = shorthandTypes.slice(0, 5);
  const write = (label: string): Pick<Proposal, 'label' | 'insert'> => ({ label, insert: written(cursor, label) });
  return [
    ...shorthandTypes.map(({ name, docs }) => ({ kind: Kind.TypeParameter, docs, rank: 3, ...write(name) })),
    ...variants.map(({ name }) => ({
      kind: Kind.TypeParameter,
      ...write(`${name}[]`),
      detail: `list of ${name}`,
      rank: 4,
    })),
    ...variants.map(({ name }) => ({
      kind: Kind.TypeParameter,
      ...write(`${name}?`),
      detail: `${name}, optional`,
      rank: 5,
    })),
    ...(cursor.quote === ''
      ? [
          { label: '[…]', kind: Kind.Snippet, detail: 'one of fixed values', insert: '[$1]', isSnippet: true, rank: 6 },
          {
            label: '{type: …}',
            kind: Kind.Snippet,
            detail: 'a type with bounds or a default',
            insert: '{type: $1}',
            isSnippet: true,
            rank: 6,
          },
        ]
      : []),
  ];
}

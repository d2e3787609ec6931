/** Completion of the names of rules: in the catalog, and in the comment that suppresses a rule on the next line. */
import { rules } from '../../rules/engine/index.ts';
import { lineStart, span } from '../../text.ts';
import { isJsonDialect } from '../../vocabulary/dialect.ts';
import { snippetsFor } from '../../vocabulary/snippets.ts';
import { type Cursor, Kind, type Offer, type Proposal } from './proposal.ts';
import { keyInsert } from './schema-words.ts';
import { snippetProposal } from './snippets.ts';
import type { YamlCursor } from './yaml-place.ts';

const DIRECTIVE = 'skill-disable-next-line';

const COMMENT = new RegExp(
  `^[ \\t]*(?:#|<!--)[ \\t]*(?:([a-z][\\w-]*)|${DIRECTIVE}[ \\t]+(?:[\\w-]+[ \\t,]+)*([\\w-]*))$`,
);

/** The maximum length of a line that is read, in UTF-16 code units. */
const MAX_LENGTH = 400;

export function offerSuppression({ file: { text, dialect }, offset }: Cursor): Offer | undefined {
  if (isJsonDialect(dialect)) return undefined;
  const start = lineStart(text, offset);
  const match = offset - start > MAX_LENGTH ? null : COMMENT.exec(text.slice(start, offset));
  if (!match) return undefined;
  const [, word, rule] = match;
  if (word !== undefined) {
    const proposals = snippetsFor('comment').map((snippet) => ({ ...snippetProposal(snippet), opensNext: true }));
    return DIRECTIVE.startsWith(word) ? { span: span(offset - word.length, offset), proposals } : undefined;
  }
  const suppressible = rules.filter(
    ({ isSuppressible, dialects }) => isSuppressible !== false && dialects.includes(dialect),
  );
  return {
    span: span(offset - (rule ?? '').length, offset),
    proposals: suppressible.map(({ name }) => ({ label: name, kind: Kind.EnumMember })),
  };
}

/** Offers the rules that the key `rules` of the catalog does not set yet. */
export const ruleProposals = (cursor: YamlCursor): Proposal[] =>
  rules
    .filter(({ name }) => !cursor.place.siblings.includes(name))
    .map(({ name, severity }) => ({
      label: name,
      kind: Kind.Property,
      detail: `default: ${severity}`,
      ...keyInsert(cursor, name, 'value'),
    }));

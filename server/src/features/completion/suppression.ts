/** Completion of the directive that suppresses a rule on the next line, and of the rule names after the directive. */
import { rules } from '../../rules/engine/index.ts';
import { lineStart, span } from '../../text.ts';
import { isJsonDialect } from '../../vocabulary/dialect.ts';
import { snippetsFor } from '../../vocabulary/snippets.ts';
import { type Cursor, Kind, type Offer } from './proposal.ts';
import { snippetProposal } from './snippets.ts';

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
  const suppressible = rules.filter(({ isSuppressible }) => isSuppressible !== false);
  return {
    span: span(offset - (rule ?? '').length, offset),
    proposals: suppressible.map(({ name }) => ({ label: name, kind: Kind.EnumMember })),
  };
}

/** A cursor in a PromptTemplate. */
import { expectAt } from '../../skill/template/cursor.ts';
import { parseTemplate } from '../../skill/template/parser.ts';
import { resolveScopes } from '../../skill/template/scopes.ts';
import { TEMPLATE_VARIABLES } from '../../skill/vocabulary/known-names.ts';
import { touches } from '../../text.ts';
import type { Cursor, Offer } from './proposal.ts';
import { offerForExpectation } from './template.ts';

export function offerInTemplate(cursor: Cursor): Offer | undefined {
  const { document, offset } = cursor;
  const here = document.templates.find(({ template }) => touches(template.span, offset)) ?? withTrailingBlanks(cursor);
  if (!here) return undefined;
  const { template, scopes } = here;
  const expected = expectAt(template, offset, scopes);
  return offerForExpectation(cursor, expected, TEMPLATE_VARIABLES, template, (place) => place, scopes);
}

/** A template without a fence ends with its last letter; the blank that was just typed behind it belongs to it all the same. */
function withTrailingBlanks({ document: { text, templates }, offset }: Cursor) {
  const last = templates.findLast(({ template }) => template.span.end < offset);
  if (!last || last.artifact.template?.fence || offset > last.artifact.span.end) return undefined;
  const { start, end } = last.template.span;
  if (!/^[ \t]+$/.test(text.slice(end, offset))) return undefined;
  const template = parseTemplate(text.slice(start, offset), start);
  return { template, scopes: resolveScopes(template) };
}

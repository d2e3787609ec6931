/** A cursor in a PromptTemplate. */
import { expectAt } from '../../languages/minijinja/cursor/cursor.ts';
import { TEMPLATE_VARIABLES } from '../../vocabulary/known-names.ts';
import { findTemplate } from '../symbol/template-at.ts';
import type { Cursor, Offer } from './proposal.ts';
import { offerForExpectation } from './template.ts';

export function offerInTemplate(cursor: Cursor): Offer | undefined {
  const { file, offset } = cursor;
  const here = findTemplate(file, offset);
  if (!here) return undefined;
  const { template, scopes } = here;
  const expected = expectAt(template, offset, scopes);
  return offerForExpectation(cursor, expected, TEMPLATE_VARIABLES, template, (place) => place, scopes);
}

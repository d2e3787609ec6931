/** Completion of YAML expressions in `include_when`, in an interrupt's `when`, and in a step's `condition`. */
import { templateCursorAt } from '../../languages/minijinja/cursor.ts';
import { parseExpression } from '../../languages/minijinja/parser.ts';
import { sourceSpan, valueOffset } from '../../languages/yaml/source-spans.ts';
import { type Span, span } from '../../text.ts';
import { CONDITION_VARIABLES } from '../../vocabulary/known-names.ts';
import { stepReferences } from './flow.ts';
import type { Offer } from './proposal.ts';
import { offerForExpectation } from './template.ts';
import type { YamlCursor } from './yaml-place.ts';

export function offerInCondition(cursor: YamlCursor): Offer | undefined {
  const { file, offset, place } = cursor;
  if (place.role === 'key') return undefined;
  if (place.path[0] === 'execution') return offerStepReferences(cursor);
  const many = file.conditions.find(
    ({ scalar }) => isOnManyLines(file.text, scalar.span) && scalar.span.start <= offset && offset <= scalar.span.end,
  );
  const at = many && valueOffset(file.text, many.scalar, offset);
  if (many && at !== undefined) {
    const expected = templateCursorAt(many.expression, at);
    return offerForExpectation(cursor, expected, CONDITION_VARIABLES, many.expression, (place) =>
      sourceSpan(file.text, many.scalar, place.start, place.end),
    );
  }
  const expression = parseExpression(sourceOf(cursor), place.span.start);
  const offer = offerForExpectation(
    cursor,
    templateCursorAt(expression, offset),
    CONDITION_VARIABLES,
    expression,
    (own) => own,
  );
  return offer && { ...offer, before: place.before };
}

/** Returns the expression without the escapes of YAML quotes; offsets do not change. */
function sourceOf({ file: { text }, place, quote }: YamlCursor): string {
  const source = text.slice(place.span.start, place.span.end);
  if (quote === '') return source;
  // An escaped quote has two characters, of which one stays and the character outside the string becomes a space.
  let isOpen = false;
  return source.replaceAll(quote === '"' ? '\\"' : "''", () => {
    isOpen = !isOpen;
    return isOpen ? ` ${quote}` : `${quote} `;
  });
}

const isOnManyLines = (text: string, { start, end }: Span): boolean => /[\r\n]/.test(text.slice(start, end));

const REFERENCE = /\$[\w.-]*$/;

/** The maximum length of a word before the cursor, in UTF-16 code units. */
const MAX_WORD = 200;

/** Offers references such as `$input.x`, for the conditions of steps. */
function offerStepReferences(cursor: YamlCursor): Offer | undefined {
  const { file, offset, place } = cursor;
  const { text } = file;
  const before = text.slice(place.span.start, offset);
  const reference = REFERENCE.exec(before.slice(-MAX_WORD));
  const word = reference ?? /[A-Za-z_]\w*$/.exec(before.slice(-MAX_WORD));
  if (inString(before) || (!word && !/(?:^|[\s(!=<>])$/.test(before))) return undefined;
  const start = offset - (word?.[0].length ?? 0);
  const rest = reference ? (/^[\w.-]*/.exec(text.slice(offset, place.span.end))?.[0].length ?? 0) : 0;
  return { span: span(start, offset + rest), before: place.before, proposals: stepReferences(cursor) };
}

/** Returns whether the text ends inside a quoted string. */
const inString = (before: string): boolean => (before.match(/["']/g)?.length ?? 0) % 2 === 1;

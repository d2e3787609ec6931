/** Completion of conditions in YAML: `include_when`, `when` of an interrupt, `condition` and `keep_when` of a step. */
import { templateCursorAt } from '../../languages/minijinja/cursor.ts';
import { parseExpression } from '../../languages/minijinja/parser.ts';
import type { ValueType } from '../../languages/minijinja/types/value-type.ts';
import { nodeAt, type ScalarStyle } from '../../languages/yaml/node.ts';
import { isPlainSafe } from '../../languages/yaml/quote.ts';
import { sourceSpan, valueOffset } from '../../languages/yaml/source-spans.ts';
import { withPlainReferences } from '../../skill/conditions.ts';
import { referencesInCondition } from '../../skill/execution/execution.ts';
import { typesInStepCondition } from '../../skill/template-types.ts';
import { sliceOf, span, touches } from '../../text.ts';
import { CONDITION_VARIABLES } from '../../vocabulary/known-names.ts';
import { outputOfStep, stepReferences } from './flow.ts';
import type { Offer, Proposal } from './proposal.ts';
import { offerForExpectation } from './template.ts';
import type { YamlCursor } from './yaml-place.ts';

export function offerInCondition(given: YamlCursor): Offer | undefined {
  if (given.place.role === 'key') return undefined;
  const cursor = afterSpaces(given);
  const offer = offerUnescaped(cursor);
  const style = onManyLines(cursor)?.condition.scalar.style ?? STYLES[cursor.quote];
  return offer && { ...offer, proposals: offer.proposals.flatMap((one) => inStyle(one, style, cursor.place.flow)) };
}

/** Corrects the cursor after the spaces behind a plain condition, such as `x == `, which are not part of its scalar. */
function afterSpaces(cursor: YamlCursor): YamlCursor {
  const { file, tree, place, offset } = cursor;
  const node = nodeAt(tree.root, place.path);
  if (node?.kind !== 'scalar' || node.style !== 'plain' || place.span.start !== offset) return cursor;
  const { start, end } = node.span;
  const isBehind = start < end && end < offset && /^[ \t]+$/.test(file.text.slice(end, offset));
  return isBehind ? { ...cursor, place: { ...place, span: span(start, offset), before: '' } } : cursor;
}

const STYLES = { '"': 'double', "'": 'single', '': 'plain' } as const;

/** Returns a proposal as a YAML scalar of this style contains it, or an empty list if a plain scalar cannot contain it. */
function inStyle(proposal: Proposal, style: ScalarStyle, flow: boolean): readonly Proposal[] {
  const { label, insert = label, isSnippet } = proposal;
  if (style === 'plain') return isSnippet || isPlainSafe(`x${insert.trimEnd()}`, flow) ? [proposal] : [];
  if (style === 'single') return [{ ...proposal, insert: insert.replaceAll("'", "''") }];
  if (style !== 'double') return [proposal];
  // In a snippet, a backslash is escaped once more.
  return [{ ...proposal, insert: isSnippet ? insert.replaceAll('"', '\\\\"') : insert.replace(/["\\]/g, '\\$&') }];
}

function offerUnescaped(cursor: YamlCursor): Offer | undefined {
  if (cursor.place.path[0] !== 'execution') return offerInExpression(cursor);
  const references = offerStepReferences(cursor);
  if (references?.isReference) return references;
  const offer = offerInExpression(cursor);
  if (!references || !offer) return offer ?? references;
  return { ...offer, proposals: [...offer.proposals, ...references.proposals] };
}

/** Offers parameters, variables, operators and builtins. */
function offerInExpression(cursor: YamlCursor): Offer | undefined {
  const { file, offset, place } = cursor;
  const isOfStep = place.path[0] === 'execution';
  const long = onManyLines(cursor);
  if (long) {
    const { condition: many, at } = long;
    const expected = templateCursorAt(many.expression, at);
    return offerForExpectation(
      cursor,
      expected,
      CONDITION_VARIABLES,
      many.expression,
      (place) => sourceSpan(file.text, many.scalar, place.start, place.end),
      isOfStep ? stepNames(cursor, String(many.scalar.value)) : undefined,
    );
  }
  const source = sourceOf(cursor);
  const plain = isOfStep ? withPlainReferences(source) : source;
  const expression = parseExpression(plain, place.span.start);
  const offer = offerForExpectation(
    cursor,
    templateCursorAt(expression, offset),
    CONDITION_VARIABLES,
    expression,
    (own) => own,
    isOfStep ? stepNames(cursor, source) : undefined,
  );
  return offer && { ...offer, before: place.before };
}

/** Returns the condition on several lines at the cursor, with the offset of the cursor in its value. */
function onManyLines({ file: { text, conditions }, offset }: YamlCursor) {
  const condition = conditions.find(
    ({ scalar: { span: place } }) => /[\r\n]/.test(sliceOf(text, place)) && touches(place, offset),
  );
  const at = condition && valueOffset(text, condition.scalar, offset);
  return condition && at !== undefined ? { condition, at } : undefined;
}

/** Returns the types of the names in the condition `source` of a step. */
function stepNames(cursor: YamlCursor, source: string): ReadonlyMap<string, ValueType> {
  const outputs = referencesInCondition(source).flatMap(({ source: step }) => {
    const schema = outputOfStep(cursor, step);
    return schema ? [[step, schema] as const] : [];
  });
  return typesInStepCondition(cursor.file, new Map(outputs));
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

const REFERENCE = /\$[\w.-]*$/;

/** The maximum length of a word before the cursor, in UTF-16 code units. */
const MAX_WORD = 200;

/** Offers references such as `$input.x`. `isReference` is true if the word at the cursor begins with `$`. */
function offerStepReferences(cursor: YamlCursor): (Offer & { readonly isReference: boolean }) | undefined {
  const { file, offset, place } = cursor;
  const { text } = file;
  const long = onManyLines(cursor);
  const before = long ? String(long.condition.scalar.value).slice(0, long.at) : text.slice(place.span.start, offset);
  const reference = REFERENCE.exec(before.slice(-MAX_WORD));
  const word = reference ?? /[A-Za-z_]\w*$/.exec(before.slice(-MAX_WORD));
  if (inString(before) || (!word && !/(?:^|[\s(!=<>])$/.test(before))) return undefined;
  const start = offset - (word?.[0].length ?? 0);
  const rest = reference ? (/^[\w.-]*/.exec(text.slice(offset, place.span.end))?.[0].length ?? 0) : 0;
  const proposals = stepReferences(cursor, reference?.[0] ?? '');
  return { span: span(start, offset + rest), before: place.before, proposals, isReference: reference !== null };
}

/** Returns whether the text ends inside a quoted string. */
const inString = (before: string): boolean => (before.match(/["']/g)?.length ?? 0) % 2 === 1;

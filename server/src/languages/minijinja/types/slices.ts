/** The problems with slices that MiniJinja 2.11 reads in another way than Python. */
import { span } from '../../../text.ts';
import type { Expression } from '../ast.ts';
import { literalNumber } from './facts.ts';
import type { TypeProblem } from './problems.ts';
import type { Sources } from './silent-results.ts';
import { isOnly, leastSizeOf, type ValueType } from './value-type.ts';

/** The longest replacement in a message, in UTF-16 code units. */
const MAX_ADVICE = 80;

type Slice = Expression & { readonly kind: 'slice' };

/**
 * Returns the problem with a slice of a list or a string, if there is one. A negative step crashes the engine if the
 * value is empty. A start or an end such as `-5` is wrong if the value has fewer than 5 items.
 */
export function sliceProblem(slice: Slice, type: ValueType, sources: Sources): TypeProblem | undefined {
  const { receiver, start, stop, step } = slice;
  const text = sources.textOf(receiver);
  const bracket = sources.sourceOf(span(receiver.span.end, slice.span.end)).search(/[^\s)]/);
  const place = span(receiver.span.end + bracket, slice.span.end);
  if ((literalNumber(step) ?? 1) < 0) {
    if (type.facts?.isTruthy) return undefined;
    const isRead = /^\s*[.[(]/.test(sources.sourceOf(span(slice.span.end, slice.span.end + 100)));
    const isWhole = !start && !stop && literalNumber(step) === -1 && !isRead;
    const advice = isWhole ? 'Write `| reverse`.' : 'Test it first.';
    return {
      kind: 'refused-value',
      span: place,
      isCertain: false,
      message: `A negative step crashes MiniJinja 2.11 if \`${text}\` is empty. ${advice}`,
      fixes: isWhole ? [{ title: 'Replace with `| reverse`', edits: [{ span: place, newText: ' | reverse' }] }] : [],
    };
  }
  const first = literalNumber(start) ?? 0;
  const least = wrongBelow(first, stop && (literalNumber(stop) ?? 1));
  if (least === 0 || leastSizeOf(type) >= least) return undefined;
  const isSimple = receiver.kind === 'name' && !stop && !step && isOnly(type, 'list', 'string');
  const newText = `(${text}[-${least}:] if ${text} | length > ${least} else ${text})`;
  return {
    kind: 'difference',
    span: place,
    isCertain: false,
    message: `This is ${first < -1 ? 'empty' : 'not shortened'} if \`${text}\` has fewer than ${least} ${isOnly(type, 'string') ? 'characters' : 'items'}. ${
      isSimple && newText.length <= MAX_ADVICE ? `Write \`${newText}\`.` : `Test \`| length\` first.`
    }`,
    fixes: isSimple ? [{ title: `Replace with \`${newText}\``, edits: [{ span: slice.span, newText }] }] : [],
  };
}

/** Returns the length below which a slice may have another result than in Python; 0 if it never has. */
function wrongBelow(start: number, stop: number | undefined): number {
  if (start < -1 && !(stop !== undefined && stop < start)) {
    return stop === undefined || stop > 0 || (stop < 0 && stop - start > 1) ? -start : 0;
  }
  return stop !== undefined && -stop - Math.max(start, 0) > 1 ? -stop : 0;
}

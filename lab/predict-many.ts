/** The prediction of the product about the long list of an observation, for each size of the model's context. */

import type { Client } from '../server/src/clients/facts/client.ts';
import { entriesOf, entryOf, listingOf, outcomeOfEntry } from '../server/src/clients/matrix/budget.ts';
import { type ListedAs, listLine } from '../server/src/clients/matrix/list-line.ts';
import type { Subject } from '../server/src/clients/matrix/subject.ts';
import type { ManyObservation } from './observation.ts';

/** The number of skills in the long list by their form. */
interface Forms {
  /** The whole description. */
  readonly whole: number;
  /** A part of the description. */
  readonly cut: number;
  readonly name: number;
  readonly absent: number;
  /** The lengths of the parts, in characters: the shortest and the longest. */
  readonly lengths?: readonly [number, number];
}

export interface ManyComparison {
  readonly isRight: boolean;
  readonly seen: string;
  readonly predicted: string;
}

/** A description of the long list has 600 characters; white space at its end is not counted. */
const WHOLE = 590;

/** Compares one size of the model's context. */
export function compareMany(
  client: Client,
  subjects: readonly Subject[],
  { context, shown }: ManyObservation,
): ManyComparison {
  const seen = 'varies' in shown ? shown.varies : [shown];
  const forms = seen.map((runs) => formsOf(runs.flatMap(([length, count]) => Array<number>(count).fill(length))));
  const predicted = predict(client, subjects, context);
  return {
    isRight: forms.every((one) => isWithin(one, predicted)),
    seen: [...new Set(forms.map(textOf))].join(' or '),
    predicted: textOf(predicted),
  };
}

/**
 * Predicts the forms for a user who has used no skill. If the product knows only how many descriptions are removed, this
 * is the minimum that it states. The lengths of shortened descriptions are a range, because the client rounds each entry.
 */
function predict(client: Client, subjects: readonly Subject[], context: number): Forms {
  const entries = entriesOf(subjects.map((subject) => entryOf(client, subject)));
  const listing = listingOf(client, entries, context);
  const listed = entries.inOrder.map(
    (entry): ListedAs => (listing ? outcomeOfEntry(listing, entry) : { outcome: 'whole' }),
  );
  if (listing && listed.some(({ outcome }) => outcome === 'maybe')) {
    return { whole: subjects.length - listing.dropped, cut: 0, name: listing.dropped, absent: 0 };
  }
  const bySubject = new Map(subjects.map((subject) => [subject.uri, subject]));
  const lengths = entries.inOrder.map(({ uri }, index) => {
    const subject = bySubject.get(uri);
    const line = subject && listLine(client, subject, listed[index] ?? { outcome: 'whole' });
    return line ? line.shown : -1;
  });
  const forms = formsOf(lengths);
  const { charactersPerToken = 1 } =
    typeof client.listing.budget.value === 'object' ? (client.listing.budget.value ?? {}) : {};
  // The rest of the last token, one more token, and the space after the description, which the observation counts.
  const rounding = listing?.limit.unit === 'tokens' ? 2 * charactersPerToken : 0;
  return forms.lengths ? { ...forms, lengths: [forms.lengths[0], forms.lengths[1] + rounding] } : forms;
}

function formsOf(lengths: readonly number[]): Forms {
  const count = (isForm: (length: number) => boolean): number => lengths.filter(isForm).length;
  const parts = lengths.filter((length) => length > 0 && length < WHOLE);
  return {
    whole: count((length) => length >= WHOLE),
    cut: parts.length,
    name: count((length) => length === 0),
    absent: count((length) => length < 0),
    ...(parts.length > 0 && { lengths: [Math.min(...parts), Math.max(...parts)] }),
  };
}

const isWithin = (seen: Forms, predicted: Forms): boolean =>
  seen.whole === predicted.whole &&
  seen.cut === predicted.cut &&
  seen.name === predicted.name &&
  seen.absent === predicted.absent &&
  (!seen.lengths ||
    !predicted.lengths ||
    (predicted.lengths[0] <= seen.lengths[0] && seen.lengths[1] <= predicted.lengths[1]));

function textOf({ whole, cut, name, absent, lengths: [shortest, longest] = [0, 0] }: Forms): string {
  const parts = [
    [whole, 'in full'],
    [cut, `cut to ${shortest}${longest > shortest ? `-${longest}` : ''} characters`],
    [name, 'by name'],
    [absent, 'absent'],
  ] as const;
  return parts.flatMap(([count, form]) => (count === 0 ? [] : [`${count} ${form}`])).join(', ');
}

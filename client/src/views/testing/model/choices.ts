/** Asks a model which skill of a client's list it chooses, several times (docs/clients.md, "A model's choice"). */
import { type ChoiceReply, type ModelChoice, readChoice } from '../../../../../server/src/protocol.ts';
import { askQuestion, type Budget, type Model } from './ask.ts';

/** A question, and the names that its answers may have. */
export interface ChoiceTrials extends Pick<ChoiceReply, 'names' | 'none'> {
  readonly text: string;
  /** The number of times that the model is asked. */
  readonly trials: number;
}

/**
 * Asks the model, one trial after the other, and yields each answer. Ends early if the run is cancelled. Throws a
 * `ModelRunError` if the tokens or the quota are used up, or if the model may not be used, and another error if only this
 * request failed.
 */
export async function* askForChoices(
  model: Model,
  { text, trials, ...list }: ChoiceTrials,
  budget: Budget,
  isCancelled: () => boolean,
): AsyncGenerator<ModelChoice, void> {
  for (let trial = 0; trial < trials && !isCancelled(); trial++) {
    let answer: string;
    try {
      answer = await askQuestion(model, text, budget);
    } catch (error) {
      // A cancelled request fails, but that is not an error of the model.
      if (isCancelled()) return;
      throw error;
    }
    if (isCancelled()) return;
    yield readChoice(answer, list);
  }
}

/** A choice, and the number of answers with this choice. */
export interface CountedChoice {
  readonly choice: ModelChoice;
  readonly count: number;
}

/** Counts the answers, the most frequent choice first. Unclear answers count as one choice, with the first text. */
export function countChoices(answers: readonly ModelChoice[]): readonly CountedChoice[] {
  const counts = new Map<string, { readonly choice: ModelChoice; count: number }>();
  for (const choice of answers) {
    const key = choice.kind === 'skill' ? `skill ${choice.name}` : choice.kind;
    const known = counts.get(key);
    if (known) known.count++;
    else counts.set(key, { choice, count: 1 });
  }
  return [...counts.values()].sort((a, b) => b.count - a.count);
}

/** Returns whether most answers choose the skill at `uri`, or with `should` false, clearly do not choose it. */
export function isMajority(answers: readonly ModelChoice[], uri: string, should: boolean): boolean {
  const isOwn = (choice: ModelChoice): boolean => choice.kind === 'skill' && choice.uris.includes(uri);
  const held = answers.filter((choice) => choice.kind !== 'unclear' && isOwn(choice) === should);
  return 2 * held.length > answers.length;
}

/** Which prompt of an answer is shown, copied and counted. */
import type { ComposeReply, ShownComposition, ShownError } from './messages.ts';

export interface ShownPrompt extends Pick<ShownComposition, 'prompt' | 'segments' | 'tokens'> {
  /** `last-good` is older than the file; `partial` goes as far as the file does, and what fails in it are gaps. */
  readonly kind: 'composed' | 'last-good' | 'partial';
}

/** What was composed, else the last good prompt of a broken file, else what there is of it; undefined where that is nothing. */
export function shownPromptOf(
  result: ComposeReply['result'],
  lastGood: ShownComposition | undefined,
): ShownPrompt | undefined {
  const prompt: ShownPrompt = result.ok
    ? { ...result.composition, kind: 'composed' }
    : isBroken(result.errors) && lastGood && lastGood.prompt !== ''
      ? { ...lastGood, kind: 'last-good' }
      : { ...result.partial, kind: 'partial' };
  return prompt.prompt === '' ? undefined : prompt;
}

/** What is wrong with the input alone, or is too long, can be shown as it is now. */
const isBroken = (errors: readonly ShownError[]): boolean =>
  !errors.every((error) => isOfInput(error) || error.kind === 'ArtifactBudgetExceeded');

/** Whether an error is the input's and not the file's. */
export const isOfInput = ({ kind }: ShownError): boolean =>
  kind === 'ParameterMismatch' || kind === 'CapabilityNarrowing';

/** Selects the prompt that is shown, copied and counted for a reply. */
import type { ComposeReply, ShownComposition, ShownError } from './messages.ts';

export interface ShownPrompt extends Pick<ShownComposition, 'prompt' | 'segments' | 'tokens'> {
  /**
   * `last-good` is older than the file; `partial` contains the valid parts of the file, with gaps for the invalid
   * parts.
   */
  readonly kind: 'composed' | 'last-good' | 'partial';
}

/**
 * Returns the composed prompt. For an invalid file, returns the last valid prompt or, if there is none, the valid
 * parts. Returns undefined for an empty prompt.
 */
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

/** Returns false if all errors concern only the input or the budget. The current prompt can then still be shown. */
const isBroken = (errors: readonly ShownError[]): boolean =>
  !errors.every((error) => isOfInput(error) || error.kind === 'ArtifactBudgetExceeded');

/** Returns true if an error concerns the input and not the file. */
export const isOfInput = ({ kind }: ShownError): boolean =>
  kind === 'ParameterMismatch' || kind === 'CapabilityNarrowing';

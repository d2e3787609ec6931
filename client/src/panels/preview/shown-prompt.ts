/** Selects the prompt that is shown, copied and counted for a reply. */
import type { ComposeReply, ShownComposition, ShownError } from './messages.ts';

export interface ShownPrompt extends Pick<ShownComposition, 'prompt' | 'segments' | 'tokens'> {
  /**
   * `last-good` is older than the file or the input; `partial` contains the valid parts of the file, with gaps for the
   * invalid parts.
   */
  readonly kind: 'composed' | 'last-good' | 'partial';
}

/**
 * Returns the composed prompt. For an invalid file or input, returns the last valid prompt or, if there is none, the
 * valid parts. A prompt over the budget is complete, so it is returned. Returns undefined for an empty prompt.
 */
export function shownPromptOf(
  result: ComposeReply['result'],
  lastGood: ShownComposition | undefined,
): ShownPrompt | undefined {
  const prompt: ShownPrompt = result.ok
    ? { ...result.composition, kind: 'composed' }
    : !result.errors.every(isOfBudget) && lastGood && lastGood.prompt !== ''
      ? { ...lastGood, kind: 'last-good' }
      : { ...result.partial, kind: 'partial' };
  return prompt.prompt === '' ? undefined : prompt;
}

/** Returns true if an error concerns only the size of the prompt. */
export const isOfBudget = ({ kind }: ShownError): boolean => kind === 'ArtifactBudgetExceeded';

/** Returns true if an error concerns the input and not the file. */
export const isOfInput = ({ kind }: ShownError): boolean => kind === 'ParameterMismatch';

/** Returns true if an error concerns only the caller, who may not use a tool that the skill needs. */
export const isOfCaller = ({ kind, subject }: ShownError, denied: readonly string[]): boolean =>
  (kind === 'CapabilityNarrowing' && denied.length > 0) || (kind === 'UnknownTool' && denied.includes(subject));

/** Selects the prompt that is shown, copied and counted for a reply, and shortens the messages that contain prompts. */
import type { ComposeReply, Show, ShowEdit, ShownComposition, ShownError } from './messages.ts';

export interface ShownPrompt extends Pick<ShownComposition, 'prompt' | 'segments' | 'tokens'> {
  /**
   * `last-good` is older than the file or the input; `partial` contains the valid parts of the file, with gaps for the
   * invalid parts.
   */
  readonly kind: 'composed' | 'last-good' | 'partial';
}

/**
 * Returns the composed prompt. For an invalid file or input, returns the last valid prompt, or else the valid
 * parts. A prompt over the budget is complete, so it is returned. Returns undefined for an empty prompt.
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

/**
 * Returns the message for a page that has received `before`, without the text that both prompts have in common. Sending
 * a long prompt to a page takes longer than composing it.
 */
export function shortened(show: Show, before: Show | undefined): Show | ShowEdit {
  if (!before) return show;
  const [old, prompt] = [promptIn(before), promptIn(show)];
  const most = Math.min(old.length, prompt.length);
  let start = 0;
  while (start < most && old.charCodeAt(start) === prompt.charCodeAt(start)) start++;
  let [end, until] = [old.length, prompt.length];
  while (end > start && until > start && old.charCodeAt(end - 1) === prompt.charCodeAt(until - 1)) {
    end--;
    until--;
  }
  const text = prompt.slice(start, until);
  return { type: 'showEdit', base: before.serial, show: withPrompt(show, ''), start, end, text };
}

/** Returns the `show` that was shortened; undefined if `before` is not its base. */
export function restored({ base, show, start, end, text }: ShowEdit, before: Show | undefined): Show | undefined {
  if (before?.serial !== base) return undefined;
  const old = promptIn(before);
  return withPrompt(show, old.slice(0, start) + text + old.slice(end));
}

const promptIn = ({ reply: { result } }: Show): string =>
  result.ok ? result.composition.prompt : result.partial.prompt;

function withPrompt(show: Show, prompt: string): Show {
  const { result } = show.reply;
  const changed: ComposeReply['result'] = result.ok
    ? { ...result, composition: { ...result.composition, prompt } }
    : { ...result, partial: { ...result.partial, prompt } };
  return { ...show, reply: { ...show.reply, result: changed } };
}

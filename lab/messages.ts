/** Texts that belong to a situation: entries, messages of a client, and answers to a call. */
import type { Situation } from './situations/situation.ts';

/** A text that came instead of a body is kept up to this length. */
const MAX_INSTEAD = 600;

/** Returns true if a text belongs to a situation: it has one of its words, as a whole word. */
export const belongsTo = (text: string, { words }: Situation): boolean =>
  words.some((word) => {
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
      if (!isWordPart(text[at - 1]) && !isWordPart(text[at + word.length])) return true;
    }
    return false;
  });

// A name such as `s01-plain-2` is not `s01-plain`.
const isWordPart = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}_]/u.test(character);

/** A message has at most this number of lines after the one that names the skill. */
const MAX_REASON = 6;

/**
 * Returns the messages of an output that name a situation: each line with one of its words, and the lines after it up to
 * the next message. Lines that only quote the files of the situation are omitted.
 */
export function messagesOf(output: string, situation: Situation): readonly string[] {
  const lines = output.split('\n');
  const source = sourceLines(situation);
  const isOwn = (line: string): boolean => line.length < 2_000 && belongsTo(line, situation);
  const messages = lines.flatMap((line, at) => {
    if (!isOwn(line) || source.has(unquoted(line))) return [];
    const rest: string[] = [];
    for (const next of lines.slice(at + 1, at + 1 + MAX_REASON)) {
      if (source.has(unquoted(next))) continue;
      const isReason = /^\s+\S|^[-•*|└├│]\s/.test(next) || (rest.length === 0 && /[:[({]\s*$/.test(line));
      if (!isReason || next.trim() === '' || next.length >= 2_000 || isOwn(next)) break;
      rest.push(next.trim());
    }
    return [[line.trim(), ...rest].join('\n')];
  });
  return [...new Set(messages)];
}

/** The lines of the files of a situation. */
const sourceLines = ({ files }: Situation): ReadonlySet<string> =>
  new Set(
    Object.values(files)
      .flatMap((content) => (typeof content === 'string' ? content.split(/\r?\n/) : []))
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  );

/** Removes the number of a quoted line. */
const unquoted = (line: string): string => line.replace(/^\s*(?:>\s*)?(?:\d+\s*[|:]\s?)?/, '').trim();

/** Cuts a text that came instead of a body, with a mark. */
export const shortened = (text: string): string =>
  text.length <= MAX_INSTEAD ? text : `${text.slice(0, MAX_INSTEAD)}… (${text.length} characters)`;

/** Returns true for a text about a call: it names the skill or a refusal, and is not a whole prompt. */
export const isAnswer = (text: string, situation: Situation): boolean =>
  text.length <= MAX_INSTEAD && (belongsTo(text, situation) || /skill|failed|denied|permission/i.test(text));

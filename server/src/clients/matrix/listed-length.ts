import { lengthOf, type TextLength } from '../../skill/agent-skill-facts.ts';
import type { Client, TextLimit } from '../facts/client.ts';
import { stepsOf } from './prediction.ts';
import { type Subject, textOf } from './subject.ts';

/**
 * Returns the length of the part of a description, and of the keys that a client adds to it, that the facts about a file
 * leave out because the text is very long (`WrittenKey.text`).
 */
export function unkeptLength(client: Client, subject: Subject): TextLength {
  const joined = stepsOf(client).entry.text.flatMap((one) => (one.do === 'join' ? [one.key] : []));
  const keys = ['description', ...joined].flatMap((key) => textOf(subject, key) ?? []);
  return keys.reduce(
    (sum, { text, length }) => {
      const kept = lengthOf(text);
      return {
        characters: sum.characters + length.characters - kept.characters,
        bytes: sum.bytes + length.bytes - kept.bytes,
      };
    },
    { characters: 0, bytes: 0 },
  );
}

/** Returns the length of the description, including the keys that the limit adds to it. */
export function listedLength(limit: TextLimit, subject: Subject): number {
  const keys = ['description', ...(limit.with ?? [])];
  const lengths = keys.flatMap((key) => textOf(subject, key)?.length ?? []);
  return lengths.reduce((sum, length) => sum + measured(length, limit), 0);
}

const measured = ({ characters, bytes }: TextLength, { unit }: TextLimit): number =>
  unit === 'bytes' ? bytes : characters;

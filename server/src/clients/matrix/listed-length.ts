import type { TextLength } from '../../skill/agent-skill-facts.ts';
import type { TextLimit } from '../facts/client.ts';
import { type Subject, textOf } from './subject.ts';

/** Returns the length of the description, including the keys that the limit adds to it. */
export function listedLength(limit: TextLimit, subject: Subject): number {
  const keys = ['description', ...(limit.with ?? [])];
  const lengths = keys.flatMap((key) => textOf(subject, key)?.length ?? []);
  return lengths.reduce((sum, length) => sum + measured(length, limit), 0);
}

const measured = ({ characters, bytes }: TextLength, { unit }: TextLimit): number =>
  unit === 'bytes' ? bytes : characters;

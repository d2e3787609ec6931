/** The place in a file of the reason why a client drops a skill, or does not show it. Places are not part of predictions. */
import { parseFrontmatter } from '../../languages/yaml/frontmatter.ts';
import { findEntry } from '../../languages/yaml/node.ts';
import { applyEdits, type TextEdit } from '../../text.ts';
import { CORRECTABLE, type Correctable, correctionOf } from './corrections.ts';
import type { ReadYaml } from './dialects.ts';
import { causeOfRepair, type ReadRules, readFile } from './read.ts';
import { isStop, type Step, type Stop, type StopCode, stepOf } from './reading.ts';
import { type Ask, isChoice, type Pick, type Setting } from './setting.ts';

/** The code of a reason: that of a stop, or of characters that some clients cannot read. */
export type ReasonCode = StopCode | Correctable;

/** A reason with its step, and the offset of its cause in UTF-16 code units. */
export interface Explained extends Omit<Stop, 'code'> {
  readonly code: ReasonCode;
  readonly step: Step;
  readonly at: number;
}

/**
 * Returns the reason of a stop, with its place in the file: the characters without which the client reads the file, or
 * the place where reading the frontmatter failed if a key is missing only for this reason.
 *
 * @param picks the choices that lead to the stop
 * @param readYamlAs a function that remembers what it has read, if several stops of the file are explained
 */
export function explain(
  client: ReadRules,
  text: string,
  stop: Stop,
  picks: readonly Pick[] = [],
  readYamlAs?: ReadYaml,
): Explained {
  const ask = askWith(picks);
  const { code, key } = stop;
  const step = stepOf(stop);
  if (step === 'open' || step === 'parse') {
    const reading = readFile(text, client, ask, readYamlAs);
    const found = isStop(reading) ? reading : { ...stop, at: 0 };
    return withStep({ ...found, ...wrongCharacters(text, client, ask) });
  }
  const isMissing = code === 'fields/missing' || code === 'admit/missing';
  const cause = isMissing ? causeOfRepair(text, client, ask, readYamlAs) : undefined;
  if (cause) return withStep({ ...cause, ...wrongCharacters(text, client, ask) });
  return { ...stop, step, at: key === undefined ? 0 : placeOf(text, key) };
}

/**
 * Returns the first of the characters without which a client reads a file as it is written; undefined if others are the
 * reason why it does not.
 */
function wrongCharacters(text: string, client: ReadRules, ask: Ask): { code: Correctable; at: number } | undefined {
  const corrections = CORRECTABLE.flatMap((code) => {
    const edits = correctionOf(text, code);
    return edits.length > 0 ? [{ code, edits }] : [];
  });
  const isRead = (edits: readonly TextEdit[]): boolean => {
    const reading = readFile(applyEdits(text, edits), client, ask);
    return !isStop(reading) && !reading.isRepaired;
  };
  if (!isRead(corrections.flatMap(({ edits }) => edits))) return undefined;
  const needed = corrections.find((one) => !isRead(corrections.flatMap((other) => (other === one ? [] : other.edits))));
  const [first] = needed?.edits ?? [];
  return needed && first && { code: needed.code, at: first.span.start };
}

const withStep = (reason: Omit<Explained, 'step'>): Explained => ({ ...reason, step: stepOf(reason) });

/** Returns a function that answers with the picks, and with the first value of other settings. */
const askWith =
  (picks: readonly Pick[]): Ask =>
  <Value>(setting: string, value: Setting<Value>): Value => {
    const pick = picks.find((one) => one.setting === setting);
    if (pick) return pick.value as Value;
    return isChoice(value) ? (value.oneOf[0] as Value) : value;
  };

/** Returns the offset of the value of a key; of the line after the opening fence without such a key. */
function placeOf(text: string, key: string): number {
  const { tree, content } = parseFrontmatter(text);
  const entry = findEntry(tree.root, key);
  if (entry) return entry.value.span.start;
  const line = new RegExp(`^[ \\t]*["']?${key}["']?[ \\t]*:[ \\t]*`, 'm').exec(text);
  return line ? line.index + line[0].length : content.start;
}

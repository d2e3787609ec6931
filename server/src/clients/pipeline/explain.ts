/** The place in a file of the reason why a client drops a skill, or does not show it. Places are not part of predictions. */
import { parseFrontmatter } from '../../languages/yaml/frontmatter.ts';
import { findEntry } from '../../languages/yaml/node.ts';
import type { ReadYaml } from './dialects.ts';
import { causeOfRepair, type ReadRules, readFile } from './read.ts';
import { isStop, type Step, type Stop } from './reading.ts';
import { type Ask, isChoice, type Pick, type Setting } from './setting.ts';

/** A reason with its step, and the offset of its cause in UTF-16 code units. */
export interface Explained extends Stop {
  readonly step: Step;
  readonly at: number;
}

/**
 * Returns the reason of a stop, with its place in the file. A key that is missing only because the client did not use the
 * frontmatter is explained by the place where reading the frontmatter failed.
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
    return isStop(reading) ? { ...reading, step: stepOf(reading) } : { ...stop, step, at: 0 };
  }
  const isMissing = code === 'fields/missing' || code === 'admit/missing';
  const cause = isMissing ? causeOfRepair(text, client, ask, readYamlAs) : undefined;
  if (cause) return { ...cause, step: stepOf(cause) };
  return { ...stop, step, at: key === undefined ? 0 : placeOf(text, key) };
}

const stepOf = ({ code }: Stop): Step => code.slice(0, code.indexOf('/')) as Step;

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

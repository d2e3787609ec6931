/** The texts that a client may deliver when a skill is called (docs/clients.md, "Delivered"). */
import { fillArguments } from '../../abilities/placeholders.ts';
import type { ArgumentRules } from '../../clients/facts/client.ts';
import { type Call, type Delivered, deliver } from '../../clients/pipeline/deliver.ts';
import { readFields } from '../../clients/pipeline/fields.ts';
import type { ClientPlace } from '../../clients/pipeline/file.ts';
import type { Pipeline } from '../../clients/pipeline/pipeline.ts';
import { FileReader } from '../../clients/pipeline/read.ts';
import { isStop } from '../../clients/pipeline/reading.ts';
import { type Result, resultsOf } from '../../clients/pipeline/setting.ts';

/** A skill that is called with arguments. */
export interface CalledFile {
  readonly path: string;
  readonly text: string;
  /** The other files in its folder, relative to it. */
  readonly files: readonly string[];
  readonly arguments: string;
}

/**
 * Returns the texts that a client may deliver; a result without a value is not known. Empty without rules.
 *
 * @param filling the client's rules for placeholders; undefined if they are not known
 */
export function textsFor(
  { deliver: rules, open, parse, fields }: Pipeline,
  call: Call,
  { path, text, files, arguments: given }: CalledFile,
  place: ClientPlace,
  filling: ArgumentRules | undefined,
): readonly Result<Delivered | undefined>[] {
  if (!rules) return [];
  const fill = filling && ((body: string) => filledIn(body, filling, given));
  return (
    resultsOf((ask) => {
      const reading = new FileReader(text).read({ open, parse }, ask);
      const { keys, bodyStart } = isStop(reading) ? { keys: new Map(), bodyStart: 0 } : reading;
      const body = text.slice(bodyStart);
      const named = readFields(fields, path, { keys, body, isBodyEmpty: body.trim() === '' }, ask);
      const { name, description } = 'code' in named ? { name: '', description: undefined } : named;
      const skill = {
        ...{ name, path, text, bodyStart, scope: 'project', files },
        ...(description !== undefined && { description }),
      };
      return deliver(rules, call, skill, { text: given, ...(fill && { fill }) }, place, ask);
    }) ?? []
  );
}

function filledIn(body: string, rules: ArgumentRules, given: string) {
  const { replacements, appended } = fillArguments(body, rules, { text: given, names: [] });
  const text = [...replacements]
    .reverse()
    .reduce((text, { start, end, text: value }) => text.slice(0, start) + value + text.slice(end), body);
  return { text, appended };
}

export const textOf = ({ before, content, after }: Delivered): string => before + content + after;

/** Returns whether a text was predicted. A list whose order is not known may have its lines in any order. */
export function isSameText(predicted: Delivered, seen: string): boolean {
  const { files } = predicted;
  if (!files || files.isExact) return textOf(predicted) === seen;
  const isFile = (line: string): boolean => files.lines.includes(line);
  const [own, other] = [textOf(predicted), seen].map((text) =>
    text
      .split('\n')
      .filter((line) => !isFile(line))
      .join('\n'),
  );
  return own === other && seen.split('\n').filter(isFile).length === files.shown;
}

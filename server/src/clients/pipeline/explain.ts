/** The place in a file of the reason why a client drops a skill, or does not show it. Places are not part of predictions. */
import { parseFrontmatter } from '../../languages/yaml/frontmatter.ts';
import { findEntry } from '../../languages/yaml/node.ts';
import { applyEdits, type TextEdit } from '../../text.ts';
import { CORRECTABLE, type Correctable, correctionOf } from './corrections.ts';
import { FileReader, type ReadRules } from './read.ts';
import { isStop, type Step, type Stop, type StopCode, stepOf } from './reading.ts';
import { firstOf, isChoice, type Pick } from './setting.ts';

/** The code of a reason: that of a stop, or of characters that some clients cannot read. */
export type ReasonCode = StopCode | Correctable;

/** A reason with its step, and the offset of its cause in UTF-16 code units. */
export interface Explained extends Omit<Stop, 'code'> {
  readonly code: ReasonCode;
  readonly step: Step;
  readonly at: number;
}

/**
 * Finds the reasons of stops in one file. It remembers what it has read, because many clients read a file in the same way,
 * or after the same corrections.
 */
export class Explainer {
  readonly #text: string;
  /** The file, and the file after corrections. */
  readonly #files = new Map<string, FileReader>();
  #corrections: readonly Correction[] | undefined;
  /** The reasons that were found, by the stop and the rules. */
  readonly #known = new Map<string, Explained>();

  constructor(text: string) {
    this.#text = text;
  }

  /**
   * Returns the reason of a stop, with its place in the file: the characters without which the client reads the file, or
   * the place where reading the frontmatter failed if a key is missing only for this reason. Never throws.
   *
   * @param picks the choices that lead to the stop
   */
  explain(client: ReadRules, stop: Stop, picks: readonly Pick[] = []): Explained {
    const rules = withPicks(client, picks);
    const of = JSON.stringify([stop, rules]);
    const known = this.#known.get(of) ?? this.#explain(rules, stop);
    this.#known.set(of, known);
    return known;
  }

  #explain(rules: ReadRules, stop: Stop): Explained {
    const { code, key } = stop;
    const step = stepOf(stop);
    if (step === 'open' || step === 'parse') {
      const reading = this.#file(this.#text).read(rules, firstOf);
      const found = isStop(reading) ? reading : { ...stop, at: 0 };
      return withStep({ ...found, ...this.#wrongCharacters(rules) });
    }
    const isMissing = code === 'fields/missing' || code === 'admit/missing';
    const cause = isMissing ? this.#file(this.#text).causeOfRepair(rules, firstOf) : undefined;
    if (cause) return withStep({ ...cause, ...this.#wrongCharacters(rules) });
    return { ...stop, step, at: key === undefined ? 0 : placeOf(this.#text, key) };
  }

  /**
   * Returns the first of the characters without which a client reads a file as it is written; undefined if others are the
   * reason why it does not.
   */
  #wrongCharacters(rules: ReadRules): { code: Correctable; at: number } | undefined {
    const corrections = this.#findCorrections();
    const isRead = (left?: Correction): boolean => {
      const edits = corrections.flatMap((one) => (one === left ? [] : one.edits));
      const reading = this.#file(applyEdits(this.#text, edits)).read(rules, firstOf);
      return !isStop(reading) && !reading.isRepaired;
    };
    if (corrections.length === 0 || !isRead()) return undefined;
    const needed = corrections.find((one) => !isRead(one));
    const [first] = needed?.edits ?? [];
    return needed && first && { code: needed.code, at: first.span.start };
  }

  #findCorrections(): readonly Correction[] {
    this.#corrections ??= CORRECTABLE.flatMap((code) => {
      const edits = correctionOf(this.#text, code);
      return edits.length > 0 ? [{ code, edits }] : [];
    });
    return this.#corrections;
  }

  #file(text: string): FileReader {
    const known = this.#files.get(text) ?? new FileReader(text);
    this.#files.set(text, known);
    return known;
  }
}

/** The edits that remove a cause. */
interface Correction {
  readonly code: Correctable;
  readonly edits: readonly TextEdit[];
}

const withStep = (reason: Omit<Explained, 'step'>): Explained => ({ ...reason, step: stepOf(reason) });

/** Returns the rules without choices: with the picks, and with the first value of other settings. */
function withPicks({ open, parse }: ReadRules, picks: readonly Pick[]): ReadRules {
  const settled = <Rules extends object>(step: Step, rules: Rules): Rules => {
    const entries = Object.entries(rules).map(([key, value]) => {
      const pick = picks.find(({ setting }) => setting === `${step}.${key}`);
      return [key, pick ? pick.value : isChoice(value) ? value.oneOf[0] : value];
    });
    return Object.fromEntries(entries) as Rules;
  };
  return { open: settled('open', open), parse: settled('parse', parse) };
}

/** Returns the offset of the value of a key; of the line after the opening fence without such a key. */
function placeOf(text: string, key: string): number {
  const { tree, content } = parseFrontmatter(text);
  const entry = findEntry(tree.root, key);
  if (entry) return entry.value.span.start;
  const line = new RegExp(`^[ \\t]*["']?${key}["']?[ \\t]*:[ \\t]*`, 'm').exec(text);
  return line ? line.index + line[0].length : content.start;
}

/**
 * The step `parse` of a client (docs/clients.md, "The steps of a client"): reads the keys of a frontmatter as the
 * client's library does. There is one parser; a library is a list of its differences (lab/dialects/dialects.json).
 */
import { parseStrictly, type StrictTree } from '../../languages/yaml/strict.ts';
import { type Span, span } from '../../text.ts';
import { type LineReader, readLines } from './line-readers.ts';
import type { StopAt } from './open.ts';
import type { Field } from './reading.ts';
import { type QuotingRepair, withQuotes } from './repairs.ts';
import { type Ask, areEqual, isChoice, resultWith, type Setting } from './setting.ts';
import {
  type Duplicates,
  isOrdinary,
  mayHaveDuplicates,
  type Parse,
  type ParsedKeys,
  readYaml,
  type YamlDialect,
} from './yaml-dialects.ts';

/** The rules by which a client reads the text of its frontmatter. */
export interface ParseRules {
  readonly dialect: Setting<Dialect>;
  /** A key twice in one map. Readers of lines always take the last one. */
  readonly duplicates: Setting<Duplicates>;
  /** The second attempt after an error. */
  readonly repair: Setting<Repair>;
  /** After an error without a repair, the client drops the skill, or uses the body without its keys. */
  readonly afterError: Setting<'drop' | 'body'>;
}

/** A library, or a reader of lines. `lines-gemini` reads only two keys, and is only a repair. */
export type Dialect = YamlDialect | LineReader;

/**
 * `none`, a reader of lines, or quotes around the values that the named client puts in quotes before it reads the text
 * again. Gemini CLI also uses its reader of lines if `name` or `description` is not text.
 */
export type Repair = 'none' | QuotingRepair | LineReader;

/** A text of YAML. It remembers how libraries read it, because many clients have the same library. */
export class YamlText {
  readonly #text: string;
  readonly #span: Span;
  readonly #read = new Map<string, ParsedKeys | StopAt>();
  readonly #quoted = new Map<QuotingRepair, YamlText>();
  #isOrdinary: boolean | undefined;
  /** The trees of the text, and of the text as it is changed for libraries. */
  readonly #trees = new Map<string, StrictTree>();

  /** @param span the place of the YAML in `text` */
  constructor(text: string, span: Span) {
    this.#text = text;
    this.#span = span;
  }

  /** Returns the keys that a library or a reader of lines finds, or the error at which it stops. Never throws. */
  readAs(dialect: Dialect, duplicates: Duplicates): ParsedKeys | StopAt {
    if (isLineReader(dialect)) return this.#once(dialect, () => ({ keys: readLines(this.#text, this.#span, dialect) }));
    const read = (how: Duplicates, library = dialect): ParsedKeys | StopAt =>
      this.#once(`${library} ${how}`, () => readYaml(this.#text, this.#span, library, how, this.#parse));
    if (this.isOrdinary) return read('error', 'yaml');
    const strict = read('error');
    return duplicates !== 'error' && mayHaveDuplicates(strict, dialect) ? read(duplicates) : strict;
  }

  /** True if all libraries read the text in the same way. */
  get isOrdinary(): boolean {
    this.#isOrdinary ??= isOrdinary(this.#text, this.#span, this.#parse(this.#text, this.#span));
    return this.#isOrdinary;
  }

  /** Returns the text with the quotes that a client adds after an error. */
  quoted(repair: QuotingRepair): YamlText {
    const known = this.#quoted.get(repair);
    if (known) return known;
    const { start, end } = this.#span;
    const isList = (value: string): boolean => {
      const { root, errors } = parseStrictly(value, span(0, value.length));
      return root?.kind === 'list' && errors.length === 0;
    };
    const own = this.#text.slice(start, end);
    const written = withQuotes(own, repair, isList);
    // Many clients add the same quotes, or none.
    const same = [...this.#quoted.values()].find((one) => one.#text === written);
    const quoted = written === own ? this : (same ?? new YamlText(written, span(0, written.length)));
    this.#quoted.set(repair, quoted);
    return quoted;
  }

  /** Parses the text, or a changed one with another end. */
  readonly #parse: Parse = (text, place) => {
    const known = this.#trees.get(text) ?? parseStrictly(text, place);
    this.#trees.set(text, known);
    return known;
  };

  /** Returns equal keys as the same object, because this makes comparisons quick. */
  #once(how: string, read: () => ParsedKeys | StopAt): ParsedKeys | StopAt {
    const known = this.#read.get(how);
    if (known) return known;
    const made = read();
    const result = ('keys' in made && [...this.#read.values()].find((one) => areEqual(one, made))) || made;
    this.#read.set(how, result);
    return result;
  }
}

/**
 * Reads the keys of a frontmatter. Asks for a setting only if the text makes it matter. Never throws.
 *
 * @returns the keys, or the error at which the client stops, at the exact character
 */
export function parseKeys(yaml: YamlText, rules: ParseRules, ask: Ask): ParsedKeys | StopAt {
  const read = (text: YamlText): ParsedKeys | StopAt =>
    resultWith(ask, 'parse.duplicates', rules.duplicates, (duplicates) =>
      resultWith(ask, 'parse.dialect', rules.dialect, (dialect) => text.readAs(dialect, duplicates)),
    );
  const first = read(yaml);
  const repaired = resultWith(ask, 'parse.repair', rules.repair, repairedWith);
  if (!('code' in repaired)) return repaired;
  return resultWith(ask, 'parse.afterError', rules.afterError, (afterError) =>
    afterError === 'drop' ? repaired : BODY_ONLY,
  );

  function repairedWith(repair: Repair): ParsedKeys | StopAt {
    if (repair === 'none') return first;
    if (isLineReader(repair)) {
      if (!('code' in first) && (repair !== 'lines-gemini' || REQUIRED.every((key) => isText(first.keys.get(key)))))
        return first;
      const { keys } = yaml.readAs(repair, 'last') as ParsedKeys;
      const isUsed = repair !== 'lines-gemini' || REQUIRED.every((key) => keys.has(key));
      return isUsed ? { keys, isRepaired: true } : first;
    }
    if (!('code' in first)) return first;
    const again = read(yaml.quoted(repair));
    return 'code' in again ? first : { ...again, isRepaired: true };
  }
}

/** The rules of every client whose library reads YAML, for a text that all libraries read in the same way. */
const ORDINARY: ParseRules = { dialect: 'yaml', duplicates: 'error', repair: 'none', afterError: 'drop' };

/** Returns the rules that lead to the same keys and errors for a text: the same ones for as many clients as possible. */
export function rulesFor(yaml: YamlText, rules: ParseRules): ParseRules {
  const readsLines = [...valuesOf(rules.dialect), ...valuesOf(rules.repair)].some(isLineReader);
  return yaml.isOrdinary && !readsLines ? ORDINARY : rules;
}

const valuesOf = <Value>(setting: Setting<Value>): readonly Value[] => (isChoice(setting) ? setting.oneOf : [setting]);

const BODY_ONLY: ParsedKeys = { keys: new Map(), isRepaired: true };
const REQUIRED = ['name', 'description'];

const isText = (field: Field | undefined): boolean => typeof field?.value === 'string' && !field.isDate;

const isLineReader = (name: Dialect | Repair): name is LineReader => name.startsWith('lines-');

/**
 * The step `parse` of a client (docs/clients.md, "The steps of a client"): reads the keys of a frontmatter as the
 * client's library does. There is one parser; a library is a list of its differences (lab/dialects/dialects.json).
 */
import { parseStrictly } from '../../languages/yaml/strict.ts';
import { type Span, span } from '../../text.ts';
import { type LineReader, readLines } from './line-readers.ts';
import type { StopAt } from './open.ts';
import type { Field } from './reading.ts';
import { type QuotingRepair, withQuotes } from './repairs.ts';
import { type Ask, resultWith, type Setting } from './setting.ts';
import { type Duplicates, type ParsedKeys, readYaml, type YamlDialect } from './yaml-dialects.ts';

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

/**
 * Reads YAML with a library. A caller that reads a file several times passes a function that remembers its results.
 */
export type ReadYaml = (text: string, yaml: Span, dialect: YamlDialect, duplicates: Duplicates) => ParsedKeys | StopAt;

const readOnce: ReadYaml = (text, yaml, dialect, duplicates) =>
  readYaml(text, yaml, dialect, duplicates, parseStrictly);

/**
 * Reads the keys of the YAML in the span `yaml` of a file. Asks for a setting only if the text makes it matter. Never
 * throws.
 *
 * @returns the keys, or the error at which the client stops, at the exact character
 */
export function parseKeys(
  text: string,
  yaml: Span,
  rules: ParseRules,
  ask: Ask,
  readYamlAs: ReadYaml = readOnce,
): ParsedKeys | StopAt {
  const read = (dialect: Dialect, duplicates: Duplicates): ParsedKeys | StopAt =>
    isLineReader(dialect) ? { keys: readLines(text, yaml, dialect) } : readYamlAs(text, yaml, dialect, duplicates);
  const dialectOf = (duplicates: Duplicates): ParsedKeys | StopAt =>
    resultWith(ask, 'parse.dialect', rules.dialect, (dialect) => read(dialect, duplicates));
  const duplicatesOf = (): ParsedKeys | StopAt => resultWith(ask, 'parse.duplicates', rules.duplicates, dialectOf);
  const first = duplicatesOf();
  const repaired = resultWith(ask, 'parse.repair', rules.repair, (repair) => repairedWith(repair, first));
  if (!('code' in repaired)) return repaired;
  return resultWith(ask, 'parse.afterError', rules.afterError, (afterError) =>
    afterError === 'drop' ? repaired : { keys: NO_KEYS, isRepaired: true },
  );

  function repairedWith(repair: Repair, found: ParsedKeys | StopAt): ParsedKeys | StopAt {
    if (repair === 'none') return found;
    if (isLineReader(repair)) {
      if (!('code' in found) && (repair !== 'lines-gemini' || REQUIRED.every((key) => isText(found.keys.get(key)))))
        return found;
      const keys = readLines(text, yaml, repair);
      const isUsed = repair !== 'lines-gemini' || REQUIRED.every((key) => keys.has(key));
      return isUsed ? { keys, isRepaired: true } : found;
    }
    if (!('code' in found)) return found;
    const readAgain = (written: string): ParsedKeys | StopAt =>
      resultWith(ask, 'parse.duplicates', rules.duplicates, (duplicates) =>
        resultWith(ask, 'parse.dialect', rules.dialect, (dialect) =>
          isLineReader(dialect) ? found : readYamlAs(written, span(0, written.length), dialect, duplicates),
        ),
      );
    const isList = (value: string): boolean => parseStrictly(value, span(0, value.length)).root?.kind === 'list';
    const again = readAgain(withQuotes(text.slice(yaml.start, yaml.end), repair, isList));
    return 'code' in again ? found : { ...again, isRepaired: true };
  }
}

const NO_KEYS: ReadonlyMap<string, Field> = new Map();
const REQUIRED = ['name', 'description'];

const isText = (field: Field | undefined): boolean => typeof field?.value === 'string' && !field.isDate;

const isLineReader = (name: string): name is LineReader => name.startsWith('lines-');

/** The files that a client may read, and the place where it runs. Paths are absolute, with `/`. */
import { byteLength } from '../../text.ts';
import type { FieldRules, Named } from './fields.ts';
import type { HidingKey } from './openai-yaml.ts';
import type { PluginFolder } from './plugin-rules.ts';
import { FileReader, type ReadRules } from './read.ts';
import { isStop, type Reading, type ReadSkill, type Stop } from './reading.ts';
import { areEqual, type Result } from './setting.ts';

/** The symbolic links on the way to a file. */
export interface PathLinks {
  /** True if a folder of the path is a link. */
  readonly folder: boolean;
  /** True if the file itself is a link. */
  readonly file: boolean;
  /** The path of the first link on the way; undefined if it is not known. */
  readonly first?: string;
  /** The path of the real file; undefined if it is not known. */
  readonly target?: string;
}

/** The rules of a client for one file, with its ID. */
export type IdentifiedRules = ReadRules & { readonly id: string };

/** A path that a client may search. */
export interface FilePath {
  /** The path as the client sees it: through links. */
  readonly path: string;
  /** The URI of a file of a workspace. */
  readonly uri?: string;
  readonly link?: PathLinks;
  /** The size of the file; undefined if it is not known. */
  readonly bytes?: number;
  /** The key in `agents/openai.yaml` that hides the skill; undefined without one. */
  readonly openAi?: HidingKey;
  /** The plugins whose folders contain the file, the innermost first; undefined without one. */
  readonly plugins?: readonly PluginFolder[];
}

export interface ClientFile extends FilePath {
  /**
   * Returns the file as a client reads it: one result if its settings make no difference, undefined if they have too many
   * combinations.
   */
  readings(client: IdentifiedRules): readonly Result<ReadSkill | Stop>[] | undefined;
  /** The results of the step `fields` so far, for each reading by the rules. Clients of equal rules have them in common. */
  readonly named: Map<ReadSkill, Map<FieldRules, NamedResults>>;
}

export type NamedResults = readonly Result<Named | Stop>[] | undefined;

export interface ClientPlace {
  /** The folder in which the client starts. */
  readonly start: string;
  /** The root of the repository: `start` or a parent of it. */
  readonly repository: string;
  /** The user's home; undefined if its files are not considered. */
  readonly home?: string;
}

/** Returns a file with its text. It remembers what it has parsed. */
export function textFile(path: string, text: string, link?: PathLinks): ClientFile {
  const file = new FileReader(text);
  const known: { readonly rules: ReadRules; readonly results: readonly Result<ReadSkill | Stop>[] | undefined }[] = [];
  const read = (reading: Reading): ReadSkill | Stop => {
    if (isStop(reading)) return reading;
    const { keys, isRepaired, bodyStart } = reading;
    const body = text.slice(bodyStart);
    return { keys, body, isBodyEmpty: body.trim() === '', ...(isRepaired && { isRepaired }) };
  };
  const readings = ({ open, parse }: ReadRules): readonly Result<ReadSkill | Stop>[] | undefined => {
    // Clients of which little is known have the same rules.
    const rules = { open, parse };
    const same = known.find((one) => areEqual(one.rules, rules));
    if (same) return same.results;
    const results = file.readings(rules)?.map(({ value, picks }) => ({ value: read(value), picks }));
    known.push({ rules, results });
    return results;
  };
  return { path, bytes: byteLength(text), ...(link && { link }), readings, named: new Map() };
}

/** Returns the folder of a path, and the name in it. */
export function splitPath(path: string): { readonly folder: string; readonly name: string } {
  const at = path.lastIndexOf('/');
  return { folder: path.slice(0, Math.max(0, at)), name: path.slice(at + 1) };
}

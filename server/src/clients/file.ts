/** The files that a client may read, and the place where it runs. Paths are absolute, with `/`. */
import { type ReadRules, readFile, remembering } from './read.ts';
import { isStop, type Keys, type Stop } from './reading.ts';
import { type Ask, type Result, resultsOf } from './setting.ts';

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

/** A path that a client may search. */
export interface FilePath {
  /** The path as the client sees it: through links. */
  readonly path: string;
  readonly link?: PathLinks;
}

export interface ClientFile extends FilePath {
  /**
   * Returns the file as a client reads it: one result if its settings make no difference, undefined if they have too many
   * combinations.
   */
  readings(rules: ReadRules): readonly Result<ReadSkill | Stop>[] | undefined;
}

/** A file after the steps `open` and `parse`. */
export interface ReadSkill extends Pick<Keys, 'keys' | 'isRepaired'> {
  /** The body, or its beginning. */
  readonly body: string;
  readonly isBodyEmpty: boolean;
}

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
  const readYamlAs = remembering();
  const read = (rules: ReadRules, ask: Ask): ReadSkill | Stop => {
    const reading = readFile(text, rules, ask, readYamlAs);
    if (isStop(reading)) return reading;
    const { keys, isRepaired, bodyStart } = reading;
    const body = text.slice(bodyStart);
    return { keys, body, isBodyEmpty: body.trim() === '', ...(isRepaired && { isRepaired }) };
  };
  return { path, ...(link && { link }), readings: (rules) => resultsOf((ask) => read(rules, ask)) };
}

/** Returns the folder of a path, and the name in it. */
export function splitPath(path: string): { readonly folder: string; readonly name: string } {
  const at = path.lastIndexOf('/');
  return { folder: path.slice(0, Math.max(0, at)), name: path.slice(at + 1) };
}

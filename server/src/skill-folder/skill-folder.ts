/** The files in the folder of a `SKILL.md`, as read by a host, and the facts derived from their text. */
import { type FolderFile, MAX_FILES } from '../abilities/folder.ts';
import { LinkedFile } from '../skill/markdown-file.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { decoded, fileNameOf, folderOf, isAgentSkillName } from '../vocabulary/dialect.ts';
import { resolvePath } from './links.ts';

/** A file with the cached results for its text. */
interface ParsedFile {
  readonly file: FolderFile;
  parsed?: LinkedFile;
  naming?: FileMentions;
}

/** Why a file was not read: the folder has too many files, or the file or all files together are too large. */
type UnreadReason = 'many-files' | 'too-large';

const isMarkdown = (uri: string): boolean => /\.(?:md|markdown|mdx)$/i.test(uri);

/**
 * Returns a function that returns whether a path is of a skill's own file: not its `SKILL.md`, and not in the folder of another
 * skill. Never throws.
 *
 * @param paths the paths of all files below the folder of the skill
 */
export function ownTest(paths: readonly string[]): (path: string) => boolean {
  const nested = paths.flatMap((path) =>
    path.includes('/') && isAgentSkillName(fileNameOf(path)) ? [`${folderOf(path)}/`] : [],
  );
  return (path) => !isAgentSkillName(path) && !nested.some((folder) => path.startsWith(folder));
}

export class SkillFolder {
  /** The URI of the folder. */
  readonly uri: string;
  /** The files, without the `SKILL.md` itself and the folders of other skills. */
  readonly files: readonly FolderFile[];
  /** The number of files that were not read: those beyond the maximum number of files, and those that are too large. */
  readonly unread: number;
  readonly #byUri: ReadonlyMap<string, ParsedFile>;
  readonly #unread = new Map<string, UnreadReason>();
  /** The values that were derived from the newest `SKILL.md` and this folder. */
  #derived: { readonly skill: SkillFile; readonly values: Map<unknown, unknown> } | undefined;

  /** `files` have paths below the folder `uri`. Results for unchanged files are taken from `before`. */
  constructor(uri: string, files: readonly FolderFile[], before?: SkillFolder) {
    this.uri = uri;
    const isOwn = ownTest(files.map(({ path }) => path));
    this.files = files.slice(0, MAX_FILES).filter(({ path }) => isOwn(path));
    this.unread = files.filter(({ isTooLarge }, at) => isTooLarge || at >= MAX_FILES).length;
    for (const [at, file] of files.entries()) {
      const reason = at >= MAX_FILES ? 'many-files' : file.isTooLarge ? 'too-large' : undefined;
      if (reason && isOwn(file.path)) this.#unread.set(resolvePath(uri, file.path), reason);
    }
    this.#byUri = new Map(
      this.files.map((file) => {
        const own = resolvePath(uri, file.path);
        const known = before ? before.#byUri.get(own) : undefined;
        return [own, known?.file.text === file.text && known ? { ...known, file } : { file }];
      }),
    );
  }

  /** Returns `make(skill, this)`, which is computed once for a `SKILL.md` until another one is passed. */
  of<Value>(skill: SkillFile, make: (skill: SkillFile, folder: SkillFolder) => Value): Value {
    if (this.#derived?.skill !== skill) this.#derived = { skill, values: new Map() };
    const { values } = this.#derived;
    if (!values.has(make)) values.set(make, make(skill, this));
    return values.get(make) as Value;
  }

  /** True if all files were read. In an incomplete folder, rules must not report a file as missing or unnamed. */
  get isComplete(): boolean {
    return this.unread === 0;
  }

  /** Returns the path of a URI below the folder; undefined for a URI outside it. */
  pathOf(uri: string): string | undefined {
    return uri.startsWith(`${this.uri}/`) ? decoded(uri.slice(this.uri.length + 1)) : undefined;
  }

  has(uri: string): boolean {
    return this.#byUri.has(uri);
  }

  /** Returns whether a file is in the folder `uri` or below it. */
  hasFolder(uri: string): boolean {
    const path = this.pathOf(uri);
    return path !== undefined && this.files.some((file) => file.path.startsWith(`${path}/`));
  }

  /** Returns a text file of the folder; undefined for other files and files that were not read. */
  find(uri: string): LinkedFile | undefined {
    const entry = this.#byUri.get(uri);
    if (entry?.file.text === undefined) return undefined;
    entry.parsed ??= new LinkedFile(uri, entry.file.text);
    return entry.parsed;
  }

  /** Returns a Markdown file of the folder; undefined for other files and files that were not read. */
  readonly findMarkdown = (uri: string): LinkedFile | undefined => (isMarkdown(uri) ? this.find(uri) : undefined);

  /** Returns why a Markdown file of the folder was not read; undefined for other files. */
  findUnreadMarkdown(uri: string): UnreadReason | undefined {
    return isMarkdown(uri) ? this.#unread.get(uri) : undefined;
  }

  /** Returns the names in a file of the folder; undefined for a file without text. */
  mentionsIn({ path }: FolderFile): FileMentions | undefined {
    const entry = this.#byUri.get(resolvePath(this.uri, path));
    if (entry?.file.text === undefined) return undefined;
    entry.naming ??= new FileMentions(path, entry.file.text);
    return entry.naming;
  }
}

// The files in a folder that a string mentions. A word that may be a file's name counts as a mention.

/** A word of a file name, without the hyphens that options and lists put before words. */
const WORD = /[\p{L}\p{N}_](?:[\p{L}\p{N}_-]*[\p{L}\p{N}_])?/gu;

const wordsIn = (name: string): readonly string[] => name.match(WORD) ?? [];

/** The names by which a text may name a file. */
export interface NamedFile {
  /** The path below the folder. */
  readonly path: string;
  /** The words of the name without its extension. */
  readonly words: readonly string[];
  readonly ending: string;
  /** The folders above the file, with their words. */
  readonly folders: readonly NamedFolder[];
}

interface NamedFolder {
  readonly name: string;
  readonly words: readonly string[];
}

/** Returns the names of the file with a path below the folder. Never throws. */
export function namedAs(path: string): NamedFile {
  const other = inOneForm(path);
  const name = fileNameOf(other);
  return {
    path: other,
    words: wordsIn(name.replace(/(?<=.)\.[^.]*$/, '')),
    ending: name.slice(name.lastIndexOf('.') + 1),
    folders: other
      .split('/')
      .slice(0, -1)
      .map((folder) => ({ name: folder, words: wordsIn(folder) })),
  };
}

const FIRST = String.raw`(?<![\p{L}\p{N}_.-])`;

/** Patterns that match mentions of a whole folder; `NAME` is replaced with its name, without parent folders. */
const WHOLE_FOLDER = [
  // `references/`, without a name after it.
  `${FIRST}NAME[/\\\\]{1,2}(?![\\w.%/\\\\-])`,
  // `references/*.md`, `references/{topic}.md`, `references/aws-<name>.md`.
  `${FIRST}NAME[/\\\\]{1,2}[\\w.-]{0,80}[*?{}<>[\\]$(%…]`,
  // `references` in quotes, in code, in bold and as a link target, also at the end of a path.
  `[/\\\\"'\`(*[]NAME[/\\\\]?["'\`)*\\]]`,
  `${FIRST}NAME[/\\\\]?["'\`*)\\]]{0,3}\\s{1,3}(?:sub)?(?:folder|director|dir\\b|files?\\b)`,
  `\\b(?:see|in|from|under|inside|within|read|load|check|consult|ls|find|tree|rg|grep)\\s{1,3}(?:the\\s{1,3}|-\\w{1,9}\\s{1,3}|\\./)?NAME(?![\\w/\\\\-]|\\.\\w)`,
].join('|');

/** A pattern such as `*.xsd`, which names all files with that extension. */
const ENDINGS = /\*\.([a-z\d]{1,10})\b/g;

/** Code that reads all files of a folder, whose name may be computed. */
const LISTS_FOLDER =
  /\b(?:iterdir|listdir|scandir|r?glob\w*|os\.walk|readdir\w*|walk_?dir|opendir|filewalk|import_module|__import__)\b|\bfor\s+\w+\s+in\s+[^\n;]{0,200}\*/i;

/**
 * The largest number of folders that a string is searched for. Any other folder counts as named if the text contains
 * its words.
 */
const MAX_FOLDERS = 32;

/** Returns text in which names that look the same are the same. */
const inOneForm = (text: string): string => text.normalize('NFC').toLowerCase();

/**
 * The files and folders that a string names. Searches the text for a folder on the first request, and caches the result.
 */
export class FileMentions {
  readonly #path: string;
  readonly #lower: string;
  #words: ReadonlySet<string> | undefined;
  readonly #endings: ReadonlySet<string>;
  readonly #folders = new Map<string, boolean>();
  #listsOwn: boolean | undefined;

  /** `path` is the path of the text's file below the folder; empty for the `SKILL.md`. */
  constructor(path: string, text: string) {
    this.#path = path;
    this.#lower = inOneForm(text).replace(/(?:%[0-9a-f]{2})+/g, decoded);
    this.#endings = new Set([...this.#lower.matchAll(ENDINGS)].map(([, ending = '']) => ending));
  }

  /** Returns whether the text names a file. */
  names({ path, words, ending, folders }: NamedFile): boolean {
    if (this.#hasWords(words) || this.#endings.has(ending)) return true;
    if (this.#isInOwnFolder(path) && this.#listsOwnFolder()) return true;
    return folders.some((folder) => this.#namesFolder(folder));
  }

  #hasWords(words: readonly string[]): boolean {
    // Most words are not in the text at all, so its words are rarely needed.
    if (!words.every((word) => this.#lower.includes(word))) return false;
    this.#words ??= new Set(wordsIn(this.#lower));
    return words.every((word) => this.#words?.has(word));
  }

  #isInOwnFolder(other: string): boolean {
    if (this.#path === '') return false;
    return !this.#path.includes('/') || other.startsWith(`${folderOf(inOneForm(this.#path))}/`);
  }

  #listsOwnFolder(): boolean {
    this.#listsOwn ??= this.#namesFolder({ name: '.', words: [] }) || LISTS_FOLDER.test(this.#lower);
    return this.#listsOwn;
  }

  #namesFolder({ name, words }: NamedFolder): boolean {
    if (!this.#hasWords(words)) return false;
    const known = this.#folders.get(name);
    if (known !== undefined) return known;
    const isNamed = this.#folders.size >= MAX_FOLDERS || wholeFolder(name).test(this.#lower);
    this.#folders.set(name, isNamed);
    return isNamed;
  }
}

const wholeFolder = (name: string): RegExp => {
  const literal = name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(
    WHOLE_FOLDER.replaceAll('NAME', () => literal),
    'u',
  );
};

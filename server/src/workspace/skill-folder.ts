/** The files beside a `SKILL.md`, as a host has read them: which there are, and what is found out of their texts. */
import { type FolderFile, MAX_FILES } from '../abilities/folder.ts';
import { SkillFile } from '../skill/skill-file.ts';
import { decoded, fileNameOf, folderOf, isAgentSkillName } from '../vocabulary/dialect.ts';
import { resolvePath } from './links.ts';
import { Naming } from './naming.ts';

/** Longer Markdown is not parsed, in characters. */
const MAX_PARSED = 200_000;

/** A file, and what is kept with its text. */
interface Entry {
  readonly file: FolderFile;
  parsed?: SkillFile;
  naming?: Naming;
}

export class SkillFolder {
  /** The URI of the folder. */
  readonly uri: string;
  /** Without the `SKILL.md` itself and the folders of other skills. */
  readonly files: readonly FolderFile[];
  /** How many files are not looked at: those beyond the limit, and those that are too large. */
  readonly unread: number;
  readonly #byUri: ReadonlyMap<string, Entry>;

  /** What was found out of texts that are as they were is taken over from the folder `before`. */
  constructor(uri: string, files: readonly FolderFile[], before?: SkillFolder) {
    this.uri = uri;
    const nested = files.flatMap(({ path }) =>
      path.includes('/') && isAgentSkillName(fileNameOf(path)) ? [`${folderOf(path)}/`] : [],
    );
    this.files = files
      .slice(0, MAX_FILES)
      .filter(({ path }) => !isAgentSkillName(path) && !nested.some((folder) => path.startsWith(folder)));
    this.unread = files.filter(({ isTooLarge }, at) => isTooLarge || at >= MAX_FILES).length;
    this.#byUri = new Map(
      this.files.map((file) => {
        const own = resolvePath(uri, file.path);
        const known = before ? before.#byUri.get(own) : undefined;
        return [own, known?.file.text === file.text && known ? { ...known, file } : { file }];
      }),
    );
  }

  /** True where nothing may be called missing or unnamed because it was not looked at. */
  get isWhole(): boolean {
    return this.unread === 0;
  }

  /** The path of a file below the folder; undefined for one elsewhere. */
  pathOf(uri: string): string | undefined {
    return uri.startsWith(`${this.uri}/`) ? decoded(uri.slice(this.uri.length + 1)) : undefined;
  }

  has(uri: string): boolean {
    return this.#byUri.has(uri);
  }

  /** Whether a file lies in this folder, or below it. */
  hasFolder(uri: string): boolean {
    const path = this.pathOf(uri);
    return path !== undefined && this.files.some((file) => file.path.startsWith(`${path}/`));
  }

  /** A text file of the folder; undefined for what is none, or was not read. */
  find(uri: string): SkillFile | undefined {
    const entry = this.#byUri.get(uri);
    if (entry?.file.text === undefined) return undefined;
    entry.parsed ??= new SkillFile(uri, entry.file.text);
    return entry.parsed;
  }

  /** The same of a Markdown file alone, if it is short enough to be parsed. */
  readonly findMarkdown = (uri: string): SkillFile | undefined => {
    const file = /\.(?:md|markdown|mdx)$/i.test(uri) ? this.find(uri) : undefined;
    return file && file.text.length <= MAX_PARSED ? file : undefined;
  };

  /** What a file of the folder names; undefined for what has no text. */
  naming({ path }: FolderFile): Naming | undefined {
    const entry = this.#byUri.get(resolvePath(this.uri, path));
    if (entry?.file.text === undefined) return undefined;
    entry.naming ??= new Naming(path, entry.file.text);
    return entry.naming;
  }
}

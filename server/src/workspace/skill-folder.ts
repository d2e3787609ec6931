/** The files beside a `SKILL.md`, as a host has read them: which there are, and those of text as parsed files. */
import { type FolderFile, MAX_FILES } from '../abilities/folder.ts';
import { SkillFile } from '../skill/skill-file.ts';
import { decoded, fileNameOf, folderOf, isAgentSkillName } from '../vocabulary/dialect.ts';
import { resolvePath } from './links.ts';

/** Longer Markdown is not parsed, in characters. */
const MAX_PARSED = 200_000;

export class SkillFolder {
  /** The URI of the folder. */
  readonly uri: string;
  /** Without the `SKILL.md` itself and the folders of other skills. */
  readonly files: readonly FolderFile[];
  /** How many files are not looked at: those beyond the limit, and those that are too large. */
  readonly unread: number;
  readonly #byUri: ReadonlyMap<string, FolderFile>;
  readonly #parsed = new Map<string, SkillFile>();

  constructor(uri: string, files: readonly FolderFile[]) {
    this.uri = uri;
    const nested = files.flatMap(({ path }) =>
      path.includes('/') && isAgentSkillName(fileNameOf(path)) ? [`${folderOf(path)}/`] : [],
    );
    this.files = files
      .slice(0, MAX_FILES)
      .filter(({ path }) => !isAgentSkillName(path) && !nested.some((folder) => path.startsWith(folder)));
    this.unread = files.filter(({ isTooLarge }, at) => isTooLarge || at >= MAX_FILES).length;
    this.#byUri = new Map(this.files.map((file) => [resolvePath(uri, file.path), file]));
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
    const text = this.#byUri.get(uri)?.text;
    if (text === undefined) return undefined;
    const file = this.#parsed.get(uri) ?? new SkillFile(uri, text);
    this.#parsed.set(uri, file);
    return file;
  }

  /** The same of a Markdown file alone, if it is short enough to be parsed. */
  readonly findMarkdown = (uri: string): SkillFile | undefined => {
    const file = /\.(?:md|markdown|mdx)$/i.test(uri) ? this.find(uri) : undefined;
    return file && file.text.length <= MAX_PARSED ? file : undefined;
  };
}

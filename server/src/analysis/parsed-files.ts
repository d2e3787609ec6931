/** The parsed files of an analysis: all open and awaited files, and the most recently used closed files. */
import { type FileEntry, SkillFile } from '../skill/skill-file.ts';

/**
 * The maximum number of closed files in the cache. The limit is small, because a tree is several times as large as its
 * text.
 */
const MAX_CLOSED = 64;

/** A cache of parsed files. */
export class ParsedFiles {
  readonly #open = new Map<string, SkillFile>();
  /** Files that were read and will be requested soon. */
  readonly #awaited = new Map<string, SkillFile>();
  /** Closed files, the most recently used last. */
  readonly #closed = new Map<string, SkillFile>();

  /** Returns the cached file if it has the text of the entry; otherwise returns a new file. */
  get(entry: FileEntry): SkillFile {
    const { uri, text } = entry;
    const open = this.#open.get(uri);
    if (open?.text === text) return open;
    const known = this.#awaited.get(uri) ?? this.#closed.get(uri);
    const file = known?.text === text ? known : SkillFile.of(entry);
    this.#awaited.delete(uri);
    this.#closed.delete(uri);
    this.#closed.set(uri, file);
    const [oldest] = this.#closed.size > MAX_CLOSED ? this.#closed.keys() : [];
    if (oldest !== undefined) this.#closed.delete(oldest);
    return file;
  }

  /** Returns the last known state of a file, whose text may be older than the text in the index. */
  last(uri: string): SkillFile | undefined {
    return this.#open.get(uri) ?? this.#awaited.get(uri) ?? this.#closed.get(uri);
  }

  /** Keeps a file until it is closed. */
  keepOpen(file: SkillFile): void {
    this.#closed.delete(file.uri);
    this.#open.set(file.uri, file);
  }

  /** Keeps a file until it is requested. */
  keepAwaited(file: SkillFile): void {
    this.#awaited.set(file.uri, file);
  }

  close(uri: string): void {
    this.#open.delete(uri);
    this.#awaited.delete(uri);
  }
}

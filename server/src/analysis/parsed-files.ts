/** The parsed files of an analysis: those that are open or awaited, and of the others the last that were asked for. */
import { type FileEntry, SkillFile } from '../skill/skill-file.ts';

/** A tree takes a multiple of its text, so of closed files few are kept. */
const MAX_CLOSED = 64;

export class ParsedFiles {
  readonly #open = new Map<string, SkillFile>();
  /** Those that nobody has asked for since they were read, and somebody will. */
  readonly #awaited = new Map<string, SkillFile>();
  /** In the order in which they were asked for. */
  readonly #closed = new Map<string, SkillFile>();

  /** The file of this text: the one that is known, or a new one that is parsed when somebody asks it. */
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

  /** The last state of a file that was parsed, whatever the text. */
  last(uri: string): SkillFile | undefined {
    return this.#open.get(uri) ?? this.#awaited.get(uri) ?? this.#closed.get(uri);
  }

  /** Keeps a file for as long as it is open. */
  keepOpen(file: SkillFile): void {
    this.#closed.delete(file.uri);
    this.#open.set(file.uri, file);
  }

  /** Keeps a file until somebody asks for it. */
  keepAwaited(file: SkillFile): void {
    this.#awaited.set(file.uri, file);
  }

  close(uri: string): void {
    this.#open.delete(uri);
    this.#awaited.delete(uri);
  }
}

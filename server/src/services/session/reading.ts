/** The state of reading files: the files to read, and the files that were read but are not stored yet. */
import { isCatalog } from '../../io/globs.ts';
import type { ReadFile } from './messages.ts';

/** The number of files in a batch: small, so that other reads for an open file are not delayed. */
const AT_ONCE = 8;

/** The stages of a complete reading. Afterwards, files are read when they change. */
type Stage = 'unread' | 'finding' | 'catalogs' | 'skills' | 'finding-account' | 'account' | 'done';

export class ReadingState {
  /** The number of the reading. Results of older readings are ignored. */
  serial = 0;
  stage: Stage = 'unread';
  /** True if a batch is being read. */
  isBusy = false;
  #left: string[] = [];
  #later: string[] = [];
  #files: ReadFile[] = [];

  get isDone(): boolean {
    return this.stage === 'done' && !this.isBusy && this.#left.length === 0 && this.#files.length === 0;
  }

  /** True if every catalog of the folders has been read. */
  get knowsCatalogs(): boolean {
    return !['unread', 'finding', 'catalogs'].includes(this.stage);
  }

  begin(stage: 'finding' | 'finding-account'): number {
    this.stage = stage;
    return ++this.serial;
  }

  /**
   * Sets the files of a reading. Catalogs are read first, because they set the severities of the other files' findings.
   */
  found(uris: readonly string[]): void {
    if (this.stage === 'finding-account') {
      this.stage = 'account';
      this.#left.push(...uris);
      return;
    }
    this.stage = 'catalogs';
    this.#left.push(...uris.filter(isCatalog));
    this.#later = uris.filter((uri) => !isCatalog(uri));
  }

  get hasFile(): boolean {
    return this.#files.length > 0;
  }

  /** True if a batch can be read, or the next stage can begin. */
  get isWaiting(): boolean {
    return (
      !this.isBusy && this.#files.length === 0 && (this.#left.length > 0 || this.stage === 'catalogs' || this.isAtEnd)
    );
  }

  /** Adds files, which are then read before the waiting files. */
  add(uris: readonly string[]): void {
    this.#left = [...new Set([...uris, ...this.#left])];
  }

  /** Adds files that no longer exist, which are then removed one by one. */
  addDeleted(uris: Iterable<string>): void {
    for (const uri of uris) this.#files.push({ uri, content: { kind: 'absent' } });
  }

  /** Returns the next files to read; an empty list at the end of a stage. */
  nextBatch(): readonly string[] {
    if (this.#left.length === 0 && this.stage === 'catalogs') {
      this.stage = 'skills';
      [this.#left, this.#later] = [this.#later, []];
    }
    return this.#left.splice(0, AT_ONCE);
  }

  /** True if a stage is complete, so that the next stage can begin. */
  get isAtEnd(): boolean {
    const isReading = this.stage === 'skills' || this.stage === 'account';
    return isReading && !this.isBusy && this.#left.length === 0 && this.#files.length === 0;
  }

  read(files: readonly ReadFile[]): void {
    this.isBusy = false;
    this.#files.push(...files);
  }

  /** Removes and returns the next file to store. */
  nextFile(): ReadFile | undefined {
    return this.#files.shift();
  }
}

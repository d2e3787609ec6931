/** The state of reading files: which are still to be read, and what was read and is not taken in yet. */
import { isCatalog } from '../files/globs.ts';
import type { ReadFile } from './messages.ts';

/** Few, so that an answer of the disk for an open file comes between. */
const AT_ONCE = 8;

/** A whole reading goes through these stages; after that files are read as they change. */
type Stage = 'unread' | 'finding' | 'catalogs' | 'skills' | 'finding-account' | 'account' | 'done';

export class Reading {
  /** Which reading this is: what an older one finds is out of date. */
  serial = 0;
  stage: Stage = 'unread';
  /** Whether a batch is being read. */
  isBusy = false;
  #left: string[] = [];
  #later: string[] = [];
  #files: ReadFile[] = [];

  get isDone(): boolean {
    return this.stage === 'done' && !this.isBusy && this.#left.length === 0 && this.#files.length === 0;
  }

  /** Whether every catalog of the folders has been read. */
  get knowsCatalogs(): boolean {
    return !['unread', 'finding', 'catalogs'].includes(this.stage);
  }

  begin(stage: 'finding' | 'finding-account'): number {
    this.stage = stage;
    return ++this.serial;
  }

  /** The files of a reading: catalogs come first, since they decide how severe the findings of the others are. */
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

  /** Whether a batch can be read, or the next stage begun. */
  get isWaiting(): boolean {
    return (
      !this.isBusy && this.#files.length === 0 && (this.#left.length > 0 || this.stage === 'catalogs' || this.isAtEnd)
    );
  }

  /** Files to be read before those that wait already. */
  add(uris: readonly string[]): void {
    this.#left = [...new Set([...uris, ...this.#left])];
  }

  /** The next files to read; none while others are being read or wait to be taken in. */
  nextBatch(): readonly string[] {
    if (this.#left.length === 0 && this.stage === 'catalogs') {
      this.stage = 'skills';
      [this.#left, this.#later] = [this.#later, []];
    }
    return this.#left.splice(0, AT_ONCE);
  }

  /** Whether a stage has come to its end, so that the next one may begin. */
  get isAtEnd(): boolean {
    const isReading = this.stage === 'skills' || this.stage === 'account';
    return isReading && !this.isBusy && this.#left.length === 0 && this.#files.length === 0;
  }

  read(files: readonly ReadFile[]): void {
    this.isBusy = false;
    this.#files.push(...files);
  }

  /** The next file to take in. */
  nextFile(): ReadFile | undefined {
    return this.#files.shift();
  }
}

/** Readings of whole folders of skills, which two who ask at the same time share. */
import type { FolderFile } from '../../abilities/folder.ts';
import type { Files } from './files.ts';
import { readFolder } from './read-folder.ts';

type Reading = Promise<readonly FolderFile[]>;

export class FolderReadings {
  readonly #files: Files;
  readonly #underWay = new Map<string, Reading>();

  constructor(files: Files) {
    this.#files = files;
  }

  /** Reads a folder anew. Where it is read as a whole, others get the same files until `use` ends. */
  async read<Result>(
    folder: string,
    isWanted: ((path: string) => boolean) | undefined,
    use: (files: readonly FolderFile[]) => Promise<Result>,
  ): Promise<Result> {
    const reading = readFolder(this.#files, folder, isWanted);
    if (!isWanted) this.#underWay.set(folder, reading);
    try {
      return await use(await reading);
    } finally {
      if (this.#underWay.get(folder) === reading) this.#underWay.delete(folder);
    }
  }

  /** The files as the newest reading that is under way finds them, or as they are now. */
  share(folder: string): Reading {
    return this.#underWay.get(folder) ?? readFolder(this.#files, folder);
  }
}

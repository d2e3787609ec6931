/** The loop of the language server over the files of a run, for a command that goes on (server/README.md). */
import { utf16 } from '../../../features/locate.ts';
import type { Files } from '../../disk/files.ts';
import { FolderReadings } from '../../disk/folder-readings.ts';
import { nodeFiles } from '../../disk/node-files.ts';
import { toUri } from '../../disk/paths.ts';
import { systemClock } from '../../session/clock.ts';
import { Session } from '../../session/session.ts';
import type { Selection } from '../selection.ts';

export interface WatchedFiles {
  /** The files of a run, as they are on the disk now. */
  readonly select: () => Promise<Selection>;
  /** What is to be watched beside the files of the run. */
  readonly watch: (folders: readonly string[]) => void;
  readonly log: (message: string) => void;
  /** Is told of each file whose findings are other ones; without it, no file is checked. */
  readonly published: ((uri: string) => void) | undefined;
}

/** Reads the same files as a run without it; composes no sample by itself. */
export function openWatchedSession(roots: readonly string[], { select, watch, log, published }: WatchedFiles): Session {
  const folders = roots.map(toUri);
  const files: Files = {
    ...nodeFiles,
    find: async (asked, globs) =>
      asked.some((folder) => folders.includes(folder))
        ? (await select()).read.map(toUri)
        : nodeFiles.find(asked, globs),
  };
  return new Session({
    files,
    folderReadings: new FolderReadings(files),
    folders,
    clock: systemClock,
    locate: utf16,
    settings: {},
    editor: undefined,
    pull: published === undefined,
    hearsLater: false,
    trusted: true,
    composeSamples: async () => undefined,
    client: {
      publish: (uri) => published?.(uri),
      refreshDiagnostics: () => undefined,
      announce: () => undefined,
      watch,
      log: (_, message) => log(message),
    },
  });
}

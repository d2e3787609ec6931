/** The options of a session. */
import type { Diagnostic } from 'vscode-languageserver-types';
import type { Analysis } from '../../analysis/analysis.ts';
import type { AddressOfRule } from '../../features/diagnostics.ts';
import type { Locate } from '../../features/locate.ts';
import type { Files } from '../../io/files.ts';
import type { FolderReadings } from '../../io/read-folder.ts';
import type { Settings } from '../../protocol.ts';
import type { SamplesOfFile } from './messages.ts';
import type { Clock } from './pacing.ts';

/** The changes since the last announcement, in addition to the edited files. */
export interface Changes {
  /** True if a catalog or the names, edges or contracts of skills changed. */
  readonly graph: boolean;
  /** True if something changed that affects every file, such as severities. */
  readonly everything: boolean;
  /** True if compositions of other skills changed. */
  readonly compositions: boolean;
  /** The edited files, and the files that the edits affect. */
  readonly concerned: ReadonlySet<string> | 'all';
  /** The files that compose an edited file, directly or indirectly. */
  readonly composers: ReadonlySet<string>;
}

/** The connection of a session to its client. */
export interface Client {
  publish(uri: string, version: number | undefined, diagnostics: readonly Diagnostic[]): void;
  /** Asks the client to request diagnostics again. */
  refreshDiagnostics(): void;
  /** Does a part of the work for an announcement. Returns false if no work is left. */
  prepare?(analysis: Analysis): boolean;
  announce(changes: Changes, analysis: Analysis): void;
  /** Asks the client to watch `folders`, which are outside the workspace, instead of the earlier folders. */
  watch(folders: readonly string[]): void;
  log(level: 'warn' | 'error', message: string): void;
  /** Shows a warning to the user. */
  warn(message: string): void;
}

export interface SessionOptions {
  readonly client: Client;
  readonly files: Files;
  readonly folderReadings: FolderReadings;
  readonly clock: Clock;
  /**
   * Composes the samples of a file. Returns undefined if they cannot be composed now or `isStale` returns true. Rejects
   * with a `UserError` if the worker cannot be started.
   */
  readonly composeSamples: (
    analysis: Analysis,
    uri: string,
    isStale: () => boolean,
  ) => Promise<SamplesOfFile | undefined>;
  readonly locate: Locate;
  readonly folders: readonly string[];
  readonly settings: Settings;
  /** Returns the address of a rule's page, to which diagnostics link; undefined if the client shows no links. */
  readonly addressOf?: AddressOfRule | undefined;
  /** True if each diagnostic contains the title of its preferred fix, for a client that shows it. */
  readonly namesFixes?: boolean;
  /** The editor's name, if known. */
  readonly editor: string | undefined;
  /** True if the client pulls diagnostics, false if the server publishes them. */
  readonly pull: boolean;
  /** True if the server can update diagnostics without an edit, by publishing or by asking the client to refresh. */
  readonly canRefreshDiagnostics: boolean;
  /** False unless the client has declared the workspace trusted. */
  readonly trusted: boolean;
}

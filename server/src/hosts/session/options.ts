/** What a session is given. */
import type { Diagnostic } from 'vscode-languageserver-types';
import type { Analysis } from '../../analysis/analysis.ts';
import type { Locate } from '../../features/locate.ts';
import type { Settings } from '../../protocol.ts';
import type { Index } from '../../workspace/workspace-index.ts';
import type { Files } from '../files/files.ts';
import type { FolderReadings } from '../files/read-folder.ts';
import type { Clock } from './clock.ts';
import type { SamplesOfFile } from './messages.ts';

/** What has changed since the last announcement, beyond the files that were edited. */
export interface News {
  /** Names, edges or contracts of skills, or a catalog. */
  readonly graph: boolean;
  /** Something that every file is held against, such as severities. */
  readonly everything: boolean;
  /** What other skills than the edited ones are composed of. */
  readonly compositions: boolean;
  /** The files that were edited, and those that the edits concern. */
  readonly concerned: ReadonlySet<string> | 'all';
  /** The files that compose edited ones, directly or not. */
  readonly composers: ReadonlySet<string>;
}

/** The client, as a session speaks to it. */
export interface Client {
  publish(uri: string, version: number | undefined, diagnostics: readonly Diagnostic[]): void;
  /** Asks the client to ask for diagnostics again. */
  refreshDiagnostics(): void;
  announce(news: News, index: Index): void;
  /** Asks to be told of changes in these folders outside the workspace, in place of those before. */
  watch(folders: readonly string[]): void;
  log(level: 'warn' | 'error', message: string): void;
}

export interface SessionOptions {
  readonly client: Client;
  readonly files: Files;
  readonly folderReadings: FolderReadings;
  readonly clock: Clock;
  /** Composes the samples of a file; undefined where nothing new is known, or `isStale` says so on the way. */
  readonly composeSamples: (
    analysis: Analysis,
    uri: string,
    isStale: () => boolean,
  ) => Promise<SamplesOfFile | undefined>;
  readonly locate: Locate;
  readonly folders: readonly string[];
  readonly settings: Settings;
  /** The editor's name, where it says. */
  readonly editor: string | undefined;
  /** True where the client asks for diagnostics, false where they are published. */
  readonly pull: boolean;
  /** Whether the client hears of findings that come without an edit: they are published, or it can be asked to ask again. */
  readonly hearsLater: boolean;
  /** False where nobody has said that the workspace's own files may be relied on. */
  readonly trusted: boolean;
}

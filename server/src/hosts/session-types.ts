/** What a session is given, and what it offers to those who wire the protocol. */
import type { Connection } from 'vscode-languageserver';
import type { TextDocument, TextDocumentContentChangeEvent } from 'vscode-languageserver-textdocument';
import type { Locate } from '../features/locate.ts';
import type { Settings } from '../protocol.ts';
import type { SkillDocument } from '../skill/document.ts';
import type { Affected } from '../workspace/workspace.ts';
import type { SampleFailure, WorkspaceIndex } from '../workspace/workspace-index.ts';
import type { Files } from './files.ts';
import type { CacheStore } from './index-cache/store.ts';
import type { Reports } from './reports.ts';

export interface SessionOptions {
  readonly connection: Connection;
  readonly files: Files;
  readonly locate: Locate;
  readonly folders: readonly string[];
  readonly settings: Settings;
  /** The editor's name, where it says. */
  readonly editor: string | undefined;
  /** True where the client asks for diagnostics, false where the server publishes them. */
  readonly pull: boolean;
  /** True where the client understands the request to ask for diagnostics again. */
  readonly refreshable: boolean;
  /** False where nobody has said that the workspace's own files may be relied on. */
  readonly trusted: boolean;
  /** Asks the client to tell of changes in folders outside the workspace, in place of those asked for before. */
  readonly watch: (folders: readonly string[]) => void;
  /** Where to keep what is known for the next start; undefined where nothing is to be kept. */
  readonly cache: CacheStore | undefined;
}

/** `affected` are the files whose findings may have changed. */
export type TextListener = (uri: string, affected: Affected) => void;

export interface Session {
  readonly locate: Locate;
  readonly pull: boolean;
  readonly reports: Reports;
  /** The snapshot with every keystroke taken in. */
  index(): WorkspaceIndex;
  /** The snapshot as it is, for who must not take in what is being typed. */
  snapshot(): WorkspaceIndex;
  document(uri: string): SkillDocument | undefined;
  /** The version of a buffer; null where the file is not open. */
  version(uri: string): number | null;
  /** Calls the listener after every text that came, changed or went. */
  onText(listener: TextListener): void;
  /** Takes in what composing the samples of a file came to. */
  setSamples(uri: string, failures: readonly SampleFailure[]): void;
  /** Takes in what an open file was when its version was given out. */
  setBaseline(uri: string, text: string | undefined): void;
  open(document: TextDocument): void;
  change(uri: string, version: number, changes: readonly TextDocumentContentChangeEvent[]): void;
  close(uri: string): Promise<void>;
  saved(uri: string): Promise<void>;
  changedOnDisk(uris: readonly string[]): Promise<void>;
  setSettings(settings: Settings): Promise<void>;
  changeFolders(added: readonly string[], removed: readonly string[]): Promise<void>;
  /** Reads the whole workspace. */
  load(): Promise<void>;
  /** Resolves when an open file can be checked: what governs it has been read. */
  governed(uri: string): Promise<void>;
  /** Resolves when the whole workspace has been read, and checked as far as somebody wants to know of it. */
  checked(): Promise<void>;
  /**
   * Whether what is said of a file reaches anybody. Who is sent diagnostics sees those of all files; who asks, asks for the
   * files that are open, and most never for others: to judge 10,000 of them would be three quarters of the work of a start.
   */
  isWanted(uri: string): boolean;
  /** Says that somebody asks for what is said of every file, now and from now on. */
  wantAll(): void;
  /** Calls the listener when more is wanted than before. */
  onWanted(listener: () => void): void;
}

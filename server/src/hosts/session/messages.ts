/** All that a session is told: by the client, and by the tasks that it has started itself. */
import type { TextDocument, TextDocumentContentChangeEvent } from 'vscode-languageserver-textdocument';
import type { FileLink } from '../../agent-skills/subject.ts';
import type { FileContent, Settings } from '../../protocol.ts';
import type { SkillFolder } from '../../workspace/skill-folder.ts';
import type { SampleFailure } from '../../workspace/workspace-index.ts';
import type { Existence } from '../files/look-for.ts';

export type Message =
  /** From here on the client answers requests: the workspace can be read. */
  | { readonly kind: 'start' }
  | { readonly kind: 'open'; readonly document: TextDocument }
  | {
      readonly kind: 'change';
      readonly uri: string;
      readonly version: number;
      readonly changes: readonly TextDocumentContentChangeEvent[];
    }
  | { readonly kind: 'close' | 'save'; readonly uri: string }
  /** These files came, changed or went on the disk. */
  | { readonly kind: 'watched'; readonly uris: readonly string[] }
  /** What an open file was when its version was released; undefined where that is not known. */
  | { readonly kind: 'released'; readonly uri: string; readonly text: string | undefined }
  /** Whether there are requests in the `evals/` beside a `SKILL.md`. */
  | { readonly kind: 'triggers'; readonly uri: string; readonly isThere: boolean }
  | { readonly kind: 'settings'; readonly settings: Settings }
  | { readonly kind: 'folders'; readonly added: readonly string[]; readonly removed: readonly string[] }
  /** Somebody asks for the diagnostics of every file, now and from now on. */
  | { readonly kind: 'want-all' }
  | TaskResult;

/** What a task found out. */
export type TaskResult =
  /** The files below the folders of the workspace, or of the account. `reading` tells which search it was. */
  | {
      readonly kind: 'found';
      readonly reading: number;
      readonly uris: readonly string[];
      /** Why nothing could be found. */
      readonly problem?: string;
    }
  | { readonly kind: 'read'; readonly files: readonly ReadFile[] }
  /** The catalogs that govern an open file are read. */
  | { readonly kind: 'governed'; readonly uri: string; readonly files: readonly ReadFile[] }
  | { readonly kind: 'exists'; readonly targets: readonly Existence[] }
  /** What is in the folder of a `SKILL.md`; of a closed one its scripts alone have a text. */
  | { readonly kind: 'folder'; readonly uri: string; readonly folder: SkillFolder }
  /** How an open `SKILL.md` is reached through symbolic links. */
  | { readonly kind: 'link'; readonly uri: string; readonly link: FileLink | undefined }
  /** Undefined where nothing new is known of the samples. */
  | { readonly kind: 'samples'; readonly uri: string; readonly composed: SamplesOfFile | undefined }
  /** No sample can be composed in this session. */
  | { readonly kind: 'no-samples'; readonly reason: string };

/** What composing the samples of a file gave. */
export interface SamplesOfFile {
  readonly failures: readonly SampleFailure[];
  /** One was stopped: none is tried again until the file changes. */
  readonly isStopped: boolean;
}

export interface ReadFile {
  readonly uri: string;
  readonly content: FileContent;
}

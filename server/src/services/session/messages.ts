/** The messages to a session: from the client, and from the tasks that it has started. */
import type { TextDocument, TextDocumentContentChangeEvent } from 'vscode-languageserver-textdocument';
import type { FileLink } from '../../clients/matrix/subject.ts';
import type { Existence } from '../../io/check-existence.ts';
import type { ClientSkillFile } from '../../io/files.ts';
import type { SkillLink } from '../../io/linked-skills.ts';
import type { FileContent, Settings } from '../../protocol.ts';
import type { SkillFolder } from '../../skill-folder/skill-folder.ts';
import type { SampleFailure, TriggerRequest } from '../../workspace/workspace-index.ts';
import type { Compared } from './disk-changes.ts';

export type Message =
  /** The client answers requests from now on, so the workspace can be read. */
  | { readonly kind: 'start' }
  | { readonly kind: 'open'; readonly document: TextDocument }
  | {
      readonly kind: 'change';
      readonly uri: string;
      readonly version: number;
      readonly changes: readonly TextDocumentContentChangeEvent[];
    }
  | { readonly kind: 'close' | 'save'; readonly uri: string }
  /** Files or folders were created, changed or deleted on disk. */
  | { readonly kind: 'watched'; readonly uris: readonly string[] }
  /** All files on disk must be compared with the index. */
  | { readonly kind: 'refresh' }
  /** The text of an open skill in its last release; undefined if unknown. */
  | { readonly kind: 'released'; readonly uri: string; readonly text: string | undefined }
  /** True if the `evals/` folder beside a `SKILL.md` contains requests. */
  | { readonly kind: 'triggers'; readonly uri: string; readonly requests: readonly TriggerRequest[] }
  | { readonly kind: 'settings'; readonly settings: Settings }
  | { readonly kind: 'folders'; readonly added: readonly string[]; readonly removed: readonly string[] }
  /** The client requests the diagnostics of all files, now and from now on. */
  | { readonly kind: 'want-all' }
  | TaskResult;

/** The result of a task. */
export type TaskResult =
  /** The files below the workspace folders or the account's folders. `reading` is the number of the search. */
  | {
      readonly kind: 'found';
      readonly reading: number;
      readonly uris: readonly string[];
      /** The reason if the search failed. */
      readonly problem?: string;
    }
  /** The files on disk below the compared paths, and those that the index contained before. */
  | {
      readonly kind: 'compared';
      readonly compared: Compared;
      readonly known: ReadonlySet<string>;
      readonly uris: readonly string[];
      readonly problem?: string;
    }
  | { readonly kind: 'read'; readonly files: readonly ReadFile[] }
  /** The catalogs that govern an open file, after they have been read. */
  | { readonly kind: 'catalogs-read'; readonly uri: string; readonly files: readonly ReadFile[] }
  | { readonly kind: 'exists'; readonly targets: readonly Existence[] }
  /** The files in the folder of a `SKILL.md`. If the `SKILL.md` is closed, only the scripts have text. */
  | { readonly kind: 'folder'; readonly uri: string; readonly folder: SkillFolder }
  /** The symbolic link through which an open `SKILL.md` was found. */
  | { readonly kind: 'link'; readonly uri: string; readonly link: FileLink | undefined }
  /** The skills that clients reach only through links to folders. */
  | { readonly kind: 'linked-skills'; readonly links: readonly SkillLink[] }
  /** The skills that only clients find; undefined after a search that failed. */
  | {
      readonly kind: 'client-skills';
      readonly skills: readonly ClientSkillFile[] | undefined;
      readonly problem?: string;
    }
  /** `composed` is undefined if the samples were not composed. */
  | { readonly kind: 'samples'; readonly uri: string; readonly composed: SamplesOfFile | undefined }
  /** The worker that composes samples could not be started. The reason is one or more sentences. */
  | { readonly kind: 'no-samples'; readonly reason: string };

/** The result of composing the samples of a file. */
export interface SamplesOfFile {
  readonly failures: readonly SampleFailure[];
  /** True if a sample was stopped. In this case, the samples are not composed again until the file changes. */
  readonly isStopped: boolean;
}

export interface ReadFile {
  readonly uri: string;
  readonly content: FileContent;
}

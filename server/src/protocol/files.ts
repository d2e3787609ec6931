/** What a server that has no file system of its own, in a browser, asks its client for. */

import type { OutputFile, Target } from '../exchange/conversion.ts';
import type { Range } from '../text.ts';
import type { Unreadable } from '../workspace/unreadable.ts';

export const FindFilesRequest = 'skill/findFiles';
/** Params: a folder, and globs relative to it. Result: the URIs that match, and perhaps others. */
export interface FindFilesParams {
  readonly folder: string;
  readonly globs: readonly string[];
}

export const ReadFileRequest = 'skill/readFile';
/** Params: a URI. Result: a `FileContent`. */
export interface ReadFileParams {
  readonly uri: string;
}

/** What a host finds in a file. `target` is the URI that a link leads to. */
export type FileContent =
  | { readonly kind: 'text'; readonly text: string; readonly target?: string }
  | { readonly kind: 'unreadable'; readonly reason: Unreadable; readonly target?: string }
  /** A link to a file that is read itself. */
  | { readonly kind: 'same'; readonly target: string }
  | { readonly kind: 'absent' };

/** No host reads more of a file. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;

export const ExistsRequest = 'skill/exists';

/** Params: a folder's URI. Result: what is directly in it, as a list of `ListedEntry`; nothing where there is no such folder. */
export const ListFolderRequest = 'skill/listFolder';
export interface ListedEntry {
  readonly name: string;
  /** A link to a folder is a link. */
  readonly kind: 'file' | 'folder' | 'link' | 'other';
}

export const ReadBytesRequest = 'skill/readBytes';
/** Params: a URI, and how many bytes the file may have. Result: a `BytesContent`; nothing is read through a link. */
export interface ReadBytesParams {
  readonly uri: string;
  readonly most: number;
}
export type BytesContent =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'unreadable'; readonly reason: Unreadable }
  | { readonly kind: 'absent' };

/** Writes and removes files below a folder, all of them or none. Nothing is written through a link. */
export const WriteTreeRequest = 'skill/writeTree';
export interface WriteTreeParams {
  /** The folder's URI; paths are below it. */
  readonly folder: string;
  readonly write: readonly { readonly path: string; readonly bytes: Uint8Array }[];
  readonly remove: readonly string[];
}
/** The problem, a part of a sentence; null where it is done. */
export interface WriteTreeReply {
  readonly problem: string | null;
}

/** The first texts of a new skill and of a new catalog: the params and replies. */
export interface NewSkillParams {
  readonly kind: 'literal' | 'template' | 'staged' | 'composite' | 'workflow' | 'contract' | 'agent-skill';
  /** Words that are no name become one: `Release Notes` gives `release-notes`. */
  readonly name: string;
  /** The URIs of the skills that a composite or a workflow is made of. */
  readonly composes?: readonly string[];
  /** Without one, a sentence is made from the name. */
  readonly description?: string;
}
/** A file to be, or what is wrong with the name or the description. */
export type NewSkillResult =
  | {
      readonly name: string;
      /** Relative to the folder that is to hold the skill, with `/`. */
      readonly fileName: string;
      readonly text: string;
      /** Where the description stands in the text, in UTF-16 units. */
      readonly description: { readonly start: number; readonly end: number };
    }
  | { readonly problem: string };

export interface NewCatalogParams {
  /** The folder's URI. */
  readonly folder: string;
}
export interface NewCatalogReply {
  readonly fileName: string;
  readonly text: string;
  /** How many tools are in it, all named by skills. */
  readonly tools: number;
}

/** Conversions, as editors show them before anything is written (docs/exchange.md). */
export interface ConvertParams {
  readonly uri: string;
  /** The text of a document that is not served, such as a record. */
  readonly text?: string;
  readonly to: Target;
}

/** Null for a document that is unknown and has no text. */
export type ConvertReply =
  | {
      /** The first is the result; the others belong to it. */
      readonly files: readonly OutputFile[];
      readonly lost: readonly { readonly what: string; readonly range: Range; readonly why: string }[];
      /** The folder beside the source whose files go along as they are; null where none do. */
      readonly along: string | null;
    }
  | { readonly problem: string; readonly range: Range | null };

/** The files that the server reads, the file access of a server in a browser, and new and converted files. */

import type { OutputFile } from '../exchange/conversion.ts';
import type { Range } from '../text.ts';
import type { Unreadable } from '../workspace/unreadable.ts';

/** The default globs (docs/format.md, section 1). */
export const DEFAULT_FILES: readonly string[] = [
  '**/*.skill.md',
  '**/skills/*.md',
  '**/{SKILL.md,SKILL.MD,Skill.md,skill.md}',
  '**/*.skill.{yaml,yml}',
  '**/*.skill.json',
];

/** Other files that the server reads, independent of the setting for skills. */
export const CATALOG_FILES: readonly string[] = [
  '**/skills.config.yaml',
  '**/skills.tools.json',
  '**/skills.baseline.json',
];

/** The content of a file as a host reads it. If the file is a link, `target` is the URI that it resolves to. */
export type FileContent =
  | { readonly kind: 'text'; readonly text: string; readonly target?: string }
  | { readonly kind: 'unreadable'; readonly reason: Unreadable; readonly target?: string }
  /** A link to a file that is also read directly. */
  | { readonly kind: 'same'; readonly target: string }
  | { readonly kind: 'absent' };

/** The maximum size of a file that a host reads. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;

export interface ListedEntry {
  readonly name: string;
  /** A link to a folder counts as a link. */
  readonly kind: 'file' | 'folder' | 'link' | 'other';
}

export type BytesContent =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'unreadable'; readonly reason: Unreadable }
  | { readonly kind: 'absent' };

/** The problem, as a phrase that ends a sentence; null on success. */
export interface WriteTreeReply {
  readonly problem: string | null;
}

/** The new file, or the problem with the name or the description. */
export type NewSkillReply =
  | {
      readonly name: string;
      /** The path relative to the folder for the skill, with `/` separators. */
      readonly fileName: string;
      readonly text: string;
      /** The span of the description in the text, in UTF-16 code units. */
      readonly description: { readonly start: number; readonly end: number };
    }
  | { readonly problem: string };

export interface NewCatalogReply {
  readonly fileName: string;
  readonly text: string;
  /** The number of tools in the catalog. Each of these tools is named in a skill. */
  readonly tools: number;
}

/** Null if the server does not know the document and the request contains no text. */
export type ConvertReply =
  | {
      /** The converted file, followed by files that accompany it. */
      readonly files: readonly OutputFile[];
      readonly lost: readonly { readonly what: string; readonly range: Range; readonly why: string }[];
      /** The folder beside the source, from which all files are copied unchanged; null if no files are copied. */
      readonly along: string | null;
    }
  | { readonly problem: string; readonly range: Range | null };

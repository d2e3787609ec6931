/** Which files are read, what a server in a browser gets of its client, and first texts and conversions that a client writes. */

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

/** Other files that the server reads, whatever the setting for skills. */
export const CATALOG_FILES: readonly string[] = [
  '**/skills.config.yaml',
  '**/skills.tools.json',
  '**/skills.baseline.json',
];

/** What a host finds in a file. `target` is the URI that a link leads to. */
export type FileContent =
  | { readonly kind: 'text'; readonly text: string; readonly target?: string }
  | { readonly kind: 'unreadable'; readonly reason: Unreadable; readonly target?: string }
  /** A link to a file that is read itself. */
  | { readonly kind: 'same'; readonly target: string }
  | { readonly kind: 'absent' };

/** No host reads more of a file. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;

export interface ListedEntry {
  readonly name: string;
  /** A link to a folder is a link. */
  readonly kind: 'file' | 'folder' | 'link' | 'other';
}

export type BytesContent =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'unreadable'; readonly reason: Unreadable }
  | { readonly kind: 'absent' };

/** The problem, a part of a sentence; null where it is done. */
export interface WriteTreeReply {
  readonly problem: string | null;
}

/** A file to be, or what is wrong with the name or the description. */
export type NewSkillReply =
  | {
      readonly name: string;
      /** Relative to the folder that is to hold the skill, with `/`. */
      readonly fileName: string;
      readonly text: string;
      /** Where the description stands in the text, in UTF-16 units. */
      readonly description: { readonly start: number; readonly end: number };
    }
  | { readonly problem: string };

export interface NewCatalogReply {
  readonly fileName: string;
  readonly text: string;
  /** How many tools are in it, all named by skills. */
  readonly tools: number;
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

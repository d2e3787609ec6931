/**
 * The texts of files on the disk. One that can be read again at any moment is not kept: it is given out as it is then,
 * and where that is no longer what was read before, somebody is told.
 */
import type { ReadText } from '../skill/document.ts';
import { type Files, type Stamp, sameStamp } from './files.ts';

export interface Taken {
  readonly text: string;
  /** Reads it anew; undefined where it has to be kept. */
  readonly again?: ReadText | undefined;
}

export interface Texts {
  /** Undefined where there is no file that can be read. */
  take(uri: string): Promise<Taken | undefined>;
  /** Reads what has been taken before. */
  readonly again: ReadText;
  /** What the file was when its text was taken; undefined where it may have changed in that moment once more. */
  stampOf(uri: string): Stamp | undefined;
  /** The files that have been taken. */
  taken(): Iterable<string>;
  /** Takes a file for what it is said to have been, without reading it. */
  recall(uri: string, stamp: Stamp): void;
}

/** What file systems may round a time to, and more: within this, a file can change and keep its stamp. */
const YOUNG_MS = 2_000;

/** `changed` is told of a file that is found to be another than it was, while somebody is reading it. */
export function createTexts({ disk, read }: Files, changed: (uri: string) => void): Texts {
  const stamps = new Map<string, Stamp>();
  const young = new Set<string>();
  const again: ReadText = (uri) => {
    const text = disk?.read(uri);
    // Looked at behind the text: where both are of one moment, it is the text that was taken.
    if (text === undefined || !sameStamp(stamps.get(uri), disk?.stamp(uri))) changed(uri);
    return text ?? '';
  };
  return {
    again,
    stampOf: (uri) => (young.has(uri) ? undefined : stamps.get(uri)),
    taken: () => stamps.keys(),
    recall(uri, stamp) {
      stamps.set(uri, stamp);
      young.delete(uri);
    },
    async take(uri) {
      if (!disk) {
        const text = await read(uri);
        return text === undefined ? undefined : { text };
      }
      // A file that is written meanwhile has two stamps, and is kept until somebody tells that it changed.
      const stamp = disk.stamp(uri);
      const text = disk.read(uri);
      const isWhole = sameStamp(stamp, disk.stamp(uri));
      if (stamp && isWhole) stamps.set(uri, stamp);
      else stamps.delete(uri);
      if (stamp && Date.now() - stamp.mtime < YOUNG_MS) young.add(uri);
      else young.delete(uri);
      return text === undefined ? undefined : { text, again: isWhole ? again : undefined };
    },
  };
}

/** The files of server and client, for the architecture and style tests. */
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

export interface Source {
  /** The path from the root, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly lines: readonly string[];
}

export interface Comment {
  readonly path: string;
  /** The line number, counted from 1. */
  readonly line: number;
  /** The lines without comment marks. */
  readonly lines: readonly string[];
}

export const sources: readonly Source[] = ['client/src', 'server/src'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => posix.join(folder, path.replaceAll('\\', '/')))
    .filter((path) => /\.tsx?$/.test(path))
    .map(sourceOf),
);

export function sourceOf(path: string): Source {
  const text = readFileSync(path, 'utf8');
  return { path, text, lines: text.replace(/\n$/, '').split('\n') };
}

/** Returns the comments that share no line with code. Consecutive lines with `//` are one comment. */
export function commentsOf({ path, lines }: Source): readonly Comment[] {
  const comments: Comment[] = [];
  for (let at = 0; at < lines.length; at++) {
    const first = lines[at]?.trim() ?? '';
    const isBlock = first.startsWith('/*');
    if (!isBlock && !first.startsWith('//')) continue;
    const from = at;
    if (isBlock) while (at < lines.length - 1 && !lines[at]?.includes('*/')) at++;
    else while (lines[at + 1]?.trim().startsWith('//')) at++;
    const words = lines
      .slice(from, at + 1)
      .map((line) => line.trim().replace(/^(?:\/\/|\/\*+|\*+\/?)\s*|\s*\*\/$/g, ''));
    comments.push({ path, line: from + 1, lines: words.filter((line) => line !== '') });
  }
  return comments;
}

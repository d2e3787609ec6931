/** Checks that the paths in an archive are safe on every operating system (docs/installing.md, "What is refused"). */
import { foldedPath, namesProblem } from '../skill/kebab-name.ts';
import { MAX_DEPTH, MAX_PATH } from './limits.ts';

/**
 * Returns why a path is not allowed, as a phrase that continues a sentence after the path (`is empty`), or undefined.
 */
export function pathProblem(path: string): string | undefined {
  if (path === '') return 'is empty';
  if (path.length > MAX_PATH) return `is longer than ${MAX_PATH} characters`;
  if (/^[/\\]/.test(path)) return 'is an absolute path';
  if (/^[a-z]:/i.test(path)) return 'begins with a Windows drive letter';
  if (path.includes('\\')) return 'has a backslash, which separates folders only on Windows';
  const parts = path.split('/');
  if (parts.includes('..')) return 'leaves the folder';
  if (parts.length > MAX_DEPTH) return `is more than ${MAX_DEPTH} folders deep`;
  return namesProblem(path);
}

/** Returns the first path that conflicts with another path on some operating system, with the reason, or undefined. */
export function collisionIn(paths: Iterable<string>): { readonly path: string; readonly problem: string } | undefined {
  const spellings = new Map<string, string>();
  const files = new Set<string>();
  const folders = new Set<string>();
  for (const path of paths) {
    const parts = path.split('/');
    for (let length = 1; length <= parts.length; length++) {
      const part = parts.slice(0, length).join('/');
      const key = foldedPath(part);
      const isFile = length === parts.length;
      const known = spellings.get(key);
      if (known !== undefined && known !== part) return { path: part, problem: sameAs(known, part) };
      if (isFile && files.has(key)) return { path, problem: 'occurs twice' };
      if (isFile ? folders.has(key) : files.has(key)) return { path, problem: 'is both a file and a folder' };
      (isFile ? files : folders).add(key);
      spellings.set(key, part);
    }
  }
  return undefined;
}

const sameAs = (known: string, part: string): string =>
  known.normalize('NFC') === part.normalize('NFC')
    ? 'occurs twice with different encodings of its accents, and many systems treat both as one file'
    : `differs from \`${known}\` only in case or in equivalent letters, and some systems treat both as one file`;

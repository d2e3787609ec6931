/** Checks that the paths in an archive are safe on every operating system (docs/installing.md, "What is refused"). */
import { MAX_DEPTH, MAX_PATH } from './limits.ts';

/** The names of Windows devices, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)\d)\s*(?:\.|$)/;

/** The folder `.git`, also by its short name on Windows. */
const GIT = /^(?:\.git|git~\d+)$/;

/** The short form that Windows gives to a longer name: `CLAUDE~1` for `.claude`. */
const SHORT = /^[^.~]{1,6}~\d{1,5}(?:\.[^.]{0,3})?$/;

/**
 * Characters that are not visible in a name: the property for characters that have no shape, all spaces except the usual
 * one, fillers and characters without a meaning.
 */
const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]|(?! )\p{Zs}|[\u2800\uFFFC\uFFFD\u{16FE4}\u{1D159}]/u;

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
  return parts.map(nameProblem).find((problem) => problem !== undefined);
}

/**
 * Returns why the name of a file or a folder is not allowed on some operating system, as a phrase that continues a
 * sentence after the name, or undefined (docs/installing.md, "What is refused").
 */
function nameProblem(name: string): string | undefined {
  if (name === '' || name === '.') return 'has an empty part';
  const [invisible] = INVISIBLE.exec(name) ?? [];
  if (invisible !== undefined) return `has an invisible character (${codeOf(invisible)})`;
  if (/[<>:"|?*]/.test(name)) return 'has a character that Windows does not allow';
  if (/[. ]$/.test(name)) return 'has a name that ends with a period or a space, which Windows removes';
  if (name === '__proto__') return 'has the reserved name `__proto__`';
  const folded = foldedPath(name);
  if (DEVICE.test(folded)) return 'has the name of a Windows device';
  if (GIT.test(folded)) return 'is a file of git';
  return SHORT.test(name) ? 'has a short name of Windows, which may name another file' : undefined;
}

const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

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

/**
 * Returns a normalized path. Two paths that name the same file on some operating system have the same normalized path.
 * One step is not enough: `ẞ` becomes `ß`, which becomes `ss`.
 */
export function foldedPath(path: string): string {
  const folded = path
    .normalize('NFKD')
    .toUpperCase()
    .toLowerCase()
    .replace(/i(\p{Mn}*)\u0307/gu, 'i$1');
  return folded === path ? path : foldedPath(folded);
}

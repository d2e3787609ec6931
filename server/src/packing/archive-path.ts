/** Which paths an archive may have, on every system that may unpack it (docs/installing.md, "What is refused"). */
import { MAX_DEPTH, MAX_PATH } from './limits.ts';

/** The names of devices, with any ending, whatever the case. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])\s*(?:\.|$)/i;

/** The folder of git, also by the short name that Windows gives it. */
const GIT = /^(?:\.git|git~\d+)$/i;

/** Why nothing may be written by this path; goes on from the path: no capital, no full stop. */
export function pathProblem(path: string): string | undefined {
  if (path === '') return 'is no name';
  if (path.length > MAX_PATH) return `is longer than ${MAX_PATH} characters`;
  if (/^[/\\]/.test(path)) return 'is an absolute path';
  if (/^[a-z]:/i.test(path)) return 'begins like a drive of Windows';
  if (path.includes('\\')) return 'has a backslash, which parts folders on some systems and not on others';
  const parts = path.split('/');
  if (parts.includes('..')) return 'leads out of the folder';
  if (parts.length > MAX_DEPTH) return `is more than ${MAX_DEPTH} folders deep`;
  return parts.map(nameProblem).find((problem) => problem !== undefined);
}

function nameProblem(name: string): string | undefined {
  if (name === '' || name === '.') return 'has an empty part';
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}\uFFFD]/u.test(name)) return 'has a character that cannot be seen';
  if (/[<>:"|?*]/.test(name)) return 'has a character that Windows does not allow';
  if (/[. ]$/.test(name)) return 'has a name that ends with a point or a blank, which Windows takes away';
  if (name === '__proto__') return 'has a name that programs trip over';
  if (DEVICE.test(name)) return 'has the name of a device of Windows';
  return GIT.test(name) ? "is a part of git's own files" : undefined;
}

/** Why two paths cannot stand side by side on every system; undefined where all can. */
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
      if (isFile && files.has(key)) return { path, problem: 'stands there twice' };
      if (isFile ? folders.has(key) : files.has(key)) return { path, problem: 'is a file and a folder' };
      (isFile ? files : folders).add(key);
      spellings.set(key, part);
    }
  }
  return undefined;
}

const sameAs = (known: string, part: string): string =>
  known.normalize('NFC') === part.normalize('NFC')
    ? 'is there twice, with its accents written in two ways, which many systems take for one file'
    : `differs from \`${known}\` in its case alone, and many systems take both for one file`;

/** Equal for paths that are one file on a system that does not tell their letters apart. */
const foldedPath = (path: string): string => path.normalize('NFC').toUpperCase().toLowerCase();

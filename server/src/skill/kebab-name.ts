/**
 * Checks and creates skill names, which are lower-case words joined by single hyphens (docs/format.md, section 2), and
 * checks the names of files.
 */
import { NAME_PATTERN } from '../vocabulary/skill-keys.ts';

const MAX_NAME = 64;

/** Returns whether a string is a valid name of a skill (docs/format.md, section 2). */
export const isName = (text: string): boolean => text.length <= MAX_NAME && NAME_PATTERN.test(text);

/**
 * Converts a string to a valid name: `Draft Scene_2` to `draft-scene-2`, `draftScene2` to `draft-scene2`. Returns
 * undefined if the text has no letters or digits that a name can have.
 */
export function kebabName(text: string): string | undefined {
  const words = text
    .slice(0, 1000)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  return words.join('-').slice(0, MAX_NAME).replace(/-$/, '') || undefined;
}

// The names of files and folders.

/** The names of Windows devices, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)\d)\s*(?:\.|$)/;

/** The folder `.git`, also by its short name on Windows. */
const GIT = /^(?:\.git|git~\d+)$/;

/** The short form that Windows gives to a longer name: `CLAUDE~1` for `.claude`. */
const SHORT = /^[^.~]{1,6}~\d{1,5}(?:\.[^.]{0,3})?$/;

/** Characters that are not visible in a name: those without a shape, line breaks, fillers and unknown characters. */
const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]|[\u2800\uFFFC\uFFFD\u{16FE4}\u{1D159}]/u;

/**
 * Returns why a relative path has a name that is not allowed on some operating system, as a phrase that continues a
 * sentence after the path, or undefined. Everything that makes or packs files uses this function (docs/installing.md,
 * "What is refused").
 */
export const namesProblem = (path: string): string | undefined =>
  path
    .split('/')
    .map(nameProblem)
    .find((problem) => problem !== undefined);

function nameProblem(name: string): string | undefined {
  if (name === '' || name === '.') return 'has an empty part';
  const [invisible] = INVISIBLE.exec(name) ?? [];
  if (invisible !== undefined) return `has an invisible character (${codeOf(invisible)})`;
  if (/[<>:"|?*\\]/.test(name)) return 'has a character that Windows does not allow';
  if (/^\p{Zs}/u.test(name)) return 'has a name that begins with a space, which is not visible';
  if (/[.\p{Zs}]$/u.test(name)) return 'has a name that ends with a period or a space, which Windows removes';
  if (name === '__proto__') return 'has the reserved name `__proto__`';
  const folded = foldedPath(name);
  if (DEVICE.test(folded)) return 'has the name of a Windows device';
  if (GIT.test(folded)) return 'is a file of git';
  return SHORT.test(name) ? 'has a short name of Windows, which may name another file' : undefined;
}

const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

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

/** The parts of a script that the scan does not analyse (docs/abilities.md, "Not analysed"). */
import { type Span, span } from '../text.ts';
import type { ScriptLanguage } from './scripts.ts';
import { findSecrets } from './secrets.ts';

/** A program, a module or another piece of code whose effects are not analysed. */
export interface Unanalysed {
  /** `code`: a command or an expression that is computed at run time, or code that the scan cannot read. */
  readonly kind: 'program' | 'module' | 'code';
  /** The program or module, or the beginning of the code. */
  readonly name: string;
  readonly span: Span;
}

/** The files of the folder that are scanned themselves, so that code which runs or imports them is analysed. */
export interface ScannedFiles {
  /** Returns whether a path, as written in the scanned file, is a scanned script, in this language if one is given. */
  readonly isScript: (path: string, language?: ScriptLanguage) => boolean;
  /** Returns whether an import in JavaScript is a scanned script or data. */
  readonly isImport: (path: string) => boolean;
  /** Returns whether a Python module, such as `lib.notes`, is a scanned script or a folder with scanned scripts. */
  readonly isModule: (name: string) => boolean;
}

/** The endings that an import in JavaScript may leave out, or replace by `.js`. */
const ENDINGS = ['', '.js', '.ts', '.mjs', '.cjs', '.jsx', '.tsx', '/index.js', '/index.ts'];

/**
 * Returns the scanned files for the code in the file `path`. `root` is the path of the skill. A path in the code is
 * relative to the folder of the skill or of the file, a
 * module is relative to the folder of the file or to one above it.
 */
export function scannedFrom(
  path: string,
  root: string,
  scripts: ReadonlyMap<string, ScriptLanguage>,
  data: ReadonlySet<string>,
): ScannedFiles {
  const [own, top] = [path, root].map((one) => one.split('/').slice(0, -1)) as [string[], string[]];
  const folders = own.map((_, at) => own.slice(0, at + 1)).concat([[]]);
  const isKnown = (target: string, isOneOf: (file: string) => boolean): boolean =>
    [own, top].some((folder) => isOneOf(resolved(folder, target)?.join('/') ?? ''));
  return {
    isScript: (target, language) =>
      isKnown(target, (file) => scripts.has(file) && (language === undefined || scripts.get(file) === language)),
    isImport: (target) =>
      isKnown(
        target,
        (file) =>
          ENDINGS.some((ending) => scripts.has(file + ending)) ||
          scripts.has(file.replace(/js(x?)$/, 'ts$1')) ||
          data.has(file),
      ),
    isModule: (name) => {
      const parts = name.split('.');
      return folders.some((folder) => {
        const base = [...folder, ...parts].join('/');
        return [`${base}.py`, `${base}/__init__.py`].some((file) => scripts.has(file));
      });
    },
  };
}

/** Returns the parts of a path below the folder of the skill; undefined for a path outside it. */
function resolved(folder: readonly string[], target: string): readonly string[] | undefined {
  if (/^[/~]/.test(target)) return undefined;
  const parts = [...folder];
  for (const part of target.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return undefined;
    } else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts;
}

/** The maximum length of a name. */
const MAX_NAME = 60;
/** The number of characters from which a name is made. */
const MAX_READ = 400;
/** The maximum number of different names in a file. */
const MAX_NAMES = 500;

/** Makes an entry. The name is on one line without the text of secrets, and a longer name ends with an ellipsis. */
export function unanalysed(kind: Unanalysed['kind'], name: string, start: number, end: number): Unanalysed {
  const [line = ''] = name
    .slice(0, MAX_READ)
    .trim()
    .split(/\s*[\r\n]/, 1);
  const most = Math.min(MAX_NAME, findSecrets(line)[0]?.span.start ?? MAX_NAME);
  return { kind, name: line.length > most ? `${line.slice(0, most)}…` : line, span: span(start, end) };
}

/** Returns the first entry of each name, in the order of the text. */
export function firstOfNames(found: readonly Unanalysed[]): readonly Unanalysed[] {
  const names = new Set<string>();
  const first = [...found]
    .sort((a, b) => a.span.start - b.span.start)
    .filter(({ kind, name }) => {
      const key = `${kind} ${name}`;
      if (names.has(key)) return false;
      names.add(key);
      return true;
    });
  return first.slice(0, MAX_NAMES);
}

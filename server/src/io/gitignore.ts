/**
 * The patterns of `.gitignore` files (git's documentation, "gitignore"). The files are not trusted: the time of a match is at
 * most the product of the lengths of the pattern and the name, and a pattern with more names than the path takes none.
 */

/** A pattern of a `.gitignore` file. */
interface Pattern {
  readonly isNegated: boolean;
  readonly isOnlyForFolders: boolean;
  /** Returns whether the pattern matches the names of a path, of which there is at least one. */
  readonly matches: (path: readonly Name[]) => boolean;
}

/** A test for one name in a path; `**` matches any number of names. */
type Part = '**' | NameTest;

type NameTest = (name: Name) => boolean;

interface Name {
  readonly text: string;
  readonly chars: readonly string[];
}

/** `*`, or a test for one character. */
type Token = '*' | ((char: string) => boolean);

/** The largest number of patterns of a file that are read. */
const MOST_PATTERNS = 10_000;

/** Returns whether a file contains patterns of git. */
export const isIgnoreFile = (uri: string): boolean => uri.endsWith('/.gitignore');

export class IgnoreFile {
  readonly #patterns: readonly Pattern[];

  /** @param text the content of a `.gitignore` file, or of `.git/info/exclude` */
  constructor(text: string) {
    const lines = text.replace(/^\uFEFF/, '').split('\n', MOST_PATTERNS);
    this.#patterns = lines.flatMap((line) => parsePattern(line.replace(/\r$/, '')));
  }

  /**
   * Returns whether the last pattern that matches a path excludes it; undefined if none matches. The parents of the path must
   * not be excluded.
   *
   * @param names the names of the path relative to the folder of the file, the outermost first
   */
  excludes(names: readonly string[], isFolder: boolean): boolean | undefined {
    const path = names.map((text): Name => ({ text, chars: [...text] }));
    const last = this.#patterns.findLast(
      ({ isOnlyForFolders, matches }) => (isFolder || !isOnlyForFolders) && matches(path),
    );
    return last && !last.isNegated;
  }
}

function parsePattern(line: string): readonly Pattern[] {
  if (line.startsWith('#')) return [];
  const trimmed = withoutSpaces(line);
  const isNegated = trimmed.startsWith('!');
  const written = isNegated ? trimmed.slice(1) : trimmed;
  const isOnlyForFolders = written.endsWith('/');
  const path = isOnlyForFolders ? written.slice(0, -1) : written;
  if (path === '') return [];
  const names = path.split('/');
  const isAnchored = names.length > 1;
  const parts = (isAnchored ? names.slice(names[0] === '' ? 1 : 0) : ['**', path])
    .filter((name, at, all) => !(isAnchored && name === '**' && all[at - 1] === '**'))
    .map((name, at): Part => (name === '**' && (isAnchored || at === 0) ? '**' : nameTest(name)));
  // A `**` at the end matches everything inside, but not the folder itself.
  if (parts.at(-1) === '**') parts.push(() => true);
  return [{ isNegated, isOnlyForFolders, matches: pathTest(parts) }];
}

/** Returns the test for the names of a path. Most patterns are only about the last name. */
function pathTest(parts: readonly Part[]): Pattern['matches'] {
  const [first, second] = parts;
  if (first === '**' && typeof second === 'function' && parts.length === 2)
    return (names) => second(names.at(-1) as Name);
  const fewest = parts.filter((part) => part !== '**').length;
  return (names) => names.length >= fewest && matchesPath(parts, names);
}

/** Removes the spaces at the end of a line, except one after a backslash. */
function withoutSpaces(line: string): string {
  let end = line.length;
  while (line[end - 1] === ' ') end--;
  let from = end;
  while (line[from - 1] === '\\') from--;
  return line.slice(0, (end - from) % 2 === 1 ? end + 1 : end);
}

/** Returns the test for a name. Most patterns have no wildcard. */
function nameTest(pattern: string): NameTest {
  if (!/[*?[\\]/.test(pattern)) return ({ text }) => text === pattern;
  const tokens = tokensOf(pattern);
  return ({ chars }) => matchesTokens(tokens, chars);
}

function tokensOf(name: string): readonly Token[] {
  const tokens: Token[] = [];
  const chars = [...name];
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] as string;
    if (char === '*') {
      if (tokens.at(-1) !== '*') tokens.push('*');
    } else if (char === '?') tokens.push(() => true);
    else if (char === '[') {
      const found = classAt(chars, at);
      // Git matches nothing with a pattern that has an unclosed bracket.
      tokens.push(found?.test ?? (() => false));
      at = found?.end ?? chars.length;
    } else if (char === '\\') {
      const escaped = chars[++at];
      tokens.push((other) => other === escaped);
    } else tokens.push((other) => other === char);
  }
  return tokens;
}

const POSIX: ReadonlyMap<string, RegExp> = new Map([
  ['alnum', /[a-z0-9]/i],
  ['alpha', /[a-z]/i],
  ['digit', /[0-9]/],
  ['lower', /[a-z]/],
  ['upper', /[A-Z]/],
  ['space', /\s/],
  ['punct', /[!-/:-@[-`{-~]/],
  ['xdigit', /[0-9a-f]/i],
]);

/** Reads a class such as `[a-z]` or `[!0-9]`; undefined if it is not closed. */
function classAt(chars: readonly string[], start: number) {
  let at = start + 1;
  const isNegated = chars[at] === '!' || chars[at] === '^';
  if (isNegated) at++;
  const tests: ((char: string) => boolean)[] = [];
  const literal = (): string | undefined => (chars[at] === '\\' ? chars[++at] : chars[at]);
  for (let isFirst = true; at < chars.length; isFirst = false, at++) {
    if (chars[at] === ']' && !isFirst) {
      return { end: at, test: (char: string) => tests.some((test) => test(char)) !== isNegated };
    }
    const [, name] = /^\[:(\w+):\]/.exec(chars.slice(at, at + 12).join('')) ?? [];
    if (name !== undefined) {
      tests.push((char) => POSIX.get(name)?.test(char) === true);
      at += name.length + 3;
      continue;
    }
    const low = literal();
    if (low === undefined) return undefined;
    if (chars[at + 1] === '-' && chars[at + 2] !== undefined && chars[at + 2] !== ']') {
      at += 2;
      const high = literal() ?? '';
      tests.push((char) => char >= low && char <= high);
    } else tests.push((char) => char === low);
  }
  return undefined;
}

/** Returns whether the parts match all names. Tracks the reachable positions, so that nothing is tried twice. */
function matchesPath(parts: readonly Part[], names: readonly Name[]): boolean {
  let places = reach(parts, [0]);
  for (const name of names) {
    const next = [...places].flatMap((place) => {
      const part = parts[place];
      if (part === undefined) return [];
      if (part === '**') return [place];
      return part(name) ? [place + 1] : [];
    });
    if (next.length === 0) return false;
    places = reach(parts, next);
  }
  return places.has(parts.length);
}

/** Adds the positions after each `**`, which may match no name. */
function reach(parts: readonly Part[], places: readonly number[]): ReadonlySet<number> {
  const all = new Set(places);
  for (const place of all) if (parts[place] === '**') all.add(place + 1);
  return all;
}

/** Returns whether the tokens match a name. Only the last `*` must be tried at other positions. */
function matchesTokens(tokens: readonly Token[], chars: readonly string[]): boolean {
  let token = 0;
  let star = -1;
  let from = 0;
  for (let at = 0; at < chars.length; ) {
    const test = tokens[token];
    if (test === '*') {
      star = token++;
      from = at;
    } else if (test?.(chars[at] as string)) {
      token++;
      at++;
    } else if (star >= 0) {
      token = star + 1;
      at = ++from;
    } else return false;
  }
  while (tokens[token] === '*') token++;
  return token === tokens.length;
}

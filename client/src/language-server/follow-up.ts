/** What follows a key of its own accord: the rest of an empty tag goes with its beginning, and frontmatter gets its end. */

/** One change as the editor tells of it, and the place where it began. */
export interface Typed {
  readonly text: string;
  /** How many characters it has replaced. */
  readonly removed: number;
  readonly line: number;
  readonly character: number;
}

/** The lines after the change. */
export interface Lines {
  readonly lineCount: number;
  readonly lineAt: (line: number) => { readonly text: string };
}

/** Replaces the text from the one place to the other. */
export interface FollowUp {
  readonly from: readonly [line: number, character: number];
  readonly to: readonly [line: number, character: number];
  readonly text: string;
}

export function followUp(typed: Typed, lines: Lines): FollowUp | undefined {
  if (typed.text === '' && typed.removed === 1) return restOfTag(typed, lines);
  return typed.text === '-' && typed.removed === 0 ? fence(typed, lines) : undefined;
}

/** What an editor cannot delete by itself, since the delimiters have two characters: `{%|%}`, `{% | %}`. */
function restOfTag({ line, character }: Typed, { lineAt }: Lines): FollowUp | undefined {
  const { text } = lineAt(line);
  const before = text.slice(0, character);
  const after = text.slice(character);
  const isDelimiter = before.endsWith('{') && /^[%#]\}/.test(after);
  const isBlank = /\{[%#{]$/.test(before) && after.startsWith(` ${before.endsWith('{') ? '}' : before.at(-1)}}`);
  return isDelimiter || isBlank ? { from: [line, character], to: [line, character + 1], text: '' } : undefined;
}

const isFence = (text: string): boolean => /^(?:---|\.\.\.)[ \t]*$/.test(text);

/** Longer frontmatter is left alone. */
const MAX_LINES = 2_000;

/** Closes frontmatter that `---` opens; where the closing `---` is typed all the same, the one that was added goes. */
function fence({ line }: Typed, { lineCount, lineAt }: Lines): FollowUp | undefined {
  if (lineAt(line).text !== '---' || lineAt(0).text !== '---' || lineCount > MAX_LINES) return undefined;
  const fences = Array.from({ length: lineCount }, (_, at) => at).filter((at) => isFence(lineAt(at).text));
  if (line > 0) {
    const isDoubled = fences[1] === line && fences[2] === line + 1;
    return isDoubled ? { from: [line, 3], to: [line + 1, lineAt(line + 1).text.length], text: '' } : undefined;
  }
  const next = lineCount > 1 ? lineAt(1).text : undefined;
  // Keys that are there already belong to it, and only their author knows where they end.
  if (fences.length > 1 || /^[\w"'-][^:]*:/.test(next ?? '')) return undefined;
  return { from: [0, 3], to: [0, 3], text: next === undefined ? '\n---\n' : '\n---' };
}

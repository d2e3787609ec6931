/** Edits that follow a keystroke: template tags are closed, the rest of an empty tag is deleted, and frontmatter is closed. */

/** One change in the editor, with its start position. */
export interface TextChange {
  readonly text: string;
  /** The number of replaced characters. */
  readonly removed: number;
  readonly line: number;
  readonly character: number;
}

/** The lines after the change. */
export interface Lines {
  readonly lineCount: number;
  readonly lineAt: (line: number) => { readonly text: string };
}

/** An edit that replaces the text between two positions. */
export interface FollowUp {
  readonly from: EditorPosition;
  readonly to: EditorPosition;
  readonly text: string;
}

export type EditorPosition = readonly [line: number, character: number];

/**
 * Returns the edit that follows a change. Further text may have been typed after the change, up to the `cursor`.
 * `hasTemplates` is true for a file in which the editor closes template tags.
 */
export function followUp(
  typed: TextChange,
  lines: Lines,
  cursor: EditorPosition,
  hasTemplates: boolean,
): FollowUp | undefined {
  if (typed.text === '' && typed.removed === 1) return deleteTagRest(typed, lines);
  if (hasTemplates && /^[%#}]/.test(typed.text) && typed.removed === 0) return closeTag(typed, lines, cursor);
  return typed.text === '-' && typed.removed === 0 ? closeFrontmatter(typed, lines, cursor) : undefined;
}

/** Deletes the rest of an empty tag, `{%|%}` or `{% | %}`. The editor pairs only delimiters of one character. */
function deleteTagRest({ line, character }: TextChange, { lineAt }: Lines): FollowUp | undefined {
  const { text } = lineAt(line);
  const before = text.slice(0, character);
  const after = text.slice(character);
  const isDelimiter = before.endsWith('{') && /^[%#]\}/.test(after);
  const isBlank = /\{[%#{]$/.test(before) && after.startsWith(` ${before.endsWith('{') ? '}' : before.at(-1)}}`);
  return isDelimiter || isBlank ? { from: [line, character], to: [line, character + 1], text: '' } : undefined;
}

/**
 * Closes a tag whose `{` the editor has not closed, because it has not coloured the line yet: `{%|`, `{% if x|` or
 * `{%|%`. If the user also types the end, the added end is removed.
 */
function closeTag(
  { text: typed, line, character }: TextChange,
  { lineAt }: Lines,
  cursor: EditorPosition,
): FollowUp | undefined {
  const { text } = lineAt(line);
  const [cursorLine, at] = cursor;
  const [before, since, after] = [text.slice(0, character + 1), text.slice(character + 1, at), text.slice(at)];
  // With a delimiter in it, the new text is more than the inside of this tag or the text after it.
  if (cursorLine !== line || at <= character || /[{}%#]/.test(since)) return undefined;
  if (typed === '}') {
    const sign = /(?<!\{)\{([%#])(?:(?!\{[%#]|[%#]\}).)*\1\}$/.exec(before)?.[1];
    const doubled = [`${sign}}`, ` ${sign}}`].find((end) => sign !== undefined && after.startsWith(end));
    return doubled === undefined ? undefined : { from: cursor, to: [line, at + doubled.length], text: '' };
  }
  const sign = typed.charAt(0);
  if (!/(?<!\{)\{[%#]$/.test(before) || (typed !== sign && typed !== sign + sign)) return undefined;
  const blank = since.startsWith(' ') ? ' ' : '';
  // The editor may have added a part of the end.
  const present = [blank + sign, sign].find((end) => after.startsWith(end)) ?? (after === blank ? blank : '');
  if (!/^(?:\s|$)/.test(after.slice(present.length)) || /^[^{}]*[%#]\}/.test(after)) return undefined;
  return { from: cursor, to: [line, at + present.length], text: `${blank}${sign}}` };
}

const isFence = (text: string): boolean => /^(?:---|\.\.\.)[ \t]*$/.test(text);

/** The maximum length of a document in which frontmatter is closed, in lines. */
const MAX_LINES = 2_000;

/**
 * Adds the closing `---` when the user opens frontmatter. If the user also types a closing `---`, the added `---` is
 * removed.
 */
function closeFrontmatter(
  { line }: TextChange,
  { lineCount, lineAt }: Lines,
  cursor: EditorPosition,
): FollowUp | undefined {
  if (lineAt(line).text !== '---' || lineAt(0).text !== '---' || lineCount > MAX_LINES) return undefined;
  const fences = Array.from({ length: lineCount }, (_, at) => at).filter((at) => isFence(lineAt(at).text));
  if (line > 0) {
    const isDoubled = fences[1] === line && fences[2] === line + 1;
    return isDoubled ? { from: [line, 3], to: [line + 1, lineAt(line + 1).text.length], text: '' } : undefined;
  }
  // If keys follow, they belong to the frontmatter, and the position of its end is unknown.
  if (fences.length > 1 || /^[\w"'-][^:]*:/.test(lineCount > 1 ? lineAt(1).text : '')) return undefined;
  const [cursorLine, at] = cursor;
  if (cursorLine > 1 || lineAt(cursorLine).text.length !== at) return undefined;
  return { from: cursor, to: cursor, text: cursorLine === lineCount - 1 ? '\n---\n' : '\n---' };
}

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
  readonly from: readonly [line: number, character: number];
  readonly to: readonly [line: number, character: number];
  readonly text: string;
}

/** Returns the edit that follows a change. `hasTemplates` is true for a file in which the editor closes template tags. */
export function followUp(typed: TextChange, lines: Lines, hasTemplates: boolean): FollowUp | undefined {
  if (typed.text === '' && typed.removed === 1) return deleteTagRest(typed, lines);
  if (hasTemplates && /^[%#}]/.test(typed.text) && typed.removed === 0) return closeTag(typed, lines);
  return typed.text === '-' && typed.removed === 0 ? closeFrontmatter(typed, lines) : undefined;
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
 * Closes a tag whose `{` the editor has not closed, because it has not coloured the line yet: `{%|` or `{%|%`. If the user
 * also types the end, the added end is removed.
 */
function closeTag({ text: typed, line, character }: TextChange, { lineAt }: Lines): FollowUp | undefined {
  const { text } = lineAt(line);
  const cursor = character + 1;
  const [before, after] = [text.slice(0, cursor), text.slice(cursor)];
  if (typed === '}') {
    const sign = /(?<!\{)\{([%#])(?:(?!\{[%#]|[%#]\}).)*\1\}$/.exec(before)?.[1];
    const isDoubled = sign !== undefined && after.startsWith(`${sign}}`);
    return isDoubled ? { from: [line, cursor], to: [line, cursor + 2], text: '' } : undefined;
  }
  const sign = typed.charAt(0);
  if (!/(?<!\{)\{[%#]$/.test(before) || (typed !== sign && typed !== sign + sign)) return undefined;
  const rest = after.slice(typed.length - 1);
  return /^(?:\s|$)/.test(rest)
    ? { from: [line, cursor], to: [line, character + typed.length], text: `${sign}}` }
    : undefined;
}

const isFence = (text: string): boolean => /^(?:---|\.\.\.)[ \t]*$/.test(text);

/** The maximum length of a document in which frontmatter is closed, in lines. */
const MAX_LINES = 2_000;

/**
 * Adds the closing `---` when the user opens frontmatter. If the user also types a closing `---`, the added `---` is
 * removed.
 */
function closeFrontmatter({ line }: TextChange, { lineCount, lineAt }: Lines): FollowUp | undefined {
  if (lineAt(line).text !== '---' || lineAt(0).text !== '---' || lineCount > MAX_LINES) return undefined;
  const fences = Array.from({ length: lineCount }, (_, at) => at).filter((at) => isFence(lineAt(at).text));
  if (line > 0) {
    const isDoubled = fences[1] === line && fences[2] === line + 1;
    return isDoubled ? { from: [line, 3], to: [line + 1, lineAt(line + 1).text.length], text: '' } : undefined;
  }
  const next = lineCount > 1 ? lineAt(1).text : undefined;
  // If keys follow, they belong to the frontmatter, and the position of its end is unknown.
  if (fences.length > 1 || /^[\w"'-][^:]*:/.test(next ?? '')) return undefined;
  return { from: [0, 3], to: [0, 3], text: next === undefined ? '\n---\n' : '\n---' };
}

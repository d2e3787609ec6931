/** Tags at the start of a line of plain Markdown: which begin a block of HTML, and which are text. */

/** The names that begin a block wherever a line begins with them (CommonMark 0.31, 4.6, kind 6). */
const BLOCK_NAMES =
  'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul';

/** What a parser reads to a closing tag of its own, or calls otherwise from one version to the next. */
const OTHER_NAMES = 'script|pre|style|textarea|source';

const BLOCK_TAG = new RegExp(String.raw`</?(?:${BLOCK_NAMES})(?=[ >\n]|/>)`, 'iy');

const NAME = String.raw`(?!(?:${BLOCK_NAMES}|${OTHER_NAMES})(?![a-z\d-]))[a-z][a-z\d-]*`;

/** A whole tag that is alone in its line. */
const LONE_TAG = new RegExp(String.raw`<(?:/${NAME} *|${NAME}(?: +[a-z_][\w-]*="[^"\n]*")* */?)> *\n`, 'iy');

/** A tag without attributes that is not alone in its line, so that the line is text; a name with `_`, which is none of a tag. */
const TAG_IN_TEXT = new RegExp(String.raw`</?${NAME} */?>(?= *[^\s<])|</?[a-z][a-z\d-]*_[\w-]*>`, 'iy');

function matches(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

export const isTagInText = (text: string, at: number): boolean => text[at] === '<' && matches(TAG_IN_TEXT, text, at);

export const beginsHtml = (text: string, at: number): boolean =>
  matches(BLOCK_TAG, text, at) || matches(LONE_TAG, text, at);

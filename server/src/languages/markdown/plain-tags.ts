/** Tags at the start of a line of plain Markdown: which begin a block of HTML, and which are text. */
import { matchesAt } from './match.ts';

/** The names that begin a block wherever a line begins with them (CommonMark 0.31, 4.6, kind 6). */
const BLOCK_NAMES =
  'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul';

/** What a parser reads to a closing tag of its own, or calls otherwise from one version to the next. */
const OTHER_NAMES = 'script|pre|style|textarea|source';

const BLOCK_TAG = new RegExp(String.raw`</?(?:${BLOCK_NAMES})(?=[ >\n]|/>)`, 'iy');

const NAME = String.raw`(?!(?:${BLOCK_NAMES}|${OTHER_NAMES})(?![a-z\d-]))[a-z][a-z\d-]*`;

const ATTRIBUTE = String.raw` +[a-z_][\w-]*(?:="[^"\n]*")?`;

/** A whole tag that is alone in its line. */
const LONE_TAG = new RegExp(String.raw`<(?:/${NAME} *|${NAME}(?:${ATTRIBUTE})* */?)> *\n`, 'iy');

/** What begins as a tag and can be none, whatever follows: `<user's words>`, `<string, x>`. Neither is it an address. */
export const NO_TAG = /<(?![^\s<>]*[:@])\/?[a-z][a-z\d-]*(?:[_.=]|(?: +[a-z_][\w-]*)* *(?:\/(?!>)|(?![\s/>=\w.:-])))/iy;

/** A tag in running text, in one line. */
export const TAG = new RegExp(String.raw`<(?:/[a-z][a-z\d-]* *|[a-z][a-z\d-]*(?:${ATTRIBUTE})* */?)>`, 'iy');

/** A tag without attributes that is not alone in its line, so that the line is text; a name with `_`, which is none of a tag. */
const TAG_IN_TEXT = new RegExp(String.raw`</?${NAME} */?>(?= *[^\s<])|</?[a-z][a-z\d-]*_[\w-]*>`, 'iy');

const CLOSING_TAG = new RegExp(`^</${NAME}>$`, 'i');

/** What begins no block by its name alone. */
const NO_BLOCK = new RegExp(`</?${NAME}`, 'iy');

/** Any tag that begins no block below a line of a paragraph. */
const TAG_IN_PARAGRAPH = new RegExp(String.raw`</?${NAME}(?=[ />]|\n|$)`, 'iy');

export const isTagInText = (text: string, at: number): boolean =>
  text[at] === '<' &&
  (matchesAt(TAG_IN_TEXT, text, at) || (matchesAt(NO_TAG, text, at) && matchesAt(NO_BLOCK, text, at)));

export const isTagInParagraph = (text: string, at: number): boolean => matchesAt(TAG_IN_PARAGRAPH, text, at);

/** `</name>` and nothing else. */
export const isClosingTag = (text: string, { first, end }: { readonly first: number; readonly end: number }): boolean =>
  text[first] === '<' && CLOSING_TAG.test(text.slice(first, end));

export const beginsHtml = (text: string, at: number): boolean =>
  matchesAt(BLOCK_TAG, text, at) || matchesAt(LONE_TAG, text, at);

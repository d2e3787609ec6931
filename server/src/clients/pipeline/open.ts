/**
 * The step `open` of a client (docs/clients.md, "The steps of a client"): finds the frontmatter in a file.
 */
import { isLikeFence } from '../../languages/yaml/frontmatter.ts';
import { afterBreak, endOfLine, type Span, span } from '../../text.ts';
import type { Stop } from './reading.ts';
import { type Ask, resultWith, type Setting } from './setting.ts';

/** The rules by which a client finds the frontmatter. A line break is LF or CRLF, a blank a space or a tab. */
export interface OpenRules {
  /** A byte order mark: it is skipped, or it is text before the frontmatter. */
  readonly bom: Setting<'skip' | 'keep'>;
  /** Bytes that are not UTF-8: each is U+FFFD, or the file is not read. */
  readonly encoding: Setting<'replace' | 'stop'>;
  /** Line breaks CRLF: as LF, or the client finds no frontmatter. Undefined is `break`. */
  readonly crlf?: Setting<'break' | 'stop'>;
  /** A CR without an LF: a line break, or text. */
  readonly cr: Setting<'break' | 'text'>;
  readonly opens: Setting<Opens>;
  readonly closes: Setting<Closes>;
  readonly yamlEnds?: Setting<YamlEnds>;
  /** True if the client does not load an empty file, although it needs no frontmatter. */
  readonly dropsEmpty?: true;
  /** Without frontmatter, the client drops the skill, or the whole file is the body. */
  readonly absent: Setting<'drop' | 'body'>;
}

/**
 * The text of the YAML: all, or without the line break before the closing line, which makes a difference only for a block
 * in libyaml, or without white space at both ends, so that the first line loses its indentation.
 */
export type YamlEnds = 'whole' | 'without-last-break' | 'trimmed';

export type Opens =
  /** The first line, which is `---` and may have blanks after it. */
  | 'line'
  /** The same without blanks. */
  | 'exact-line'
  /** The first line, also with blanks before it. */
  | 'trimmed-line'
  /** The file begins with `---`, and what follows belongs to the YAML. */
  | 'prefix'
  /** The same without the next character. */
  | 'prefix-and-one'
  /** No fourth hyphen, and only `yaml` may follow (gray-matter). */
  | 'language'
  /** White space may come first. */
  | 'after-space'
  /** As `prefix`, and white space may come first. */
  | 'prefix-after-space'
  /** As `after-space`, and the line may have more hyphens. */
  | 'hyphens-after-space'
  /** Any line `---`. */
  | 'any-line'
  /** The first three hyphens of the file, in any line. */
  | 'anywhere';

export type Closes =
  /** A line `---`, which may have blanks after it. */
  | 'line'
  /** The same without blanks. */
  | 'exact-line'
  /** The same, but not directly below the opening line. */
  | 'exact-line-below'
  /** A line break must follow. */
  | 'line-with-break'
  /** Also with blanks before it. */
  | 'indented-line'
  /** A line that begins with `---`. */
  | 'prefix'
  /** As `prefix`, but not directly below the opening line. */
  | 'prefix-below'
  /** As `prefix`, or the end of the file. */
  | 'prefix-or-end'
  /** As `line`, or the end of the file. */
  | 'line-or-end'
  /** A line of three or more hyphens. */
  | 'hyphens'
  /** The next three hyphens, in any line. */
  | 'anywhere'
  /** A line with at most as many blanks before it as the opening line. */
  | 'as-opening';

/** A stop with the offset of its cause in UTF-16 code units. */
export type StopAt = Stop & { readonly at: number };

export interface Opened {
  /** The text of the YAML; undefined if the whole file is the body. */
  readonly yaml?: Span;
  /** The offset of the body in UTF-16 code units. */
  readonly bodyStart: number;
}

/** A file before the step `open`. Make it with `unopened`. */
export interface UnopenedFile {
  readonly text: string;
  /** The text with LF for each CR without an LF; undefined if `text` has no such CR. */
  readonly withBreaks: string | undefined;
  readonly hasCrlf: boolean;
  /**
   * The frontmatter if every client opens it equally: the first line is `---`, and the next three hyphens are a line;
   * undefined for other files.
   */
  readonly plain: Frontmatter | undefined;
  /** The ends that were found, by the text, the offset of the YAML, and the rule. */
  readonly closings: Map<string, Opened | StopAt>;
}

type Frontmatter = Opened & { readonly yaml: Span };

/** Returns a file as the step `open` needs it. */
export function unopened(text: string): UnopenedFile {
  const withBreaks = /\r(?!\n)/.test(text) ? text.replace(/\r(?!\n)/g, '\n') : undefined;
  return { text, withBreaks, hasCrlf: text.includes('\r\n'), plain: plainlyOpened(text), closings: new Map() };
}

/**
 * Finds the frontmatter of a file. Asks for a setting only if the file makes it matter. Linear time; never throws.
 *
 * @returns the frontmatter and the body, or the reason why it has none, at the exact character
 */
export function openFile(source: UnopenedFile, rules: OpenRules, ask: Ask): Opened | StopAt {
  if (rules.dropsEmpty && source.text === '') return { code: 'open/no-frontmatter', at: 0 };
  if (source.plain && !mayStopAtCrlf(source, rules)) return source.plain;
  const opened = locate(source, withLineBreaks(source, rules, ask), rules, ask);
  if (!('code' in opened) || opened.code === 'open/encoding') return opened;
  return resultWith(ask, 'open.absent', rules.absent, (absent) =>
    absent === 'drop' ? opened : { bodyStart: opened.code !== 'open/bom' && source.text.startsWith(BOM) ? 1 : 0 },
  );
}

/** Returns whether the line breaks CRLF of a file are perhaps a reason to find no frontmatter. */
const mayStopAtCrlf = ({ hasCrlf }: UnopenedFile, { crlf = 'break' }: OpenRules): boolean =>
  hasCrlf && crlf !== 'break';

/** Returns the text as the client splits it into lines: of the same length, with LF for each CR that is a line break. */
export const withLineBreaks = ({ text, withBreaks }: UnopenedFile, { cr }: OpenRules, ask: Ask): string =>
  withBreaks !== undefined && ask('open.cr', cr) === 'break' ? withBreaks : text;

const BOM = '\uFEFF';
const HYPHENS = '---';

function plainlyOpened(text: string): Frontmatter | undefined {
  const start = text.startsWith('---\n') ? 4 : text.startsWith('---\r\n') ? 5 : -1;
  const end = start < 0 ? -1 : text.indexOf(HYPHENS, start);
  if (end <= start || text[end - 1] !== '\n') return undefined;
  const after = end + 3;
  if (text[after] !== '\n' && !text.startsWith('\r\n', after)) return undefined;
  if (/\r(?!\n)/.test(text.slice(0, after)) || text.includes('\uFFFD')) return undefined;
  return { yaml: span(start, end), bodyStart: afterBreak(text, after) };
}

function locate(source: UnopenedFile, text: string, rules: OpenRules, ask: Ask): Opened | StopAt {
  const replaced = text.indexOf('\uFFFD');
  if (replaced >= 0 && ask('open.encoding', rules.encoding) === 'stop') return { code: 'open/encoding', at: replaced };
  if (mayStopAtCrlf(source, rules) && ask('open.crlf', rules.crlf ?? 'break') === 'stop')
    return { code: 'open/crlf', at: text.indexOf('\r\n') };
  const isKept = text.startsWith(BOM) && ask('open.bom', rules.bom) === 'keep';
  const from = text.startsWith(BOM) && !isKept ? 1 : 0;
  const start = resultWith(ask, 'open.opens', rules.opens, (opens) => openingOf(text, from, opens));
  if (typeof start !== 'number') {
    const isOnlyBom = isKept && typeof openingOf(text, 1, 'line') === 'number';
    return isOnlyBom ? { code: 'open/bom', at: 0 } : start;
  }
  return resultWith(ask, 'open.closes', rules.closes, (closes) => {
    const key = `${text === source.text} ${start} ${closes}`;
    const known = source.closings.get(key) ?? closingOf(text, start, closes);
    source.closings.set(key, known);
    return known;
  });
}

const LINE = /---[ \t]*(?:\r?\n|$)/y;
/** A byte order mark is not white space here, although it is in JavaScript. */
const TRIMMED_LINE = /^[^\S\uFEFF]*---[^\S\uFEFF]*$/;
const EXACT_LINE = /---(?:\r?\n|$)/y;
const HYPHENS_LINE = /---+[ \t]*(?:\r?\n|$)/y;

const afterSpace = (text: string, from: number): number => from + Math.max(0, text.slice(from).search(/[\S\uFEFF]/));

/** Returns the offset of the YAML, after the opening line. */
function openingOf(text: string, from: number, opens: Opens): number | StopAt {
  const lineEnd = endOfLine(text, from);
  const next = afterBreak(text, lineEnd);
  const none = (): StopAt => noFrontmatter(text, from);
  switch (opens) {
    case 'line':
      return endOf(LINE, text, from) ?? none();
    case 'exact-line':
      return endOf(EXACT_LINE, text, from) ?? none();
    case 'trimmed-line':
      return TRIMMED_LINE.test(text.slice(from, lineEnd)) ? next : none();
    case 'prefix':
    case 'prefix-and-one': {
      if (!text.startsWith(HYPHENS, from)) return none();
      return endOf(LINE, text, from) ?? Math.min(from + (opens === 'prefix' ? 3 : 4), text.length);
    }
    case 'language':
      return /^---[ \t]*(?:ya?ml)?[ \t]*$/i.test(text.slice(from, lineEnd)) ? next : none();
    case 'after-space':
      return endOf(LINE, text, afterSpace(text, from)) ?? none();
    case 'prefix-after-space': {
      const first = afterSpace(text, from);
      return endOf(LINE, text, first) ?? (text.startsWith(HYPHENS, first) ? first + 3 : none());
    }
    case 'hyphens-after-space':
      return endOf(HYPHENS_LINE, text, afterSpace(text, from)) ?? none();
    case 'anywhere': {
      const at = text.indexOf(HYPHENS, from);
      return at < 0 ? none() : (endOf(LINE, text, at) ?? at + 3);
    }
    case 'any-line': {
      for (let at = from; at < text.length; at = afterBreak(text, endOfLine(text, at))) {
        const end = endOf(LINE, text, at);
        if (end !== undefined) return end;
      }
      return none();
    }
  }
}

/** A line `---` with a key below it. */
const LATER = /^[ \t]*---[ \t]*\r?\n[ \t]*["']?[A-Za-z][\w-]*["']?[ \t]*:/m;
/** The characters at the beginning of a file in which frontmatter is looked for. */
const MOST_BEFORE = 5_000;

/** Returns why a file does not begin with frontmatter, with the offset of the character that is in the way. */
function noFrontmatter(text: string, from: number): StopAt {
  const blanks = /[ \t]*/.exec(text.slice(from + 3, from + MOST_BEFORE))?.[0].length ?? 0;
  if (text.startsWith(HYPHENS, from)) {
    const isBlank = /^[\r\n]?$/.test(text.charAt(from + 3 + blanks));
    return { code: 'open/no-frontmatter', at: Math.min(from + 3 + (isBlank ? 0 : blanks), text.length) };
  }
  const isLater = LATER.test(text.slice(from, from + MOST_BEFORE));
  return isLater ? { code: 'open/before', at: from } : { code: 'open/no-frontmatter', at: 0 };
}

/** Returns the YAML from `start` to the end that the client finds. */
function closingOf(text: string, start: number, closes: Closes): Opened | StopAt {
  if (closes === 'anywhere') {
    const at = text.indexOf(HYPHENS, start);
    return at < 0 ? unclosed(text, start) : closedAt(text, span(start, at), LINE);
  }
  const indent = closes === 'as-opening' ? blanksAt(text, text.lastIndexOf('\n', start - 2) + 1) : Infinity;
  for (let at = start; at < text.length; ) {
    const lineEnd = endOfLine(text, at);
    // The rest of the opening line does not close.
    const isLine = at === 0 || text[at - 1] === '\n';
    const isDirect = (closes === 'exact-line-below' || closes === 'prefix-below') && at === start;
    if (isLine && !isDirect && closesAt(text, at, lineEnd, closes) && blanksAt(text, at) <= indent)
      return closedAt(text, span(start, at), closes === 'hyphens' ? HYPHENS_LINE : LINE);
    at = afterBreak(text, lineEnd);
  }
  if (closes === 'prefix-or-end' || closes === 'line-or-end')
    return { yaml: span(start, text.length), bodyStart: text.length };
  return unclosed(text, start);
}

/** Returns the number of spaces and tabs at an offset. */
function blanksAt(text: string, at: number): number {
  let end = at;
  while (text[end] === ' ' || text[end] === '\t') end++;
  return end - at;
}

function closesAt(text: string, at: number, lineEnd: number, closes: Closes): boolean {
  if (closes === 'indented-line' || closes === 'as-opening') return TRIMMED_LINE.test(text.slice(at, lineEnd));
  if (!text.startsWith(HYPHENS, at)) return false;
  if (closes === 'prefix' || closes === 'prefix-below' || closes === 'prefix-or-end') return true;
  if (closes === 'exact-line' || closes === 'exact-line-below') return lineEnd === at + 3;
  if (closes === 'hyphens') return /^-+\s*$/.test(text.slice(at, lineEnd));
  return text.slice(at + 3, lineEnd).trim() === '' && (closes !== 'line-with-break' || lineEnd < text.length);
}

function closedAt(text: string, yaml: Span, line: RegExp): Opened {
  const at = text.indexOf(HYPHENS, yaml.end);
  return { yaml, bodyStart: endOf(line, text, at) ?? at + 3 };
}

/** Returns the stop at the line that was probably meant to close, or at the end of the file. */
function unclosed(text: string, start: number): StopAt {
  for (let at = start; at < text.length; at = afterBreak(text, endOfLine(text, at))) {
    const lineEnd = endOfLine(text, at);
    if (lineEnd - at > 200 || !isLikeFence(text.slice(at, lineEnd))) continue;
    return { code: 'open/unclosed', at: text.startsWith(HYPHENS, at) ? at + 3 : at };
  }
  return { code: 'open/unclosed', at: text.length };
}

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

/** Finds commands that run a download or an encoded string without review (docs/abilities.md, "Commands"). */

import { type Body, parseBody } from '../skill/body.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { type Span, span } from '../text.ts';

const SHELL = String.raw`(?:(?:sudo|env|exec)[ \t]{1,4}(?:-\w{1,4}[ \t]{1,4}){0,3}){0,2}(?:/usr)?(?:/bin/)?(?:ba|z|da|k|fi)?sh\b(?![\w./-])`;

/** The words of a command up to the next operator. Quoted words may contain operators, and a line may be continued. */
const WORDS = String.raw`(?:"[^"\n]{0,300}"|'[^'\n]{0,300}'|\\\r?\n|[^\n|;&"'\\]|\\.){0,300}`;

const FETCH = ['curl', 'wget'];
const BASE64 = ['base64'];

/** The patterns that match downloads. All quantifiers are bounded, so the time is linear in the length of the text. */
const DOWNLOADS: readonly MarkedPattern[] = [
  { marks: FETCH, pattern: new RegExp(String.raw`\b(?:curl|wget)[ \t]${WORDS}\|[ \t]{0,9}${SHELL}`, 'g') },
  {
    marks: FETCH,
    pattern:
      /\b(?:ba|z|da|k|fi)?sh[ \t]{1,9}(?:-\w{1,5}[ \t]{1,9}){0,2}(?:<\(|["']?\$\()[ \t]{0,9}(?:curl|wget)[ \t][^\n|;]{0,300}?\)/g,
  },
  {
    marks: FETCH,
    pattern: /\b(?:eval|source)[ \t]{1,9}(?:<\(|["']?\$\()[ \t]{0,9}(?:curl|wget)[ \t][^\n|;]{0,300}?\)/g,
  },
  {
    marks: FETCH,
    pattern: new RegExp(
      String.raw`\b(?:curl|wget)[ \t]${WORDS}\|[ \t]{0,9}(?:sudo[ \t]{1,4})?(?:python3?|node|perl|ruby)(?:[ \t]{1,9}-)?(?=[ \t]*(?:$|[\`"'&;)]))`,
      'gm',
    ),
  },
  {
    marks: ['|'],
    pattern:
      /\b(?:iwr|irm|Invoke-WebRequest|Invoke-RestMethod)\b[^\n|;]{0,300}\|[ \t]{0,9}(?:iex|Invoke-Expression)\b/gi,
  },
  {
    marks: ['('],
    pattern:
      /\b(?:iex|Invoke-Expression)\b[ \t]{0,9}["'&]?[ \t]{0,4}\$?\(+[ \t]{0,4}(?:\(?New-Object[ \t]{1,4}(?:System\.)?Net\.WebClient\)?\.DownloadString|iwr|irm|Invoke-WebRequest|Invoke-RestMethod)\b[^\n|;]{0,300}?\)/gi,
  },
];

const ENCODED: readonly MarkedPattern[] = [
  {
    marks: ['base64', 'xxd'],
    pattern: new RegExp(
      String.raw`\b(?:base64[ \t]{1,4}(?:-d|-D|--decode)|openssl[ \t]{1,4}(?:enc[ \t]{1,4}-)?base64[ \t]{1,4}-d|xxd[ \t]{1,4}-r(?:[ \t]{1,4}-p)?)[^\n|;&]{0,100}\|[ \t]{0,9}(?:gunzip[^\n|]{0,20}\|[ \t]{0,9})?${SHELL}`,
      'g',
    ),
  },
  {
    marks: BASE64,
    pattern:
      /\b(?:ba|z|da|k)?sh[ \t]{1,9}(?:-\w{1,5}[ \t]{1,9}){0,2}(?:<\(|<<<[ \t]{0,4}["']?\$\(|["']?\$\()[^\n)]{0,300}\bbase64[ \t]{1,4}(?:-d|-D|--decode)/g,
  },
  { marks: BASE64, pattern: /\beval[ \t]{1,9}["']?\$\([^\n)]{0,300}\bbase64[ \t]{1,4}(?:-d|-D|--decode)/g },
  {
    marks: ['eval(', 'exec('],
    pattern:
      /\b(?:exec|eval)\([ \t]{0,9}(?:compile\([ \t]{0,9})?(?:zlib\.decompress\()?(?:base64\.b(?:64|32|85)decode|bytes\.fromhex|codecs\.decode|binascii\.unhexlify|__import__\(["']base64["']\)\.b64decode)\(/g,
  },
  {
    marks: ['eval(', 'Function('],
    pattern: /\b(?:eval|Function)\([ \t]{0,9}(?:atob\(|Buffer\.from\([^\n)]{0,200}["'](?:base64|hex)["'])/g,
  },
  {
    marks: ['-e', '-E'],
    pattern:
      /\bpowershell(?:\.exe)?\b[^\n|]{0,100}[ \t]-(?:e|ec|enc|encodedcommand)[ \t]{1,9}["']?[A-Za-z0-9+/=]{16,}/gi,
  },
];

/**
 * Finds commands in a span of a string, or in the whole string. The text around a command shows whether the command is
 * only mentioned.
 */
export type FindCommands = (text: string, within?: Span) => readonly Span[];

/** Finds downloads that a shell or an interpreter runs in the same command. */
export const findDownloads: FindCommands = (text, within) =>
  matchesOf(text, DOWNLOADS, within).filter(
    (one) =>
      !isReported(text, one, within) && hasAddress(text.slice(one.start, one.end)) && !isOnlyMentioned(text, one),
  );

/** Finds strings that are decoded and run in one command. */
export const findEncoded: FindCommands = (text, within) =>
  matchesOf(text, ENCODED, within).filter(
    (one) =>
      !isReported(text, one, within) &&
      !/^["'`]?\.{2,}/.test(text.slice(one.end, one.end + 4)) &&
      !isOnlyMentioned(text, one),
  );

/**
 * Returns true if the command has an address to fetch: a variable, or a word with a dot, a colon or a slash. An address
 * such as `https://…` or `hxxp://a[.]b` is only mentioned.
 */
const hasAddress = (command: string): boolean =>
  /[\s("'`](?:["'`]?\$[{(]?\w|(?!-)[^\s|"'`]{0,300}\w[.:/])[^\s|]{0,300}/.test(command) &&
  !/\[\.\]|hxxp|\.{3}|…|<[\w -]{1,40}>/i.test(command);

/** Returns true for a line of a report, such as `Command: powershell …`, and for a comment, such as `# curl …`. */
const isReported = (text: string, { start }: Span, within?: Span): boolean =>
  /(?:^|[\n.#|-])[ \t]*[A-Z][\w ]{0,30}:[ \t]+[^\n]{0,20}$|(?:^|\n)[ \t]*#[^\n]*$/.test(
    text.slice(Math.max(within?.start ?? 0, start - 60), start),
  );

/** Returns true if the sentence or line forbids the command, searches for it, or prints it. */
function isOnlyMentioned(text: string, { start, end }: Span): boolean {
  const before =
    text
      .slice(Math.max(0, start - 200), start)
      .split(/\n|[.!?][ \t]/)
      .at(-1) ?? '';
  const after = text.slice(end, end + 200).split(/\n|[.!?][ \t]/, 1)[0] ?? '';
  if (/\b(?:echo|printf|print|Write-Host|Write-Output|console\.log)\b[^|&;]*$/.test(before)) return true;
  const line = `${before} ${after}`;
  return /\b(?:never|avoid|don['’]t|do not|must not|instead of|bad|unsafe|insecure|dangerous|malicious|suspicious|detect\w*|block\w*|den(?:y|ied)|grep|rg|vulnerable|attack\w*)\b|❌|✗|🚫/i.test(
    line,
  );
}

function matchesOf(
  text: string,
  patterns: readonly MarkedPattern[],
  { start, end: to }: Span = span(0, text.length),
): readonly Span[] {
  const part = text.slice(start, to);
  const likely = patterns.filter((one) => mayMatch(part, one));
  if (likely.length === 0) return [];
  const found = likely.flatMap(({ pattern }) =>
    [...part.matchAll(pattern)].map(({ 0: match, index }) => span(start + index, start + index + match.length)),
  );
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  let end = -1;
  return found.filter((one) => {
    if (one.start < end) return false;
    end = one.end;
    return true;
  });
}

/** The languages of fences with text, such as a report or a log. */
const TEXT = /^(?:te?xt|plain(?:text)?|log|output|none)$/i;

const codeOf = ({ fences, codeSpans }: Body, withText: boolean): readonly Span[] => [
  ...fences.filter(({ lang }) => withText || !TEXT.test(lang)).map(({ contentSpan }) => contentSpan),
  ...codeSpans,
];

/** Returns the parts of a `SKILL.md` that contain commands: fences, code spans, and the frontmatter with its hooks. */
export const codeRegions = ({ body, frontmatter }: SkillFile, withText = true): readonly Span[] => [
  frontmatter.content,
  ...(body ? codeOf(body, withText) : []),
];

/** Returns the commands in a `SKILL.md`. An encoded string in a fence with text is part of a report, and does not count. */
export const findInCode = (file: SkillFile, find: FindCommands): readonly Span[] =>
  codeRegions(file, find !== findEncoded).flatMap((region) => find(file.text, region));

export const isMarkdown = (path: string): boolean => /\.(?:md|markdown|mdx)$/i.test(path);

/** Returns the commands in a file beside a `SKILL.md`: in the code of Markdown, otherwise in the whole text. */
export function findInFile(path: string, text: string, find: FindCommands): readonly Span[] {
  if (!isMarkdown(path)) return find(text);
  // Most files contain no such command, so their Markdown is not parsed.
  if (find(text).length === 0) return [];
  return codeOf(parseBody(text, 0, undefined, true), find !== findEncoded).flatMap((region) => find(text, region));
}

/**
 * A pattern with marks: the pattern is tried only if the string contains one of the marks, because a plain search is
 * faster.
 */
export interface MarkedPattern {
  /**
   * The strings, at least one of which is in every match of the pattern. Without marks, the pattern is always tried.
   */
  readonly marks?: readonly string[];
  readonly pattern: RegExp;
}

/** Returns true if the pattern can match in a string. */
export const mayMatch = (text: string, { marks }: MarkedPattern): boolean =>
  marks?.some((mark) => text.includes(mark)) ?? true;

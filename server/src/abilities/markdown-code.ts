/**
 * Finds the commands and the code in Markdown that an agent may run, and whose effects are not analysed: fences, and code
 * spans with commands (docs/abilities.md, "Not analysed").
 */
import { type Body, parseBody } from '../skill/body.ts';
import { findTouching, type Span, shift, span } from '../text.ts';
import { COMMON_WORDS, FENCE_LANGUAGES, PROGRAMS } from './harmless.ts';
import { unanalysedInJavaScript } from './javascript-code.ts';
import { unanalysedInPython } from './python-code.ts';
import { unanalysedInShell } from './shell-commands.ts';
import { firstOfNames, type ScannedFiles, type Unanalysed, unanalysed } from './unanalysed.ts';

/** Returns the commands and the code of a Markdown file. Offsets are in `text`. */
export const unanalysedInMarkdown = (text: string, scanned: ScannedFiles): readonly Unanalysed[] =>
  unanalysedInBody(text, parseBody(text, 0, undefined, true), scanned);

export function unanalysedInBody(text: string, body: Body, scanned: ScannedFiles): readonly Unanalysed[] {
  const inFences = body.fences.flatMap(({ lang, contentSpan, nested }) => {
    const source = text.slice(contentSpan.start, contentSpan.end);
    const code = nested ? source.replace(/^[ \t]*>/gm, blanks) : source;
    return moved(unanalysedInFence(lang, code, scanned), contentSpan);
  });
  const inSpans = body.codeSpans.flatMap((place) => {
    const [marks = ''] = /^`+/.exec(text.slice(place.start, place.end)) ?? [];
    const code = text.slice(place.start + marks.length, place.end - marks.length);
    const before = text.slice(Math.max(0, place.start - 40), place.start);
    return isCommand(code, RUN.test(before))
      ? moved(unanalysedInCommand(code, scanned), shift(place, marks.length))
      : [];
  });
  const inBlocks = [...text.slice(body.span.start).matchAll(INDENTED)].flatMap(({ 0: all, 1: line = '', index }) => {
    const start = body.span.start + index + all.length - line.length;
    const isInFence = findTouching(body.fences, start, ({ span: one }) => one) !== undefined;
    return !isInFence && isCommand(line, false) ? moved(unanalysedInCommand(line, scanned), span(start, start)) : [];
  });
  return firstOfNames([...inFences, ...inSpans, ...inBlocks]);
}

/** Returns the commands of one command line in Markdown or in a hook. */
export const unanalysedInCommand = (code: string, scanned: ScannedFiles): readonly Unanalysed[] =>
  unanalysedInShell(code.replace(PLACEHOLDER, blanksAs('x')).replace(PROMPT, blanks), { scanned, isBash: true });

function unanalysedInFence(lang: string, code: string, scanned: ScannedFiles): readonly Unanalysed[] {
  const language = FENCE_LANGUAGES.get(lang);
  if (language === 'other') return [unanalysed('code', lang, 0, code.trimEnd().length)];
  if (language === 'javascript') return unanalysedInJavaScript(code, scanned);
  // In a Python console, lines without a prompt are output.
  if (language === 'python')
    return unanalysedInPython(lang === 'pycon' ? code.replace(/^(?:>>>|\.\.\.) /gm, blanks) : code, scanned);
  const hasPrompts = /^[ \t]*[$%] /m.test(code);
  let isContinued = false;
  const commands = code.split('\n').map((line) => {
    const isCode =
      isContinued ||
      (hasPrompts ? /^[ \t]*[$%] /.test(line) : language === 'shell' ? !ELLIPSIS.test(line) : isCommand(line, false));
    isContinued = isCode && /\\\r?$/.test(line);
    return isCode ? line : blanks(line);
  });
  return unanalysedInCommand(commands.join('\n'), scanned);
}

/** The first line of indented code, or an indented line with a prompt. */
const INDENTED = /(?:(?:^|\n)[ \t]*\n(?: {4}|\t)|\n[ \t]{4,40}(?=[$%] ))[ \t]{0,40}([^\n]+)/g;

/** A line that stands for others. */
const ELLIPSIS = /^[ \t]*(?:\.{3,}|…)[ \t]*$/;

/** A placeholder such as `<name>`. */
const PLACEHOLDER = /<[A-Za-z][\w .:|/-]{0,60}>/g;

/** The prompt of a shell. */
const PROMPT = /^[ \t]*[$%] /gm;

/** The words in front of a code span that is a command. */
const RUN =
  /\b(?:runs?|running|execut(?:e|es|ing)|launch(?:es)?|(?:run|the|this) (?:command|script|program))[ \t\n]+(?:the[ \t\n]+(?:command|script|program)[ \t\n]+)?$/i;

/**
 * Returns whether a line of Markdown code is a command. `isRun` means that the words in front of it say so. Otherwise it
 * must begin with a known program or with a path, and have an argument.
 */
function isCommand(code: string, isRun: boolean): boolean {
  if (/^\s*[$%] \S/.test(code)) return true;
  const [, name = '', rest = ''] =
    /^\s*(?:[A-Za-z_]\w{0,40}=\S{0,200} +){0,5}([^\s=:;|&]{1,200})(\s[\s\S]*)?$/.exec(code) ?? [];
  if (name === '') return isRun;
  // A skill or a command of the client, such as `/tidy-notes`, or an option.
  if (/^(?:\/[^/\s]+|-.*)$/.test(name)) return false;
  if (isRun) return true;
  if (rest.trim() === '') return false;
  if (/^(?:\.{1,2}|~|\/[^/]+)\//.test(name)) return true;
  return PROGRAMS.has(name) && (!COMMON_WORDS.has(name) || /\s-{1,2}\w|[/=]|\w\.\w/.test(rest));
}

const blanksAs =
  (filler: string) =>
  (text: string): string =>
    text.replace(/[^\n]/g, filler);
const blanks = blanksAs(' ');

const moved = (all: readonly Unanalysed[], { start }: Span): readonly Unanalysed[] =>
  all.map((one) => ({ ...one, span: shift(one.span, start) }));

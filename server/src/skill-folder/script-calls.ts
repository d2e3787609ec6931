/** The scripts in a skill's folder that the code in its `SKILL.md` names, and those that it calls without an interpreter. */
import type { FolderFile } from '../abilities/folder.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { lineStart, type Span, sliceOf, span } from '../text.ts';
import { textAround } from './shown-text.ts';

export interface ScriptUse {
  /** The path below the skill's folder. */
  readonly path: string;
  /** The span of the path, without `./` and the variable of the folder. */
  readonly span: Span;
  /** The span of the word with the path, including quotes. */
  readonly word: Span;
  /** True if the shell must run the file itself: the word is a command, and a path. */
  readonly isDirect: boolean;
  /** True if a sentence only says to run the script, so that the reader may choose an interpreter. */
  readonly isNamed: boolean;
}

/** A word with a path, with `./` or the variable of the skill's folder before it. */
const WORD =
  /(?<![\p{L}\p{M}\p{N}_./~$}+-])["']?((?:[$]\{CLAUDE_SKILL_DIR\}["']?\/|\.\/)?)([\p{L}\p{M}\p{N}_.+-]+(?:\/[\p{L}\p{M}\p{N}_.+-]+)*)["']?(?![\p{L}\p{N}_/])/gu;

/** The text before a word that is a command. */
const COMMAND_START =
  /(?:^|[\r\n]|&&|\|\||[|;(!])[ \t]*(?:[$>%][ \t]+)?(?:(?:sudo|exec|time|nohup|then|do|else|if)[ \t]+|[A-Za-z_]\w*=\S*[ \t]+)*$/;

const SHELLS = new Set(['bash', 'sh', 'shell', 'zsh', 'console', 'terminal']);

/** Verbs before a command in a sentence, in several languages. */
const RUNS =
  /\b(?:run|runs|running|execute[sd]?|executing|call|calls|invoke|launch|ejecut\w+|lanc[eé]\w*|ex[eé]cut\w+|starte\w*|esegu\w+|execut\w+)\b|führe|执行|运行|実行|실행|запуст/iu;

/** The largest number of characters of code that are read before a word. */
const MAX_BEFORE = 300;

/**
 * Returns the uses of scripts in code, in text order.
 *
 * @param isScript returns whether a path below the folder is that of a script
 */
export function scriptUses(file: SkillFile, isScript: (path: string) => boolean): readonly ScriptUse[] {
  const { text, body } = file;
  const shells = (body?.fences ?? []).filter(({ lang, closed }) => closed && SHELLS.has(lang));
  const places = [
    ...shells.map(({ contentSpan }) => ({ place: contentSpan, isSpan: false })),
    ...(body?.codeSpans ?? []).map((place) => ({ place, isSpan: true })),
  ];
  const found: ScriptUse[] = [];
  for (const { place, isSpan } of places) {
    const code = sliceOf(text, place);
    for (const { 0: whole, 1: start = '', 2: path = '', index } of code.matchAll(WORD)) {
      if (!isScript(path)) continue;
      const before = code.slice(Math.max(0, index - MAX_BEFORE), index).replace(isSpan ? /^`+ ?/ : '', '');
      const isComment = /(?:^|[\r\n])[ \t]*#[^\r\n]*$/.test(before);
      if (isComment) continue;
      const at = place.start + index + whole.indexOf(path, start.length);
      const isCommand = COMMAND_START.test(before) && (start !== '' || path.includes('/'));
      const isWritten = !isSpan || start === './' || /\s[^\s`]/.test(code.slice(index + whole.length));
      const isMeant = isSpan ? (isWritten || isToRun(text, place, path)) && !hasInterpreter(text, path) : isWritten;
      found.push({
        ...{ path, span: span(at, at + path.length) },
        ...{ word: span(place.start + index, place.start + index + whole.length), isDirect: isCommand && isMeant },
        isNamed: !isWritten,
      });
    }
  }
  return found.sort((a, b) => a.span.start - b.span.start);
}

/** The text before the path of a script that an interpreter runs. */
const INTERPRETER =
  /(?:^|[\s`"'(;&|])(?:python[\d.]*|(?:ba|z|da|k|fi)?sh|node|bun|deno|ruby|perl|php|lua|run)[ \t]+(?:-\S+[ \t]+)*["']?[^\s"'`]*$/;

/** Returns whether the text also calls a script through an interpreter, so that other sentences need not repeat it. */
function hasInterpreter(text: string, path: string): boolean {
  for (let at = text.indexOf(path); at >= 0; at = text.indexOf(path, at + path.length))
    if (INTERPRETER.test(text.slice(Math.max(lineStart(text, at), at - MAX_BEFORE), at))) return true;
  return false;
}

/** Returns whether the sentence before a code span says to run the shell script in it. */
function isToRun(text: string, place: Span, path: string): boolean {
  const [before] = textAround(text, place);
  const sentence = before.split(/[.!?。！？]\s/).at(-1) ?? '';
  return /\.(?:sh|bash|zsh)$/.test(path) && RUNS.test(sentence);
}

/** The extensions of scripts, with the interpreters that run them. */
const INTERPRETERS: ReadonlyMap<string, string> = new Map([
  ...['sh', 'bash'].map((ending) => [ending, 'bash'] as const),
  ...['js', 'mjs', 'cjs'].map((ending) => [ending, 'node'] as const),
  ...([
    ['zsh', 'zsh'],
    ['fish', 'fish'],
    ['py', 'python3'],
    ['rb', 'ruby'],
    ['pl', 'perl'],
    ['php', 'php'],
    ['lua', 'lua'],
  ] as const),
]);

const endingOf = (path: string): string => /\.([a-z]{1,5})$/i.exec(path)?.[1]?.toLowerCase() ?? '';

/** Returns whether a file is a script that a shell of Unix can run: by its extension, or by its first line. */
export const isScriptFile = ({ path, text }: FolderFile): boolean =>
  text !== undefined && (INTERPRETERS.has(endingOf(path)) || text.startsWith('#!'));

/** Returns the command of the interpreter of a script, from its first line or its extension; undefined if it is unknown. */
export function interpreterOf({ path, text = '' }: FolderFile): string | undefined {
  const [, program, argument] = /^#![ \t]*\S*\/([\w.+-]+)(?:[ \t]+([\w.+-]+))?/.exec(text) ?? [];
  const name = program === 'env' ? argument : program;
  return name && !name.startsWith('-') ? name : INTERPRETERS.get(endingOf(path));
}

/** Returns whether a script is one of a shell, which fails if its lines end with CRLF. */
export const isShellScript = ({ path, text = '' }: FolderFile): boolean =>
  /^(?:sh|bash|zsh|fish)$/.test(endingOf(path)) || /^#!.*\b(?:ba|z|da|k)?sh\b/.test(text);

/** The simple commands of a shell script. Nothing is expanded: a command with such parts is not plain. */

import { type Span, span } from '../../text.ts';

export interface ShellCommand {
  /** The name and the arguments, without quotes and redirections. */
  readonly words: readonly string[];
  /** False if the command has a variable, a substitution, a pattern or a group. */
  readonly isPlain: boolean;
  readonly span: Span;
}

/** A comment, a quoted text, an escaped character, an operator, or plain text. Double quotes may contain escapes. */
const TOKEN =
  /(?<comment>(?<=^|\s)#[^\n]*)|'(?<single>[^']*)'|"(?<double>(?:[^"\\]|\\[\s\S])*)"|\\(?<escaped>\r?\n|.)|(?<redirect>\d*[<>][>&]?)|(?<end>[\n;|&])|(?<space>[^\S\n]+)|(?<plain>[\w./:@%+,=^-]+)|(?<other>[\s\S])/gy;

/** Returns the commands of a script; undefined if a quote is not closed, or if it has a here-document. Never throws. */
export function readCommands(script: string): readonly ShellCommand[] | undefined {
  const commands: ShellCommand[] = [];
  let words: string[] = [];
  let word: string | undefined;
  let isPlain = true;
  let isTarget = false;
  let place: Span | undefined;
  const endWord = (): void => {
    if (word === undefined) return;
    if (!isTarget) words.push(word);
    isTarget = false;
    word = undefined;
  };
  const endCommand = (): void => {
    endWord();
    if (place && words.length > 0) commands.push({ words, isPlain, span: place });
    [words, isPlain, isTarget, place] = [[], true, false, undefined];
  };
  for (const { groups = {}, 0: whole, index } of script.matchAll(TOKEN)) {
    const { comment, single, double, escaped, redirect, end, space, plain, other } = groups;
    if (comment !== undefined) continue;
    if (end !== undefined) {
      endCommand();
      continue;
    }
    if (space !== undefined || escaped?.endsWith('\n')) {
      endWord();
      continue;
    }
    place = span(place?.start ?? index, index + whole.length);
    if (redirect !== undefined) {
      endWord();
      isTarget = true;
      continue;
    }
    if (other === "'" || other === '"') return undefined;
    if (other !== undefined || (double !== undefined && /[$`]/.test(double))) isPlain = false;
    word = (word ?? '') + (single ?? double?.replace(/\\([\s\S])/g, '$1') ?? escaped ?? plain ?? other ?? '');
  }
  endCommand();
  return commands;
}

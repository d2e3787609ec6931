/**
 * Tracks the word that the user is typing. New findings at this word are held back until typing stops, because the word
 * is unfinished. Findings that were already shown at the word are kept, and fixed findings are removed immediately.
 */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Diagnostic, Range } from 'vscode-languageserver-types';
import type { Locate } from '../../features/locate.ts';
import { span } from '../../text.ts';
import type { Buffers } from './buffers.ts';
import type { Message } from './messages.ts';
import type { SessionOptions } from './options.ts';
import { NOW, type Work, waitForWord } from './pacing.ts';

type ChangeMessage = Extract<Message, { kind: 'change' }>;

interface Word {
  readonly uri: string;
  readonly range: Range;
  /** The range in the text before the edit, including the replaced text. */
  readonly before: Range;
  /** The time of the last edit. */
  readonly at: number;
}

export class TypedWord {
  readonly #options: Pick<SessionOptions, 'locate' | 'canRefreshDiagnostics'>;
  #word: Word | undefined;
  /** The files with findings that are held back. */
  readonly #held = new Set<string>();

  constructor(options: Pick<SessionOptions, 'locate' | 'canRefreshDiagnostics'>) {
    this.#options = options;
  }

  /** Starts or continues a word on a keystroke. Other edits and saving end it. The buffers already contain the edit. */
  take(message: Message, buffers: Buffers, now: number): void {
    const { locate, canRefreshDiagnostics } = this.#options;
    if (message.kind === 'save') this.#word = undefined;
    if (message.kind !== 'change') return;
    const document = canRefreshDiagnostics ? buffers.get(message.uri) : undefined;
    const places = document && placesOf(message, document, locate);
    this.#word = places && { uri: message.uri, ...places, at: now };
  }

  /** Returns the findings of a file that may be shown now. `shown` are the findings in its last report. */
  visibleFindings(
    uri: string,
    found: readonly Diagnostic[],
    shown: readonly Diagnostic[],
    now: number,
  ): readonly Diagnostic[] {
    const word = this.#word;
    this.#held.delete(uri);
    if (word?.uri !== uri || waitForWord(now, word.at) === NOW) return found;
    const shownCodes = new Set(shown.filter(({ range }) => touch(range, word.before)).map(({ code }) => code));
    const visible = found.filter(({ range, code }) => shownCodes.has(code) || !touch(range, word.range));
    if (visible.length < found.length) this.#held.add(uri);
    return visible;
  }

  /** Returns the next check of a file with held-back findings. */
  next(now: number, check: (uri: string) => void): Work | undefined {
    const waits = [...this.#held].map((uri) => ({
      wait: this.#word?.uri === uri ? waitForWord(now, this.#word.at) : NOW,
      piece: () => check(uri),
    }));
    return waits.sort((a, b) => a.wait - b.wait)[0];
  }
}

/** A keystroke inserts one character or a pair of brackets. A longer insertion does not come from typing. */
const KEYSTROKE = /^[^\r\n]{0,2}$/;

const LETTER = /[\p{L}\p{N}_.-]/u;

/** The maximum number of characters of a word on each side of the edit. */
const MAX_WORD = 200;

function placesOf({ changes }: ChangeMessage, document: TextDocument, locate: Locate) {
  const [change, another] = changes;
  if (!change || another || !('range' in change) || !KEYSTROKE.test(change.text)) return undefined;
  const { start: from, end: to } = change.range;
  if (from.line !== to.line) return undefined;
  const { line } = from;
  const text = document.getText({ start: { line, character: 0 }, end: { line: line + 1, character: 0 } });
  const place = { text, lines: [0] };
  const edited = locate.offset(place, { line: 0, character: from.character });
  let start = edited;
  let end = edited + change.text.length;
  while (edited - start < MAX_WORD && LETTER.test(text[start - 1] ?? '')) start--;
  while (end - edited < MAX_WORD && LETTER.test(text[end] ?? '')) end++;
  const found = locate.range(place, span(start, end));
  const at = (character: number) => ({ line, character });
  const range = { start: at(found.start.character), end: at(found.end.character) };
  return { range, before: { start: range.start, end: at(Math.max(range.end.character, to.character)) } };
}

const touch = (a: Range, b: Range): boolean => isUpTo(a.start, b.end) && isUpTo(b.start, a.end);

const isUpTo = (a: Range['start'], b: Range['start']): boolean =>
  a.line < b.line || (a.line === b.line && a.character <= b.character);

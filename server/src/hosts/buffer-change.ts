/** Changes of buffers, as clients send them. */
import type { TextDocument, TextDocumentContentChangeEvent } from 'vscode-languageserver-textdocument';
import { type Locate, utf16 } from '../features/locate.ts';
import { lineStartsOf } from '../text.ts';

/** A change in the client's encoding as one in UTF-16, which the text library counts in. */
export function toUtf16(
  locate: Locate,
  buffer: TextDocument,
  change: TextDocumentContentChangeEvent,
): TextDocumentContentChangeEvent {
  if (locate === utf16 || !('range' in change)) return change;
  const text = buffer.getText();
  const place = { text, lines: lineStartsOf(text) };
  const at = (position: { line: number; character: number }) => buffer.positionAt(locate.offset(place, position));
  return { text: change.text, range: { start: at(change.range.start), end: at(change.range.end) } };
}

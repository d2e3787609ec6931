/** The text of each file that is open in the client. */
import { TextDocument, type TextDocumentContentChangeEvent } from 'vscode-languageserver-textdocument';
import { type Locate, utf16 } from '../../features/locate.ts';
import { lineStartsOf } from '../../text.ts';

export class Buffers {
  readonly #locate: Locate;
  readonly #documents = new Map<string, TextDocument>();
  /** The last known text on disk of each open file. */
  readonly #saved = new Map<string, string>();

  constructor(locate: Locate) {
    this.#locate = locate;
  }

  get(uri: string): TextDocument | undefined {
    return this.#documents.get(uri);
  }

  has(uri: string): boolean {
    return this.#documents.has(uri);
  }

  uris(): Iterable<string> {
    return this.#documents.keys();
  }

  open(document: TextDocument): void {
    this.#documents.set(document.uri, document);
  }

  setSaved(uri: string, text: string): void {
    this.#saved.set(uri, text);
  }

  /** Returns true if the text of an open file is the last known text on disk. */
  isSaved(uri: string): boolean {
    return this.#saved.get(uri) === this.#documents.get(uri)?.getText();
  }

  /**
   * Applies changes in order and returns the text. Each change refers to the text that the previous change produced.
   */
  change(document: TextDocument, version: number, changes: readonly TextDocumentContentChangeEvent[]): string {
    for (const change of changes) TextDocument.update(document, [this.#toUtf16(document, change)], version);
    return document.getText();
  }

  /** Returns false if the file was not open. */
  close(uri: string): boolean {
    this.#saved.delete(uri);
    return this.#documents.delete(uri);
  }

  /** Converts a change from the client's encoding to UTF-16, which the documents use. */
  #toUtf16(document: TextDocument, change: TextDocumentContentChangeEvent): TextDocumentContentChangeEvent {
    if (this.#locate === utf16 || !('range' in change)) return change;
    const text = document.getText();
    const place = { text, lines: lineStartsOf(text) };
    const at = (position: { line: number; character: number }) =>
      document.positionAt(this.#locate.offset(place, position));
    return { text: change.text, range: { start: at(change.range.start), end: at(change.range.end) } };
  }
}

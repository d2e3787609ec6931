/**
 * A writer that gives each message to its stream in one piece. The library's gives the header, waits until it is gone, and
 * then gives the content: two calls of the system, with promises around each. Of the 0.32 ms that an edit takes in a server
 * that does nothing, this saves 0.05.
 */
import type { Writable } from 'node:stream';
import { AbstractMessageWriter, type Message, type MessageWriter } from 'vscode-languageserver/node';

export class WholeMessageWriter extends AbstractMessageWriter implements MessageWriter {
  readonly #stream: Writable;

  constructor(stream: Writable) {
    super();
    this.#stream = stream;
    stream.on('error', (error) => this.fireError(error));
    stream.on('close', () => this.fireClose());
  }

  /** Resolves when the stream has taken it; what is written meanwhile goes after it. */
  write(message: Message): Promise<void> {
    const body = JSON.stringify(message);
    return new Promise((resolve, reject) => {
      this.#stream.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`, 'utf8', (error) =>
        error ? reject(error) : resolve(),
      );
    });
  }

  end(): void {
    this.#stream.end();
  }
}

/**
 * Messages of the protocol over a pair of streams, each in one piece. The library's writer gives the header, waits until it is
 * gone, and then gives the content: two calls of the system, with promises around each. Of the 0.32 ms that an edit takes in
 * a server that does nothing, ours saves 0.05. The library's reader puts each message into a queue and waits for two
 * promises: of an edit's 2.2 ms ours saves 0.2.
 */
import type { Readable, Writable } from 'node:stream';
import {
  AbstractMessageReader,
  AbstractMessageWriter,
  type DataCallback,
  type Disposable,
  type Message,
  type MessageReader,
  type MessageWriter,
} from 'vscode-languageserver/node';

const HEADER_END = '\r\n\r\n';

export class WholeMessageReader extends AbstractMessageReader implements MessageReader {
  readonly #stream: Readable;
  #chunks: Buffer[] = [];
  #size = 0;
  /** What there has to be before it is worth putting the chunks together: those of a long message are put together once. */
  #wanted = 0;

  constructor(stream: Readable) {
    super();
    this.#stream = stream;
    stream.on('error', (error) => this.fireError(error));
    stream.on('close', () => this.fireClose());
  }

  /** A message that is no JSON is an error, and what follows it is read. */
  listen(callback: DataCallback): Disposable {
    const take = (chunk: Buffer): void => {
      this.#chunks.push(chunk);
      this.#size += chunk.length;
      if (this.#size >= this.#wanted) this.#readAll(callback);
    };
    this.#stream.on('data', take);
    return { dispose: () => this.#stream.off('data', take) };
  }

  /** The library ends the process with what it reads from where it finds this and `read`, as at a stream. */
  on(event: string, listener: () => void): this {
    this.#stream.on(event, listener);
    return this;
  }

  read(): unknown {
    return this.#stream.read();
  }

  #readAll(callback: DataCallback): void {
    const [first = Buffer.alloc(0)] = this.#chunks;
    const all = this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
    let at = 0;
    this.#wanted = 0;
    for (let end = all.indexOf(HEADER_END); end >= 0; end = all.indexOf(HEADER_END, at)) {
      const begin = end + HEADER_END.length;
      const header = all.toString('latin1', at, end);
      const length = Number(/^content-length:[ \t]*(\d+)[ \t]*$/im.exec(header)?.[1]);
      if (Number.isNaN(length)) {
        this.fireError(
          new Error(
            `A header has to have a Content-Length, a number of bytes. This one has not: ${header.slice(0, 200)}`,
          ),
        );
        at = begin;
        continue;
      }
      if (all.length < begin + length) {
        this.#wanted = begin + length - at;
        break;
      }
      at = begin + length;
      try {
        callback(JSON.parse(all.toString('utf8', begin, at)) as Message);
      } catch (error) {
        this.fireError(error);
      }
    }
    const rest = all.subarray(at);
    this.#chunks = rest.length === 0 ? [] : [rest];
    this.#size = rest.length;
  }
}

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
      this.#stream.write(`Content-Length: ${Buffer.byteLength(body)}${HEADER_END}${body}`, 'utf8', (error) =>
        error ? reject(error) : resolve(),
      );
    });
  }

  end(): void {
    this.#stream.end();
  }
}

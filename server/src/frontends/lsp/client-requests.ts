/**
 * The requests that the server sends to its client. Each is optional: a client may decline it, or reply late or never.
 * The server works without the reply, and logs once what does not work.
 */
import * as v from 'valibot';
import { type Connection, ConnectionError, ErrorCodes, type Registration, ResponseError } from 'vscode-languageserver';
import { messageOf, UserError } from '../../io/user-error.ts';
import { type Message, sendRequest } from '../../protocol.ts';

/** A capability to register: its method and its options. */
type Registrable = Omit<Registration, 'id'>;

/** Capabilities that the client has been asked to register. */
export interface Registered {
  /** Resolves when the client has replied. Never rejects. */
  readonly replied: Promise<unknown>;
  readonly dispose: () => void;
}

export class ClientRequests {
  readonly #connection: Pick<Connection, 'sendRequest' | 'console'>;
  readonly #logged = new Set<string>();
  #count = 0;

  constructor(connection: Pick<Connection, 'sendRequest' | 'console'>) {
    this.#connection = connection;
  }

  /**
   * Sends a request. Returns undefined if the client declines it, and logs `effect` once for a method: a sentence that
   * says what does not work. Never rejects.
   */
  async ask<Reply>(method: string, effect: string, send: () => Promise<Reply>): Promise<Reply | undefined> {
    try {
      return await send();
    } catch (error) {
      this.declined(method, effect, error);
      return undefined;
    }
  }

  /**
   * Sends a request of this project about files. Throws a `UserError` if the client declines it, or if the reply does
   * not fit the schema, and logs that once.
   */
  async require<Params, Reply>(
    request: Message<Params, Reply>,
    params: Params,
    schema: v.GenericSchema,
  ): Promise<Reply> {
    try {
      const reply = await sendRequest(this.#connection, request, params);
      if (!v.is(schema, reply)) throw new Error('The reply is invalid');
      return reply;
    } catch (error) {
      this.declined(request.method, 'The server cannot read all files: skills and findings may be missing.', error);
      throw new UserError(`The client declined \`${request.method}\`: ${messageOf(error)}`);
    }
  }

  /** Logs a declined request, unless this effect was logged before or the connection is closed. */
  declined(method: string, effect: string, error: unknown): void {
    const isClosed = error instanceof ResponseError && error.code === ErrorCodes.PendingResponseRejected;
    if (isClosed || error instanceof ConnectionError || this.#logged.has(method + effect)) return;
    this.#logged.add(method + effect);
    const reason = messageOf(error).replace(/\.$/, '');
    this.#connection.console.warn(`The client declined \`${method}\`: ${reason}. ${effect}`);
  }

  /**
   * Registers capabilities. They can be unregistered before the client has replied, because messages keep their order.
   */
  register(effect: string, capabilities: readonly Registrable[]): Registered {
    const registrations = capabilities.map((one) => ({ ...one, id: `skill-composer-${this.#count++}` }));
    let isDeclined = false;
    const replied = this.#request('client/registerCapability', { registrations }).catch((error: unknown) => {
      isDeclined = true;
      this.declined('client/registerCapability', effect, error);
    });
    return {
      replied,
      dispose: () => {
        if (isDeclined) return;
        // The protocol spells this key so.
        const params = { unregisterations: registrations.map(({ id, method }) => ({ id, method })) };
        const send = () => this.#request('client/unregisterCapability', params);
        void this.ask(
          'client/unregisterCapability',
          'The client may send messages that the server no longer needs.',
          send,
        );
      },
    };
  }

  async #request(method: string, params: object): Promise<unknown> {
    return this.#connection.sendRequest(method, params);
  }
}

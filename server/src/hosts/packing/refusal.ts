/** Why nothing is packed or installed: a sentence for the user. What was there stays as it was. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  /** The message on the command line, where it may name options. */
  readonly onCommandLine: string;

  constructor(message: string, onCommandLine = message) {
    super(message);
    this.onCommandLine = onCommandLine;
  }
}

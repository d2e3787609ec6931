/** Why nothing is packed or installed: a sentence for the user. What was there stays as it was. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  /** On the command line the same, where it is an option that helps. */
  readonly onCommandLine: string;

  constructor(message: string, onCommandLine = message) {
    super(message);
    this.onCommandLine = onCommandLine;
  }
}

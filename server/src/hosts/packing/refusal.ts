/** Why nothing is packed or installed: a sentence for the user. What was there stays as it was. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** The proposed name of a new sample. */

/** The most letters of a value in a name. */
const MAX_LETTERS = 40;

/**
 * Returns the first short text or number among the values, or `sample`, with a number if a sample has this name.
 * `known` contains the names of the samples of the skill.
 */
export function nameForSample(parameters: Readonly<Record<string, unknown>> = {}, known: readonly string[]): string {
  const texts = Object.values(parameters).flatMap((value) => {
    const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
    // A generated text begins with «, which is not part of a name.
    return /^[\p{L}\p{N}][\p{L}\p{N} _-]*$/u.test(text) && [...text].length <= MAX_LETTERS ? [text] : [];
  });
  const name = texts[0] ?? 'sample';
  for (let number = 1; ; number++) {
    const own = number === 1 ? name : `${name} ${number}`;
    if (!known.includes(own)) return own;
  }
}

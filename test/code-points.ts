import fc from 'fast-check';

/**
 * Returns strings with any code points, including unpaired surrogates. The library's unit `binary` is slower, because
 * it first creates a table of all code points.
 */
export const codePoints = (maxLength: number): fc.Arbitrary<string> =>
  fc.array(fc.integer({ min: 0, max: 0x10ffff }), { maxLength }).map((points) => String.fromCodePoint(...points));

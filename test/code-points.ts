import fc from 'fast-check';

/**
 * Returns texts with any code points, including unpaired surrogates. The unit `binary` of the library is slower, because
 * it first creates a table of all code points.
 */
export const codePoints = (maxLength: number): fc.Arbitrary<string> =>
  fc.array(fc.integer({ min: 0, max: 0x10ffff }), { maxLength }).map((points) => String.fromCodePoint(...points));

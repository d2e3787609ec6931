import fc from 'fast-check';

/**
 * Text of any code points, halves of pairs among them. The library's own unit `binary` makes a table of all of them first,
 * which takes a second of every suite.
 */
export const codePoints = (maxLength: number): fc.Arbitrary<string> =>
  fc.array(fc.integer({ min: 0, max: 0x10ffff }), { maxLength }).map((points) => String.fromCodePoint(...points));

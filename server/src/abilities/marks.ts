/** A pattern that is tried where a plain search, which takes far less, finds one of its marks. */
export interface MarkedPattern {
  /** One of them stands in whatever the pattern matches; without marks the pattern is always tried. */
  readonly marks?: readonly string[];
  readonly pattern: RegExp;
}

/** Whether the pattern can match in a text. */
export const mayMatch = (text: string, { marks }: MarkedPattern): boolean =>
  marks?.some((mark) => text.includes(mark)) ?? true;

/** Reads the value of `allowed-tools` (docs/format.md, section 9): `Bash(git:*) Read`. */

export interface ToolWords {
  /** The tools, with their brackets. */
  readonly words: readonly string[];
  /** True if commas separate tools. */
  readonly hasCommas: boolean;
  /** True if the brackets of a tool contain spaces, so that spaces alone cannot separate the tools. */
  readonly hasInnerBlanks: boolean;
}

/** Splits the value of `allowed-tools` at white space and commas outside of brackets. Never throws. */
export function readToolWords(value: string): ToolWords {
  const words: string[] = [];
  let hasCommas = false;
  let hasInnerBlanks = false;
  let depth = 0;
  let start = 0;
  const take = (end: number) => {
    if (end > start) words.push(value.slice(start, end));
    start = end + 1;
  };
  for (let at = 0; at < value.length; at++) {
    const character = value[at] as string;
    if (character === '(') depth++;
    else if (character === ')') depth = Math.max(0, depth - 1);
    else if (character === ',' && depth === 0) {
      hasCommas = true;
      take(at);
    } else if (/\s/.test(character)) {
      if (depth === 0) take(at);
      else hasInnerBlanks = true;
    }
  }
  take(value.length);
  return { words, hasCommas, hasInnerBlanks };
}

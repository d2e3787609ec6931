/** The value of `allowed-tools` (docs/format.md, section 9): `Bash(git:*) Read`. */

export interface ToolWords {
  /** Each tool with its brackets. */
  readonly words: readonly string[];
  /** True where a comma stands between tools. */
  readonly hasCommas: boolean;
  /** True where blanks stand within the brackets of a tool, so that blanks alone cannot part the tools. */
  readonly hasInnerBlanks: boolean;
}

/** Parts tools at blanks and commas outside of brackets. */
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

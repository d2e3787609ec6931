/** Single changes to a skill, such as an author might make by mistake. */

/**
 * Returns each change to the text with its description. Each line and each block is removed once, and each word is
 * misspelt once. Each line of `composes` and `execution` is repeated once, and exchanged with the next line.
 */
export function* mutationsOf(text: string): Iterable<readonly [string, string]> {
  const lines = text.split('\n');
  for (const [at, line] of lines.entries()) {
    if (line.trim() === '') continue;
    yield [`without \`${line.trim()}\``, lines.toSpliced(at, 1).join('\n')];
  }
  for (const { index, 0: word } of text.matchAll(/[A-Za-z_][\w-]{2,}/g)) {
    yield [`\`${word}\` at ${index} misspelt`, text.slice(0, index) + misspelt(word) + text.slice(index + word.length)];
  }
  for (const { index, 0: block } of text.matchAll(/^(?:composes|execution):.*\n(?: .*\n)*/gm)) {
    const first = text.slice(0, index).split('\n').length - 1;
    for (let at = first; at < first + block.split('\n').length - 1; at++) {
      const [line = '', next = ''] = lines.slice(at, at + 2);
      yield [`\`${line.trim()}\` twice`, lines.toSpliced(at, 0, line).join('\n')];
      yield [`\`${line.trim()}\` after the next line`, lines.toSpliced(at, 2, next, line).join('\n')];
    }
  }
  // A section, or an entry with all its descendants.
  for (const { index, 0: block } of text.matchAll(/^## .*\n(?:(?!## ).*\n?)*|^[a-z_]+:.*\n(?: .*\n)*/gm)) {
    yield [
      `without \`${block.split('\n')[0]}\` and all of it`,
      text.slice(0, index) + text.slice(index + block.length),
    ];
  }
}

/** Swaps two letters of a word, or removes the last letter if the two letters are the same. */
function misspelt(word: string): string {
  const swapped = word[0] + (word[2] ?? '') + (word[1] ?? '') + word.slice(3);
  return swapped === word ? word.slice(0, -1) : swapped;
}

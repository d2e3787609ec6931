/**
 * Returns whether a name contains the letters of a word in order, the way editors match. The name and the word must be
 * lowercase.
 */
export function hasLettersInOrder(name: string, word: string): boolean {
  let at = 0;
  for (const letter of word) {
    at = name.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

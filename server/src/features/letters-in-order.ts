/** Whether the letters of a word occur in a name in their order, as editors match; both in lower case. */
export function hasLettersInOrder(name: string, word: string): boolean {
  let at = 0;
  for (const letter of word) {
    at = name.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

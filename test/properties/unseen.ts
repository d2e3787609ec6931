/** The characters that no report may contain. Compares code points, so that the tests share no list with the code. */
export function isUnseen(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  const within = (first: number, last: number) => first <= code && code <= last;
  return (
    (code < 0x20 && character !== '\n') ||
    within(0x7f, 0x9f) ||
    [0xad, 0x34f, 0x61c, 0x115f, 0x3164, 0x200b, 0x200e, 0x200f, 0x2028, 0x2029, 0xfeff].includes(code) ||
    within(0x202a, 0x202e) ||
    within(0x2060, 0x206f) ||
    within(0xd800, 0xdfff) ||
    within(0xe0000, 0xe00ff)
  );
}

/** A text made of many pieces, put into one: to look at one of its letters does it. The pieces took 500 bytes a skill. */
export function flat(text: string): string {
  text.charCodeAt(0);
  return text;
}

/** A text made of many pieces, put into one: to look at one of its letters does it. The pieces took 500 bytes a skill. */
export function flat(text: string): string {
  text.charCodeAt(0);
  return text;
}

/** The same as a text of its own: what was cut out of another one is a view of it, and keeps all of it alive. */
export const owned = (text: string): string => flat(` ${text}`).slice(1);

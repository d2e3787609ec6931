/** Text widths in the editor's interface font, for a layout that is made before anything is drawn. */

/** The width of a text in pixels. */
export type Measure = (text: string, large: boolean) => number;

/** Reads the page's font when it is made, so each layout makes its own. */
export function createMeasure(): Measure {
  const context = document.createElement('canvas').getContext('2d');
  const known = new Map<string, number>();
  const { fontFamily, fontSize } = getComputedStyle(document.body);
  const size = Number.parseFloat(fontSize);
  return (text, large) => {
    // As `styles/graph.css` draws it.
    const font = large ? `600 ${Math.max(12, size)}px ${fontFamily}` : `${Math.max(12, size - 1)}px ${fontFamily}`;
    const key = `${font} ${text}`;
    const old = known.get(key);
    if (old !== undefined) return old;
    if (context) context.font = font;
    const width = Math.ceil(context?.measureText(text).width ?? text.length * size * 0.6);
    known.set(key, width);
    return width;
  };
}

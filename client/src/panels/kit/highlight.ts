/** Marks ranges of the page by `::highlight(name)` of a style sheet, so that its elements stay as they are. */
export function highlight(name: string, ranges: readonly Range[]): void {
  // Without support nothing is marked.
  if (!('highlights' in CSS)) return;
  if (ranges.length === 0) CSS.highlights.delete(name);
  else CSS.highlights.set(name, new Highlight(...ranges));
}

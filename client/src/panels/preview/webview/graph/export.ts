/** Exports the graph as an image, with the computed styles of the theme as attributes. */

import { arrowTip } from '../../../kit/arrow-tip.ts';
import { svg } from '../../../kit/dom.ts';

const INLINED = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linejoin',
  'paint-order',
  'font-family',
  'font-size',
  'font-weight',
];

/** The text of an SVG. `drawing` must be on the page, since its computed styles are read. */
export function exportSvg(drawing: SVGGElement, tip: Element, width: number, height: number): string {
  const background = getComputedStyle(document.body).backgroundColor;
  const copy = copied(drawing);
  copy.removeAttribute('transform');
  const defs = arrowTip('strokeWidth');
  inlineStyles(tip, defs);
  const root = svg(
    'svg',
    { width, height, viewBox: `0 0 ${width} ${height}` },
    defs,
    svg('rect', { width, height, fill: background }),
    copy,
  );
  root.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  return new XMLSerializer().serializeToString(root).replace(NOT_IN_XML, '\ufffd');
}

/** Characters that XML does not allow, not even as references. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are replaced
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

/** A PNG of the SVG in twice its size, in base64. */
export async function exportPng(text: string, width: number, height: number): Promise<string> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = width * 2;
  canvas.height = height * 2;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/png').replace(/^data:image\/png;base64,/, '');
}

function copied(original: SVGGElement): SVGGElement {
  const copy = original.cloneNode(true) as SVGGElement;
  inlineStyles(original, copy);
  return copy;
}

/** Writes the computed styles of a tree to the attributes of its copy. */
function inlineStyles(original: Element, copy: Element): void {
  const style = getComputedStyle(original);
  for (const name of INLINED) copy.setAttribute(name, style.getPropertyValue(name));
  for (const name of ['class', 'tabindex', 'role', 'data-path', 'data-from', 'data-to']) copy.removeAttribute(name);
  const copies = [...copy.children];
  for (const [at, child] of [...original.children].entries()) {
    const other = copies[at];
    if (other && child.tagName !== 'title') inlineStyles(child, other);
  }
}

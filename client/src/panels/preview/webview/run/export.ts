/** Exports the graph as an image, with the computed styles of the theme as attributes. */

import type { Size } from '../../../kit/graph/view.ts';

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

const PAGE_ONLY = /^(class|style|role|tabindex|aria-.*|data-.*)$/;

/** The text of an SVG with what a frame shows, all of it and in its own size. The computed styles of the page are read. */
export function exportSvg(frame: SVGSVGElement, { width, height }: Size): string {
  const copy = frame.cloneNode(true) as SVGSVGElement;
  inlineStyles(frame, copy);
  copy.querySelector('g')?.removeAttribute('transform');
  const background = document.createElementNS(copy.namespaceURI, 'rect');
  const attributes = { width, height, fill: getComputedStyle(document.body).backgroundColor };
  for (const [name, value] of Object.entries(attributes)) background.setAttribute(name, String(value));
  copy.prepend(background);
  for (const { name } of [...copy.attributes]) copy.removeAttribute(name);
  for (const [name, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` })) {
    copy.setAttribute(name, String(value));
  }
  return new XMLSerializer().serializeToString(copy).replace(NOT_IN_XML, '\ufffd');
}

/** Characters that XML does not allow, not even as references. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are replaced
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

/** A PNG of the SVG in twice its size, in base64. */
export async function exportPng(text: string, { width, height }: Size): Promise<string> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = width * 2;
  canvas.height = height * 2;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/png').replace(/^data:image\/png;base64,/, '');
}

/** Writes the computed styles of a tree to the attributes of its copy. */
function inlineStyles(original: Element, copy: Element): void {
  const style = getComputedStyle(original);
  for (const name of INLINED) copy.setAttribute(name, style.getPropertyValue(name));
  for (const { name } of [...copy.attributes]) if (PAGE_ONLY.test(name)) copy.removeAttribute(name);
  const copies = [...copy.children];
  for (const [at, child] of [...original.children].entries()) {
    const other = copies[at];
    if (other && child.tagName !== 'title') inlineStyles(child, other);
  }
}

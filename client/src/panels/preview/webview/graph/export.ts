/** The graph as a picture of its own: what the style sheet says of the theme goes into the file. */
import { svg } from '../../../kit/dom.ts';
import { arrowTip } from './draw.ts';

const inlined = [
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

/** The SVG's text. `drawing` must be on the page: its computed styles are read. */
export function exportSvg(drawing: SVGGElement, tip: Element, width: number, height: number): string {
  const background = getComputedStyle(document.body).backgroundColor;
  const copy = copied(drawing);
  copy.removeAttribute('transform');
  const defs = arrowTip();
  inline(tip, defs);
  const root = svg(
    'svg',
    { width, height, viewBox: `0 0 ${width} ${height}` },
    defs,
    svg('rect', { width, height, fill: background }),
    copy,
  );
  root.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  return new XMLSerializer().serializeToString(root).replace(notInXml, '\ufffd');
}

/** What a name may hold and an XML file may not, not even as a reference. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const notInXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

/** The same as a PNG of twice the size, in base64. */
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
  inline(original, copy);
  return copy;
}

/** Two trees of the same form: the first one's looks go to the second as attributes. */
function inline(original: Element, copy: Element): void {
  const style = getComputedStyle(original);
  for (const name of inlined) copy.setAttribute(name, style.getPropertyValue(name));
  for (const name of ['class', 'tabindex', 'role', 'data-path', 'data-from', 'data-to']) copy.removeAttribute(name);
  const copies = [...copy.children];
  for (const [at, child] of [...original.children].entries()) {
    const other = copies[at];
    if (other && child.tagName !== 'title') inline(child, other);
  }
}

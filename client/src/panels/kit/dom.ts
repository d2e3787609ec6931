/** Makes and patches elements. Data becomes text nodes and attributes only; no HTML is parsed. */

export type Child = Node | string | undefined | false;

export interface Props {
  readonly class?: string;
  readonly text?: string;
  readonly title?: string;
  readonly on?: { readonly [Event in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Event]) => void };
  /** Further attributes; one that is undefined is not set. */
  readonly attrs?: Readonly<Record<string, string | number | undefined>>;
}

export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  props: Props = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  if (props.class) element.className = props.class;
  if (props.text !== undefined) element.textContent = props.text;
  if (props.title) element.title = props.title;
  for (const [name, value] of Object.entries(props.attrs ?? {})) {
    if (value !== undefined) element.setAttribute(name, String(value));
  }
  for (const [event, listener] of Object.entries(props.on ?? {})) {
    element.addEventListener(event, listener as EventListener);
  }
  append(element, children);
  return element;
}

export function append(parent: Element, children: readonly Child[]): void {
  for (const child of children) if (child !== undefined && child !== false) parent.append(child);
}

/** A button that looks like a link. */
export const link = (text: string, title: string, click: () => void): HTMLButtonElement =>
  el('button', { class: 'link', text, title, attrs: { type: 'button' }, on: { click } });

/** A button with a text; `primary` for the main action of its group. */
export const button = (text: string, click: () => void, kind: 'primary' | 'secondary' = 'secondary') =>
  el('button', { class: `button ${kind}`, text, attrs: { type: 'button' }, on: { click } });

/** Writes only a text that differs, which keeps selections and does not announce it again. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

export function setAttr(element: Element, name: string, value: string | undefined): void {
  if (value === undefined) element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** Makes `wanted` the children of `parent`, in this order, without touching those that are already in place. */
export function setChildren(parent: Element, wanted: readonly Node[]): void {
  const keep = new Set(wanted);
  for (const child of [...parent.childNodes]) if (!keep.has(child)) child.remove();
  let at = parent.firstChild;
  for (const node of wanted) {
    if (node === at) at = at.nextSibling;
    else parent.insertBefore(node, at);
  }
}

/** As `setChildren`; if the focused element is removed, the focus moves to the control that takes its position. */
export function setChildrenKeepingFocus(parent: Element, wanted: readonly Node[]): void {
  const controls = (): HTMLElement[] => [...parent.querySelectorAll<HTMLElement>('button, input, select, textarea')];
  const at = controls().indexOf(document.activeElement as HTMLElement);
  setChildren(parent, wanted);
  if (at >= 0 && !parent.contains(document.activeElement)) controls()[at]?.focus({ preventScroll: true });
}

/** A text whose parts between backticks become `code` elements. */
export const withCode = (text: string): Child[] =>
  text.split(/`([^`\n]+)`/).map((part, at) => (at % 2 === 0 ? part : el('code', { text: part })));

const SVG = 'http://www.w3.org/2000/svg';

export function svg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attrs: Readonly<Record<string, string | number | undefined>> = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[Tag] {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attrs)) if (value !== undefined) element.setAttribute(name, String(value));
  append(element, children);
  return element;
}

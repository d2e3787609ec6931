/** Keyboard input that all pages share. */

export type Direction = 'Up' | 'Down' | 'Left' | 'Right';

/** Returns the direction of an arrow key; undefined for other keys. */
export const directionOf = ({ key }: KeyboardEvent): Direction | undefined =>
  /^Arrow(Up|Down|Left|Right)$/.exec(key)?.[1] as Direction | undefined;

/** Calls `open` for Ctrl+F or Cmd+F while `isReady` returns true. */
export function onFindKey(open: () => void, isReady: () => boolean = () => true): void {
  addEventListener('keydown', (event) => {
    const isFind = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'f';
    if (!isFind || event.shiftKey || event.altKey || !isReady()) return;
    event.preventDefault();
    event.stopPropagation();
    open();
  });
}

/**
 * Makes Ctrl+A and Cmd+A outside a text control select only the element that `elementOf` returns, if any. If all of the
 * element is selected, copying it copies the text that `textOf` returns. The workbench, which would select the whole
 * page, does not receive the key.
 */
export function onSelectAllKey(elementOf: () => Element | null, textOf: () => string): void {
  const select = (event: KeyboardEvent): void => {
    const isSelectAll = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'a';
    const isTyped = event.target instanceof Element && event.target.matches('input, textarea, select');
    if (!isSelectAll || isTyped || event.shiftKey || event.altKey) return;
    const element = elementOf();
    if (!element) return;
    event.preventDefault();
    event.stopPropagation();
    document.getSelection()?.selectAllChildren(element);
  };
  addEventListener('keydown', select, { capture: true });
  addEventListener('copy', (event) => {
    const { anchorNode, focusNode, isCollapsed = true } = document.getSelection() ?? {};
    const element = elementOf();
    if (isCollapsed || !element || anchorNode !== element || focusNode !== element) return;
    event.clipboardData?.setData('text/plain', textOf());
    event.preventDefault();
  });
}

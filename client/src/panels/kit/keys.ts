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

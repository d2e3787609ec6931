/** Keys that the pages of all panels share. */

export type Direction = 'Up' | 'Down' | 'Left' | 'Right';

/** The direction of an arrow key. */
export const directionOf = ({ key }: KeyboardEvent): Direction | undefined =>
  /^Arrow(Up|Down|Left|Right)$/.exec(key)?.[1] as Direction | undefined;

/** Opens the page's own search by Ctrl+F or Cmd+F, as long as `isReady`. */
export function onFindKey(open: () => void, isReady: () => boolean = () => true): void {
  addEventListener('keydown', (event) => {
    const isFind = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'f';
    if (!isFind || event.shiftKey || event.altKey || !isReady()) return;
    event.preventDefault();
    event.stopPropagation();
    open();
  });
}

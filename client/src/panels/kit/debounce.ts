/** Returns a function that calls `action` when this many milliseconds have passed without another call. */
export function debounce(action: () => void, milliseconds: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(action, milliseconds);
  };
}

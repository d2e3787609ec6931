/** Zoom and pan of a drawing: wheel and drag, buttons, keys. Nothing moves by itself. */

export interface Viewport {
  /**
   * Shows all of a drawing of this size, never enlarged. Where nobody could read it so small, it begins at its top rather
   * and goes on below; `all` shows it whole even then.
   */
  readonly fit: (width: number, height: number, all?: boolean) => void;
  readonly zoom: (by: number) => void;
  readonly pan: (x: number, y: number) => void;
  /** Moves a rectangle of the drawing into sight. */
  readonly reach: (box: { x: number; y: number; width: number; height: number }) => void;
  /** What is seen: how the drawing is moved, in pixels of the frame, and enlarged. */
  readonly view: () => View;
  /** Goes back to a view, as if a person had moved it there. */
  readonly show: (view: View) => void;
  /** True once a person moved it: a new layout then leaves it alone. */
  readonly touched: () => boolean;
  /** True where the drawing goes on below what the last `fit` shows. */
  readonly goesOn: () => boolean;
}

export interface View {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

const [SMALLEST, READABLE, LARGEST] = [0.1, 0.6, 4];

/** `moved` is called after every change of the view. */
export function createViewport(frame: SVGSVGElement, content: SVGGElement, moved?: () => void): Viewport {
  let [x, y, scale] = [0, 0, 1];
  let touched = false;
  let below = false;
  let raw = false;
  const apply = (): void => {
    content.setAttribute('transform', `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${scale.toFixed(4)})`);
    moved?.();
  };
  const pan = (dx: number, dy: number): void => {
    x += dx;
    y += dy;
    touched = true;
    apply();
  };
  const zoomAt = (by: number, cx: number, cy: number): void => {
    const next = Math.min(LARGEST, Math.max(SMALLEST, scale * by));
    x = cx - ((cx - x) * next) / scale;
    y = cy - ((cy - y) * next) / scale;
    scale = next;
    touched = true;
    apply();
  };
  frame.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      const { left, top } = frame.getBoundingClientRect();
      if (event.ctrlKey || event.metaKey)
        zoomAt(Math.exp(-event.deltaY / 200), event.clientX - left, event.clientY - top);
      else if (event.shiftKey && event.deltaX === 0) pan(-event.deltaY, 0);
      else pan(-event.deltaX, -event.deltaY);
    },
    { passive: false },
  );
  frame.addEventListener('pointerdown', (event) => {
    raw = event.button === 0 && event.target === frame;
    if (raw) frame.setPointerCapture(event.pointerId);
  });
  frame.addEventListener('pointermove', (event) => {
    if (raw) pan(event.movementX, event.movementY);
  });
  for (const end of ['pointerup', 'pointercancel'] as const) {
    frame.addEventListener(end, () => {
      raw = false;
    });
  }
  return {
    fit: (width, height, all = false) => {
      const { clientWidth, clientHeight } = frame;
      if (clientHeight === 0) return;
      const whole = Math.min(1, clientWidth / width, clientHeight / height);
      const wide = Math.max(SMALLEST, Math.min(READABLE, clientWidth / width));
      scale = whole >= READABLE || all ? Math.max(SMALLEST, whole) : wide;
      below = height * scale > clientHeight + 1;
      x = Math.max(0, (clientWidth - width * scale) / 2);
      y = 0;
      touched = false;
      apply();
    },
    zoom: (by) => zoomAt(by, frame.clientWidth / 2, frame.clientHeight / 2),
    pan,
    reach: (box) => {
      const margin = 16;
      const [left, top] = [box.x * scale + x, box.y * scale + y];
      const [right, bottom] = [left + box.width * scale, top + box.height * scale];
      if (left < margin) x += margin - left;
      else if (right > frame.clientWidth - margin) x -= Math.min(right - frame.clientWidth + margin, left - margin);
      if (top < margin) y += margin - top;
      else if (bottom > frame.clientHeight - margin) y -= Math.min(bottom - frame.clientHeight + margin, top - margin);
      apply();
    },
    view: () => ({ x, y, scale }),
    show: (view) => {
      ({ x, y, scale } = view);
      touched = true;
      apply();
    },
    touched: () => touched,
    goesOn: () => below && !touched,
  };
}

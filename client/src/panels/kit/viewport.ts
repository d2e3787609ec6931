/** Zoom and pan of a drawing by wheel and drag; buttons and keys call its methods. */
import type { Rect } from './geometry.ts';

export interface Viewport {
  /**
   * Shows all of a drawing of this size, at most in its own size. A drawing that would be too small to read starts at its
   * top and continues below the frame instead, unless `all` is given.
   */
  readonly fit: (width: number, height: number, all?: boolean) => void;
  readonly zoom: (by: number) => void;
  readonly pan: (x: number, y: number) => void;
  /** Moves a rectangle of the drawing into the frame. */
  readonly scrollTo: (box: Rect) => void;
  readonly view: () => View;
  /** Goes back to a view, which then counts as chosen by the user. */
  readonly show: (view: View) => void;
  /** True once the user moved or zoomed; a new layout then keeps the view. */
  readonly isUserMoved: () => boolean;
  /** True while the last `fit` cuts the drawing off below. */
  readonly continuesBelow: () => boolean;
}

/** How the drawing is moved, in pixels of the frame, and enlarged. */
export interface View {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

const [SMALLEST, READABLE, LARGEST] = [0.1, 0.6, 4];

/** `onMove` is called after every change of the view. */
export function createViewport(frame: SVGSVGElement, content: SVGGElement, onMove?: () => void): Viewport {
  let [x, y, scale] = [0, 0, 1];
  let isUserMoved = false;
  let isCutOff = false;
  let isDragging = false;
  const apply = (): void => {
    content.setAttribute('transform', `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${scale.toFixed(4)})`);
    onMove?.();
  };
  const pan = (dx: number, dy: number): void => {
    x += dx;
    y += dy;
    isUserMoved = true;
    apply();
  };
  const zoomAt = (by: number, cx: number, cy: number): void => {
    const next = Math.min(LARGEST, Math.max(SMALLEST, scale * by));
    x = cx - ((cx - x) * next) / scale;
    y = cy - ((cy - y) * next) / scale;
    scale = next;
    isUserMoved = true;
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
    isDragging = event.button === 0 && event.target === frame;
    if (isDragging) frame.setPointerCapture(event.pointerId);
  });
  frame.addEventListener('pointermove', (event) => {
    if (isDragging) pan(event.movementX, event.movementY);
  });
  for (const end of ['pointerup', 'pointercancel'] as const) {
    frame.addEventListener(end, () => {
      isDragging = false;
    });
  }
  return {
    fit: (width, height, all = false) => {
      const { clientWidth, clientHeight } = frame;
      if (clientHeight === 0) return;
      const whole = Math.min(1, clientWidth / width, clientHeight / height);
      const wide = Math.max(SMALLEST, Math.min(READABLE, clientWidth / width));
      scale = whole >= READABLE || all ? Math.max(SMALLEST, whole) : wide;
      isCutOff = height * scale > clientHeight + 1;
      x = Math.max(0, (clientWidth - width * scale) / 2);
      y = 0;
      isUserMoved = false;
      apply();
    },
    zoom: (by) => zoomAt(by, frame.clientWidth / 2, frame.clientHeight / 2),
    pan,
    scrollTo: (box) => {
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
      isUserMoved = true;
      apply();
    },
    isUserMoved: () => isUserMoved,
    continuesBelow: () => isCutOff && !isUserMoved,
  };
}

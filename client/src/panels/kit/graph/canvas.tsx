/** The frame of a graph: panning by drag and wheel, zoom, and a map of a drawing that is larger than the frame. */
import type { ComponentChildren, RefObject } from 'preact';
import { useImperativeHandle, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../l10n.ts';
import {
  fittingView,
  initialView,
  isLarger,
  type Rect,
  type Size,
  type View,
  viewShowing,
  within,
  zoomed,
} from './view.ts';

/** The actions of buttons and keys on a graph. */
export interface CanvasHandle {
  readonly zoom: (by: number) => void;
  /** Shows all of the drawing. */
  readonly fit: () => void;
  /** Moves a rectangle of the drawing into the frame. */
  readonly scrollTo: (box: Rect) => void;
  /**
   * Moves the drawing so that a rectangle that moved from `before` to `after` stays at the same position in the frame
   * and is visible.
   */
  readonly follow: (before: Rect, after: Rect) => void;
}

interface CanvasProps {
  readonly label: string;
  readonly drawing: Size;
  /** The rectangle in the middle of the initial view. */
  readonly start?: Rect | undefined;
  /** The rectangles of the map. */
  readonly boxes: readonly Rect[];
  readonly handle: RefObject<CanvasHandle | null>;
  /** The saved view; null for the initial view. */
  readonly savedView?: View | null;
  readonly onView?: (view: View | null) => void;
  /** The whole drawing, or a function that renders its visible part. */
  readonly children: ComponentChildren | ((seen: VisiblePart) => ComponentChildren);
}

/** The visible part of a drawing, rounded to tiles, so that small moves do not change it. */
export interface VisiblePart extends Rect {
  readonly scale: number;
}

const STEP = 1.25;

export function Canvas({ label, drawing, start, boxes, handle, savedView = null, onView, children }: CanvasProps) {
  const frame = useRef<SVGSVGElement>(null);
  const drag = useRef<{ readonly x: number; readonly y: number } | null>(null);
  const size = useSize(frame);
  const [chosen, setChosen] = useState(savedView);
  const latest = useRef(chosen);
  const view = within(chosen ?? initialView(size, drawing, start), size, drawing);
  latest.current = view;

  const show = (next: View | null): void => {
    const moved = next && within(next, size, drawing);
    if (moved) latest.current = moved;
    setChosen(moved);
    onView?.(moved);
  };
  const middle = { x: size.width / 2, y: size.height / 2 };
  const current = (): View => latest.current ?? view;
  const actions: CanvasHandle = {
    zoom: (by) => show(zoomed(current(), by, middle)),
    fit: () => show(fittingView(size, drawing)),
    scrollTo: (box) => show(viewShowing(current(), size, box)),
    follow: (before, after) => {
      const { x, y, scale } = current();
      const beside = { x: x + (before.x - after.x) * scale, y: y + (before.y - after.y) * scale, scale };
      show(viewShowing(beside, size, after));
    },
  };
  useImperativeHandle(handle, () => actions);

  // Preact cannot add a listener that is not passive, and only such a listener can prevent scrolling.
  useLayoutEffect(() => {
    const element = frame.current;
    const onWheel = (event: WheelEvent): void => {
      event.preventDefault();
      show(wheeled(current(), event));
    };
    element?.addEventListener('wheel', onWheel, { passive: false });
    return () => element?.removeEventListener('wheel', onWheel);
  });

  return (
    <div class="canvas">
      <svg
        ref={frame}
        class="canvas-frame"
        role="group"
        aria-label={label}
        onPointerDown={(event) => {
          if (event.button !== 0 || event.target !== event.currentTarget) return;
          drag.current = { x: event.clientX, y: event.clientY };
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={({ clientX, clientY }) => {
          const from = drag.current;
          if (!from) return;
          drag.current = { x: clientX, y: clientY };
          const { x, y, scale } = current();
          show({ x: x + clientX - from.x, y: y + clientY - from.y, scale });
        }}
        onLostPointerCapture={() => {
          drag.current = null;
        }}
        onKeyDown={(event) => {
          if (event.ctrlKey || event.metaKey || event.altKey || !zoomByKey(event.key, actions)) return;
          event.preventDefault();
        }}
      >
        <g transform={`translate(${view.x.toFixed(1)} ${view.y.toFixed(1)}) scale(${view.scale.toFixed(4)})`}>
          {typeof children === 'function' ? children(visiblePartOf(view, size)) : children}
        </g>
      </svg>
      {size.width > 0 && isLarger(view, size, drawing) && (
        <Minimap drawing={drawing} boxes={boxes} view={view} frame={size} onMove={show} />
      )}
    </div>
  );
}

const TILE = 400;

function visiblePartOf({ x, y, scale }: View, { width, height }: Size): VisiblePart {
  const [left, top] = [-x / scale, -y / scale].map((at) => Math.floor(at / TILE) * TILE) as [number, number];
  const [right, bottom] = [(width - x) / scale, (height - y) / scale].map((at) => Math.ceil(at / TILE) * TILE) as [
    number,
    number,
  ];
  return { x: left, y: top, width: right - left, height: bottom - top, scale };
}

function wheeled(view: View, event: WheelEvent): View {
  const { deltaX, deltaY } = event;
  if (event.ctrlKey || event.metaKey) {
    const { left, top } = (event.currentTarget as Element).getBoundingClientRect();
    return zoomed(view, Math.exp(-deltaY / 200), { x: event.clientX - left, y: event.clientY - top });
  }
  if (event.shiftKey && deltaX === 0) return { ...view, x: view.x - deltaY };
  return { ...view, x: view.x - deltaX, y: view.y - deltaY };
}

function zoomByKey(key: string, { zoom, fit }: CanvasHandle): boolean {
  if (key === '+' || key === '=') zoom(STEP);
  else if (key === '-') zoom(1 / STEP);
  else if (key === '0') fit();
  else return false;
  return true;
}

/** Returns the current size of an element. */
function useSize(ref: RefObject<Element | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const read = (): void => setSize({ width: element.clientWidth, height: element.clientHeight });
    read();
    const observer = new ResizeObserver(read);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return size;
}

/** Returns the zoom buttons of a graph. */
export const zoomActions = (canvas: RefObject<CanvasHandle | null>) =>
  [
    { icon: 'minus', label: t('Zoom out (-)'), onClick: () => canvas.current?.zoom(1 / STEP) },
    { icon: 'plus', label: t('Zoom in (+)'), onClick: () => canvas.current?.zoom(STEP) },
    { icon: 'fit', label: t('Fit (0)'), onClick: () => canvas.current?.fit() },
  ] as const;

// A map of a drawing, on which the visible part is marked. A click or drag on the map moves the visible part.

interface MinimapProps {
  readonly drawing: Size;
  readonly boxes: readonly Rect[];
  readonly view: View;
  readonly frame: Size;
  readonly onMove: (view: View) => void;
}

const [WIDEST, HIGHEST] = [160, 64];

function Minimap({ drawing, boxes, view, frame, onMove }: MinimapProps) {
  const isHeld = useRef(false);
  const scale = Math.min(WIDEST / drawing.width, HIGHEST / drawing.height, 0.2);
  const moveTo = (event: PointerEvent): void => {
    const { left, top } = (event.currentTarget as Element).getBoundingClientRect();
    const x = (event.clientX - left) / scale;
    const y = (event.clientY - top) / scale;
    onMove({ x: frame.width / 2 - x * view.scale, y: frame.height / 2 - y * view.scale, scale: view.scale });
  };
  const shown = {
    x: Math.max(0, -view.x / view.scale),
    y: Math.max(0, -view.y / view.scale),
    width: Math.min(drawing.width, frame.width / view.scale),
    height: Math.min(drawing.height, frame.height / view.scale),
  };
  return (
    <svg
      class="minimap"
      aria-hidden="true"
      width={Math.ceil(drawing.width * scale)}
      height={Math.ceil(drawing.height * scale)}
      viewBox={`0 0 ${drawing.width} ${drawing.height}`}
      onPointerDown={(event) => {
        isHeld.current = true;
        event.currentTarget.setPointerCapture(event.pointerId);
        moveTo(event);
      }}
      onPointerMove={(event) => {
        if (isHeld.current) moveTo(event);
      }}
      onLostPointerCapture={() => {
        isHeld.current = false;
      }}
    >
      <path class="minimap-boxes" d={boxes.map(rectPath).join('')} />
      <rect class="minimap-view" {...shown} vector-effect="non-scaling-stroke" />
    </svg>
  );
}

const rectPath = ({ x, y, width, height }: Rect): string => `M${x} ${y}h${width}v${height}h${-width}z`;

/** The id of the marker that `ArrowTip` defines. */
export const ARROW = 'arrow';

/** Defines the arrow tip of edges. */
export const ArrowTip = () => (
  <defs>
    <marker
      id={ARROW}
      viewBox="0 0 8 8"
      refX="7"
      refY="4"
      orient="auto"
      markerWidth="8"
      markerHeight="8"
      markerUnits="userSpaceOnUse"
    >
      <path d="M1 1L7 4L1 7" class="arrow-tip" />
    </marker>
  </defs>
);

// A row of a legend: a symbol with its meaning.

interface LegendEntryProps {
  readonly class: string;
  readonly meaning: string;
  readonly children: ComponentChildren;
}

export const LegendEntry = ({ class: name, meaning, children }: LegendEntryProps) => (
  <>
    <svg aria-hidden="true" viewBox="0 0 40 20">
      <g class={name}>{children}</g>
    </svg>
    <span>{meaning}</span>
  </>
);

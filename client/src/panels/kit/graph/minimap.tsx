/** A map of a drawing, with the part that the frame shows. A click or drag on it moves that part. */
import { useRef } from 'preact/hooks';
import type { Rect } from './geometry.ts';
import type { Size, View } from './view.ts';

interface MinimapProps {
  readonly drawing: Size;
  readonly boxes: readonly Rect[];
  readonly view: View;
  readonly frame: Size;
  readonly onMove: (view: View) => void;
}

const [WIDEST, HIGHEST] = [128, 96];

export function Minimap({ drawing, boxes, view, frame, onMove }: MinimapProps) {
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

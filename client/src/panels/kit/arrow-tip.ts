import { svg } from './dom.ts';

/** The id of the marker that `arrowTip` defines. */
export const ARROW = 'arrow';

/** Defines the arrow tip of edges; `units` says whether it grows with the width of its line. */
export const arrowTip = (units: 'strokeWidth' | 'userSpaceOnUse'): SVGDefsElement =>
  svg(
    'defs',
    {},
    svg(
      'marker',
      {
        ...{ id: ARROW, viewBox: '0 0 8 8', refX: 7, refY: 4, orient: 'auto' },
        ...{ markerWidth: 8, markerHeight: 8, markerUnits: units },
      },
      svg('path', { d: 'M1 1L7 4L1 7', class: 'arrow-tip' }),
    ),
  );

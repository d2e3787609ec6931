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

/** Icons of 16 by 16 pixels, drawn as strokes in the colour of the text beside them. */

const paths = {
  copy: 'M5.5 5.5h7v8h-7z M3.5 10.5v-8h7',
  check: 'M3 8.5l3.5 3.5l6.5-8',
  find: 'M7 3a4 4 0 1 0 0 8a4 4 0 0 0 0-8z M10 10l4 4',
  wrap: 'M2.5 4h11 M2.5 8h9a2.25 2.25 0 0 1 0 4.5h-3 M10 10.5l-2 2l2 2 M2.5 12.5h3',
  json: 'M6 2.5c-2 0-2 1-2 2.5s0 2.5-1.5 3c1.5.5 1.5 1.5 1.5 3s0 2.5 2 2.5 M10 2.5c2 0 2 1 2 2.5s0 2.5 1.5 3c-1.5.5-1.5 1.5-1.5 3s0 2.5-2 2.5',
  list: 'M6 4h7.5 M6 8h7.5 M6 12h7.5 M2.5 4h1 M2.5 8h1 M2.5 12h1',
  plus: 'M8 3v10 M3 8h10',
  minus: 'M3 8h10',
  fit: 'M2.5 6v-3.5h3.5 M10 2.5h3.5v3.5 M13.5 10v3.5h-3.5 M6 13.5h-3.5v-3.5',
  save: 'M8 2v8 M4.5 7l3.5 3.5l3.5-3.5 M2.5 13.5h11',
  close: 'M4 4l8 8 M12 4l-8 8',
  up: 'M4 10l4-4l4 4',
  down: 'M4 6l4 4l4-4',
  right: 'M6 4l4 4l-4 4',
  back: 'M13 8h-10 M7 4l-4 4l4 4',
  lock: 'M4 7.5h8v6h-8z M5.5 7.5v-2.5a2.5 2.5 0 0 1 5 0v2.5',
  more: 'M3 7.5h1v1h-1z M7.5 7.5h1v1h-1z M12 7.5h1v1h-1z',
  warning: 'M8 2.5l6 11h-12z M8 6.5v3 M8 11.5v.5',
  error: 'M8 2a6 6 0 1 0 0 12a6 6 0 0 0 0-12z M8 4.5v4 M8 10.8v.5',
  help: 'M8 2a6 6 0 1 0 0 12a6 6 0 0 0 0-12z M6.2 6.4a1.8 1.8 0 1 1 2.6 1.7c-.6.3-.8.6-.8 1.2 M8 11.3v.4',
  edit: 'M3 13l.6-2.6l7.6-7.6l2 2l-7.6 7.6z M9.8 4.2l2 2',
  follow: 'M2.5 5.5h10 M10 3l2.5 2.5l-2.5 2.5 M13.5 10.5h-10 M6 8l-2.5 2.5l2.5 2.5',
} as const;

export type IconName = keyof typeof paths;

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg viewBox="0 0 16 16" class="icon" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
);

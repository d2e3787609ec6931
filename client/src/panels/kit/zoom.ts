/** The buttons and keys that zoom a drawing. */
import { iconButton } from './icons.ts';
import { t } from './l10n.ts';

export interface Zoomable {
  readonly zoom: (by: number) => void;
  /** Shows all of the drawing. */
  readonly fit: () => void;
}

const STEP = 1.25;

export const zoomButtons = ({ zoom, fit }: Zoomable): readonly HTMLButtonElement[] => [
  iconButton('minus', t('Zoom out (-)'), () => zoom(1 / STEP)),
  iconButton('plus', t('Zoom in (+)'), () => zoom(STEP)),
  iconButton('fit', t('Fit (0)'), fit),
];

/** Zooms where the key is one for that; false for any other key. */
export function zoomByKey(key: string, { zoom, fit }: Zoomable): boolean {
  if (key === '+' || key === '=') zoom(STEP);
  else if (key === '-') zoom(1 / STEP);
  else if (key === '0') fit();
  else return false;
  return true;
}

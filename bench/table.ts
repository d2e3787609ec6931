/** The table of figures: what was measured, as a ratio, beside what is asked for. */

export interface Row {
  readonly figure: string;
  readonly against: string;
  /** At most this; undefined where nothing is asked. */
  readonly must?: number;
  readonly aim?: number;
  /** A ratio, or why there is none. */
  readonly measured: number | string;
  /** What the ratio is made of. */
  readonly from?: string;
}

/** `1/12` below a half, `1.3x` above. */
export function ratio(value: number): string {
  if (!Number.isFinite(value) || value <= 0) return '–';
  return value < 0.5 ? `1/${(1 / value).toFixed(1 / value < 10 ? 1 : 0)}` : `${value.toFixed(2)}x`;
}

const verdict = ({ measured, must, aim }: Row): string => {
  if (typeof measured === 'string' || must === undefined) return '';
  if (aim !== undefined && measured <= aim) return 'aim';
  return measured <= must ? 'must' : 'MISSED';
};

export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map((row) => {
    const { figure, against, must, aim, measured, from } = row;
    const shown = typeof measured === 'string' ? measured : `**${ratio(measured)}**`;
    const asked = [must, aim].map((value) => (value === undefined ? '' : ratio(value)));
    return `| ${[figure, against, ...asked, shown, verdict(row), from ?? ''].join(' | ')} |`;
  });
  return ['| figure | against | must | aim | measured | | from |', '|---|---|---|---|---|---|---|', ...lines].join(
    '\n',
  );
}

export const milliseconds = (value: number): string => `${value < 10 ? value.toFixed(2) : Math.round(value)} ms`;
export const seconds = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} s`;

/** Numbers, durations and prices as people read them, the same in every locale. What machines read keeps plain numbers. */

/** `1,284`; fractions stay as they are. */
export function grouped(value: number): string {
  const [whole = '', ...rest] = plain(value).split('.');
  return [/^-?\d+$/.test(whole) ? whole.replace(/\B(?=(?:\d{3})+$)/g, ',') : whole, ...rest].join('.');
}

const UNITS = [
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const;

/** Up to here seconds alone are read faster than minutes and seconds. */
const MINUTES_FROM = 120_000;

/** In seconds, minutes and hours. Nothing is rounded, so that two that differ look different. */
export function duration(ms: number): string {
  if (!Number.isFinite(ms) || Math.abs(ms) < 1000) return `${plain(ms)} ms`;
  if (Math.abs(ms) < MINUTES_FROM) return `${plain(ms / 1000)} s`;
  if (ms < 0) return `-${duration(-ms)}`;
  const parts: string[] = [];
  let left = ms;
  for (const [unit, size] of UNITS) {
    const count = unit === 's' ? left / size : Math.floor(left / size);
    left -= count * size;
    if (count > 0) parts.push(`${grouped(count)} ${unit}`);
  }
  return parts.join(' ');
}

/** `$0.039` */
export const dollars = (usd: number): string => (usd < 0 ? `-${dollars(-usd)}` : `$${grouped(usd)}`);

/** Without what adding fractions leaves behind. */
const plain = (value: number): string => String(Number(value.toPrecision(12)));

/**
 * Formats numbers, durations and prices for people, the same in every locale. Output for programs contains plain
 * numbers instead.
 */

/** Formats a number with commas between thousands: `1,284`. Fractions are not rounded. */
export function formatNumber(value: number): string {
  const [whole = '', ...rest] = plain(value).split('.');
  return [/^-?\d+$/.test(whole) ? whole.replace(/\B(?=(?:\d{3})+$)/g, ',') : whole, ...rest].join('.');
}

const UNITS = [
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const;

/**
 * The shortest duration, in milliseconds, that is shown in minutes. Shorter durations are easier to read in seconds.
 */
const MINUTES_FROM = 120_000;

/**
 * Formats milliseconds as hours, minutes and seconds. Durations are not rounded, so that different durations look
 * different.
 */
export function formatDuration(ms: number): string {
  if (!Number.isFinite(ms) || Math.abs(ms) < 1000) return `${plain(ms)} ms`;
  if (Math.abs(ms) < MINUTES_FROM) return `${plain(ms / 1000)} s`;
  if (ms < 0) return `-${formatDuration(-ms)}`;
  const parts: string[] = [];
  let left = ms;
  for (const [unit, size] of UNITS) {
    const count = unit === 's' ? left / size : Math.floor(left / size);
    left -= count * size;
    if (count > 0) parts.push(`${formatNumber(count)} ${unit}`);
  }
  return parts.join(' ');
}

/** Formats an amount in US dollars: `$0.039`. */
export const formatDollars = (usd: number): string => (usd < 0 ? `-${formatDollars(-usd)}` : `$${formatNumber(usd)}`);

/** Formats a number without the rounding errors of binary fractions. */
const plain = (value: number): string => String(Number(value.toPrecision(12)));

/** Converts numbers with a unit to the unit that a policy key uses (docs/format.md, section 6, "Contracts"). */

const SECONDS: ReadonlyMap<string, number> = new Map(
  Object.entries({ ms: 0.001, s: 1, sec: 1, m: 60, min: 60, h: 3600 }),
);

/**
 * Converts a number to the unit of its key: `2s` to `2000` for `timeout_ms`, `5%` or `5` to `0.05` for a threshold.
 * Returns undefined for text without a number.
 */
export function inUnitOf(key: string, written: string): string | undefined {
  const match = /^["']?\s*\$?\s*(\d{1,12}(?:\.\d{1,12})?)\s*(%|[a-z]+)?\s*["']?$/i.exec(written.slice(0, 60));
  if (!match) return undefined;
  const value = Number(match[1]);
  const unit = (match[2] ?? '').toLowerCase();
  const scale = key.endsWith('_ms') ? 0.001 : key.endsWith('_sec') ? 1 : undefined;
  if (scale !== undefined) {
    const seconds = SECONDS.get(unit);
    return seconds === undefined ? undefined : short((value * seconds) / scale);
  }
  if (key.endsWith('_threshold'))
    return value <= 100 && (unit === '%' || (unit === '' && value > 1)) ? short(value / 100) : undefined;
  return key.endsWith('_usd') && (unit === '' || unit === 'usd') ? short(value) : undefined;
}

/** Returns the number as text, without the rounding errors of binary fractions. */
const short = (value: number): string => String(Number(value.toPrecision(12)));

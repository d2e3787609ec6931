/** Numbers that authors write with a unit, in the unit that the policy's key asks for (docs/format.md, section 6). */

const SECONDS: ReadonlyMap<string, number> = new Map(
  Object.entries({ ms: 0.001, s: 1, sec: 1, m: 60, min: 60, h: 3600 }),
);

/** `2s` for `timeout_ms` is `2000`, `5%` or `5` for a threshold is `0.05`. Undefined where there is no number. */
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

/** Without the rounding errors of binary fractions. */
const short = (value: number): string => String(Number(value.toPrecision(12)));

/**
 * What checkers of messages are made of: what crosses between the host and a webview is data from outside, on either side.
 * A check never throws.
 */

export type Check = (value: unknown) => boolean;

export const string: Check = (value) => typeof value === 'string';
export const boolean: Check = (value) => typeof value === 'boolean';
export const number: Check = (value) => typeof value === 'number' && Number.isFinite(value);
export const count: Check = (value) => number(value) && Number.isInteger(value) && (value as number) >= 0;
export const anything: Check = () => true;
export const nothing: Check = (value) => value === null;
export const record: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

export const oneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);
export const either =
  (...checks: readonly Check[]): Check =>
  (value) =>
    checks.some((check) => check(value));
export const optional = (check: Check): Check => either((value) => value === undefined, check);
export const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
export const mapOf =
  (check: Check): Check =>
  (value) =>
    record(value) && Object.values(value as object).every(check);

/** An object that has these keys; others may stand beside them. */
export const shape =
  (keys: Readonly<Record<string, Check>>): Check =>
  (value) =>
    record(value) && Object.entries(keys).every(([key, check]) => check((value as Record<string, unknown>)[key]));

/** As `shape`, for each kind of message. */
export function isMessage(value: unknown, kinds: Readonly<Record<string, Check>>): boolean {
  const type = record(value) ? (value as { type?: unknown }).type : undefined;
  return typeof type === 'string' && Object.hasOwn(kinds, type) && (kinds[type]?.(value) ?? false);
}

export const position = shape({ line: count, character: count });
export const range = shape({ start: position, end: position });
export const place = shape({ uri: string, range });

/** Checks of what a page says: a page shows files of strangers, so the extension believes no shape. */

export type Check = (value: unknown) => boolean;

/** A check for each field of each message. The compiler asks for all of them. */
export type MessageChecks<Message extends { readonly type: string }> = {
  readonly [Type in Message['type']]: FieldChecks<Omit<Extract<Message, { readonly type: Type }>, 'type'>>;
};

export type FieldChecks<Fields> = { readonly [Name in keyof Required<Fields>]: Check };

/** Gives the function that reads a message; undefined for what is none. */
export function messageReader<Message extends { readonly type: string }>(checks: MessageChecks<Message>) {
  const byType = new Map<unknown, FieldChecks<object>>(Object.entries(checks));
  return (value: unknown): Message | undefined => {
    if (!isMap(value)) return undefined;
    const fields = byType.get(value.type);
    return fields && hasFields(fields)(value) ? (value as unknown as Message) : undefined;
  };
}

export const hasFields =
  <Fields>(fields: FieldChecks<Fields>): Check =>
  (value) =>
    isMap(value) && Object.entries<Check>(fields).every(([name, check]) => check(value[name]));

export const isText: Check = (value) => typeof value === 'string';
export const isBoolean: Check = (value) => typeof value === 'boolean';
export const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
export const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);

export const orAbsent =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

export const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

export const oneOf =
  (...words: readonly string[]): Check =>
  (value) =>
    words.includes(value as string);

const isPosition = hasFields<{ line: number; character: number }>({ line: isCount, character: isCount });
export const isRange = hasFields<{ start: unknown; end: unknown }>({ start: isPosition, end: isPosition });
export const isPlace = hasFields<{ uri: string; range: unknown }>({ uri: isText, range: isRange });

/** Whether a file is named in what a page was shown: it may ask for no other to be opened. */
export function namesFile(shown: unknown, uri: string): boolean {
  const pending: unknown[] = [shown];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next !== 'object' || next === null) continue;
    if ('uri' in next && next.uri === uri) return true;
    for (const inner of Object.values(next)) pending.push(inner);
  }
  return false;
}

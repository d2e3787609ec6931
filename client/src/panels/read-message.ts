/** Reads the messages and the kept state of pages. A page shows files of strangers, so all of it is checked. */
import * as v from 'valibot';
import type { TypeOf } from '../../../server/src/protocol/request.ts';

/** A message or a kept state of a page; undefined if the value does not fit the schema. */
export const readMessage = <Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
): TypeOf<Schema> | undefined => (v.is(schema, value) ? (value as TypeOf<Schema>) : undefined);

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

/** Reads the messages and the saved state of pages, and validates both, because a page shows untrusted files. */
import * as v from 'valibot';
import type { TypeOf } from '../../../server/src/protocol/request.ts';

/** Returns a message or a saved state of a page; undefined if the value does not match the schema. */
export const readMessage = <Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
): TypeOf<Schema> | undefined => (v.is(schema, value) ? (value as TypeOf<Schema>) : undefined);

/** Returns true if the data shown in a page contains the URI of a file. A page may open only such files. */
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

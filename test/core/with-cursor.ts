/** Fixtures with the cursor as `$0`. */
import assert from 'node:assert/strict';

/** Returns the fixture without its `$0`, and the offset of the `$0`. */
export function withCursor(source: string): { readonly text: string; readonly offset: number } {
  const offset = source.indexOf('$0');
  assert.ok(offset >= 0, 'the fixture has no $0');
  return { text: source.slice(0, offset) + source.slice(offset + 2), offset };
}

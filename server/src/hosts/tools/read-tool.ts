/** Reads one tool of a server's list. */
import { specTypeSchemas } from '@modelcontextprotocol/client';
import type { ListedTool } from '../../tools/snapshot.ts';

/** A tool as the protocol has it, else what is wrong with it. */
export async function readTool(given: unknown): Promise<ListedTool | string> {
  try {
    const read = await specTypeSchemas.Tool['~standard'].validate(given);
    if (!read.issues) return read.value;
    const [{ message, path = [] } = { message: '' }] = read.issues;
    const keys = path.map((key) => (typeof key === 'object' ? key.key : key)).join('.');
    return `${called(given)}: ${keys === '' ? '' : `\`${keys}\`: `}${message}`;
  } catch (error) {
    if (error instanceof RangeError) return `${called(given)}: It nests too deep.`;
    throw error;
  }
}

function called(given: unknown): string {
  const name = typeof given === 'object' && given !== null && 'name' in given ? given.name : undefined;
  return typeof name === 'string' && name !== '' ? `\`${name}\`` : 'one without a name';
}

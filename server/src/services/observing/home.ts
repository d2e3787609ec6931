/** Writes settings into a temporary home. */
import { writeBelow } from '../../io/temporary-folder.ts';

/** Writes a file below a home: text as it is, anything else as JSON. */
export const writeHome = (home: string, path: string, content: unknown): void =>
  writeBelow(home, path, typeof content === 'string' ? content : `${JSON.stringify(content, undefined, 2)}\n`);

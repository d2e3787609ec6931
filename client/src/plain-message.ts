/**
 * Returns a message for a notification or an input box: without links, and with quotes instead of backticks, as in the
 * titles of fixes.
 */
export const plainMessage = (message: string): string => message.replace(/`([^`]*)`/g, '‘$1’').replaceAll('](', '] (');

/** Returns a text of a file for an item of a list, in which VS Code would draw `$(name)` as an icon. */
export const itemText = (text: string): string => plainMessage(text).replaceAll('$(', '$\u200b(');

/** Returns the message of a thrown value. Never throws. */
export function errorMessage(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return 'unknown error';
  }
}

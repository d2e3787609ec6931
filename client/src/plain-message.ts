/** Returns a message for a notification or an input box: without links, and with quotes instead of backticks. */
export const plainMessage = (message: string): string => message.replace(/`([^`]*)`/g, '“$1”').replaceAll('](', '] (');

/** Returns the message of a thrown value. Never throws. */
export function errorMessage(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return 'unknown error';
  }
}

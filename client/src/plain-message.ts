/** Returns a message for a notification or an input box: without links, and with quotes instead of backticks. */
export const plainMessage = (message: string): string => message.replace(/`([^`]*)`/g, '“$1”').replaceAll('](', '] (');

/** Returns the message of a thrown value. */
export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** A message for a notification or an input box: no text in it becomes a link, and names in backticks stand in quotes. */
export const plainMessage = (message: string): string => message.replace(/`([^`]*)`/g, '“$1”').replaceAll('](', '] (');

/** The text of whatever was thrown. */
export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));

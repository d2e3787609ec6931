/** A message as a notification shows it: no text in it becomes a link, and names in backticks stand in quotes. */
export const plainMessage = (message: string): string => message.replace(/`([^`]*)`/g, '“$1”').replaceAll('](', '] (');

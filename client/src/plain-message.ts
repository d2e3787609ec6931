/** A message for a notification or an input box: no text in it becomes a link, and names in backticks stand in quotes. */
export const plainMessage = (message: string): string => message.replace(/`([^`]*)`/g, '“$1”').replaceAll('](', '] (');

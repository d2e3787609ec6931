/** Names and amounts as messages have them. */

/** More names are counted. */
const MAX_NAMED = 20;

export const listedNames = (names: readonly string[]): string => {
  const named = names.slice(0, MAX_NAMED).map((name) => `\`${name}\``);
  const more = names.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};

export const amountOf = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

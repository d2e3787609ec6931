/** Snippets as the text that they insert, for clients that take plain text alone. */

const PLACE = /\\([$}\\])|\$\{(\d+):((?:\\.|[^\\{}])*)\}|\$\{(\d+)\|([^|]*)\|\}|\$\{?(\d+)\}?/g;

/** The text before anyone types: defaults and first choices are taken, mirrors are filled in. */
export function plainText(snippet: string): string {
  const defaults = new Map<string, string>();
  for (const [, , stop, text, choice, choices] of snippet.matchAll(PLACE)) {
    if (stop !== undefined) defaults.set(stop, unescaped(text));
    if (choice !== undefined) defaults.set(choice, firstOf(choices));
  }
  return snippet.replace(
    PLACE,
    (_, escaped?: string, stop?: string, text?: string, choice?: string, choices?: string, mirror?: string) => {
      if (escaped !== undefined) return escaped;
      if (stop !== undefined) return unescaped(text);
      return choice !== undefined ? firstOf(choices) : (defaults.get(mirror ?? '') ?? '');
    },
  );
}

const unescaped = (text = ''): string => text.replace(/\\([$}\\])/g, '$1');

const firstOf = (choices = ''): string => choices.split(',')[0] ?? '';

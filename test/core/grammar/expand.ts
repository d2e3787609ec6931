/** What a snippet inserts before anyone types: defaults and first choices taken, mirrors filled in. */

const PLACE = /\\([$}\\])|\$\{(\d+):((?:\\.|[^\\{}])*)\}|\$\{(\d+)\|([^|]*)\|\}|\$\{?(\d+)\}?/g;
/** `${NAME/pattern/format/flags}`, where the format knows `${1:/downcase}` alone. */
const VARIABLE = /\$\{(\w+)\/((?:\\.|[^\\/])*)\/((?:\$\{[^}]*\}|[^/])*)\/([a-z]*)\}/g;

export function expand(body: string, variables: Readonly<Record<string, string>>): string {
  const filled = body.replace(VARIABLE, (_, name: string, pattern: string, format: string, flags: string) =>
    (variables[name] ?? '').replace(new RegExp(pattern, flags), (...groups: string[]) =>
      format.replace(/\$\{(\d+):\/downcase\}/g, (_, group: string) => (groups[Number(group)] ?? '').toLowerCase()),
    ),
  );
  const defaults = new Map<string, string>();
  for (const match of filled.matchAll(PLACE)) {
    const stop = match[2] ?? match[4];
    if (stop !== undefined) defaults.set(stop, match[3] ?? match[5]?.split(',')[0] ?? '');
  }
  return filled.replace(
    PLACE,
    (_, escaped?: string, stop?: string, text?: string, choice?: string, _list?: string, mirror?: string) =>
      escaped ?? text ?? defaults.get(stop ?? choice ?? mirror ?? '') ?? '',
  );
}

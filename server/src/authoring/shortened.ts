/** Shortens long lists in answers to agents to the most urgent entries (docs/mcp.md, "What every answer contains"). */

const MOST = 50;

const LISTS = ['findings', 'elsewhere', 'composed_by', 'overlaps', 'excluded', 'tests'];

/** The severities of findings and the results of tests, with the most urgent first. */
const URGENCY = ['error', 'failed', 'warning', 'warned', 'info', 'hint', 'skipped', 'passed'];

interface ListedItem {
  readonly severity?: string;
  readonly status?: string;
  readonly related?: readonly unknown[];
}

/**
 * Returns the answer with at most 50 entries in each list, in their original order; `left_out` counts the other
 * entries.
 */
export function shortened<T extends object>(answer: T): T {
  const lists = LISTS.flatMap((key) => {
    const list: unknown = Reflect.get(answer, key);
    return Array.isArray(list) ? [{ key, list: list as readonly ListedItem[] }] : [];
  });
  const short = lists.map(({ key, list }) => [key, mostUrgent(list).map(withFewPlaces)]);
  const left = lists.filter(({ list }) => list.length > MOST).map(({ key, list }) => [key, list.length - MOST]);
  const left_out = left.length > 0 ? { left_out: Object.fromEntries(left) } : {};
  return { ...answer, ...Object.fromEntries(short), ...left_out };
}

function mostUrgent(list: readonly ListedItem[]): readonly ListedItem[] {
  const urgency = ({ severity, status }: ListedItem): number => URGENCY.indexOf(severity ?? status ?? '');
  const kept = new Set([...list].sort((a, b) => urgency(a) - urgency(b)).slice(0, MOST));
  return list.filter((entry) => kept.has(entry));
}

/**
 * The maximum number of related locations per finding. If a skill has a hundred copies, each copy has a finding that
 * links to all other copies.
 */
const MOST_PLACES = 10;

const withFewPlaces = (entry: ListedItem): ListedItem =>
  entry.related ? { ...entry, related: entry.related.slice(0, MOST_PLACES) } : entry;

/** Answers to agents, who read all that they get: of a long list the most urgent entries (docs/mcp.md, "What every answer has"). */

const MOST = 50;

const LISTS = ['findings', 'elsewhere', 'composed_by', 'overlaps', 'excluded', 'tests'];

/** Severities of findings and states of tests, the most urgent first. */
const URGENCY = ['error', 'failed', 'warning', 'warned', 'info', 'hint', 'skipped', 'passed'];

interface Entry {
  readonly severity?: string;
  readonly status?: string;
}

/** The answer with at most 50 entries a list, in their order; `left_out` counts the others. */
export function shortened<T extends object>(answer: T): T {
  const long = LISTS.flatMap((key) => {
    const list: unknown = Reflect.get(answer, key);
    return Array.isArray(list) && list.length > MOST ? [{ key, list: list as readonly Entry[] }] : [];
  });
  if (long.length === 0) return answer;
  const short = long.map(({ key, list }) => [key, mostUrgent(list)]);
  const left = long.map(({ key, list }) => [key, list.length - MOST]);
  return { ...answer, ...Object.fromEntries(short), left_out: Object.fromEntries(left) };
}

function mostUrgent(list: readonly Entry[]): readonly Entry[] {
  const urgency = ({ severity, status }: Entry): number => URGENCY.indexOf(severity ?? status ?? '');
  const kept = new Set([...list].sort((a, b) => urgency(a) - urgency(b)).slice(0, MOST));
  return list.filter((entry) => kept.has(entry));
}

/** The lines of a trace that the Debug Console shows (docs/debugging.md). */
import type { Replay } from './launch.ts';

/**
 * Returns the lines of the events from `first` to an index, each with its node, and the index after the last of these
 * events.
 */
export function consoleLines({ trace, lines }: Pick<Replay, 'trace' | 'lines'>, first: number, index: number) {
  const { events, end: last } = trace;
  // The line of a call is complete after its result.
  const isCalling = last.kind === 'asking' && events.at(-1)?.kind === 'call';
  const end = isCalling ? Math.min(index, events.length - 1) : index;
  const found = lines.filter(({ at }) => at >= first && at < end);
  return {
    end,
    lines: found.map(({ at, indent, mark, name, text: rest }) => ({
      text: ['  '.repeat(indent) + mark, ...(name === undefined ? [] : [name]), rest].join(' ').trimEnd(),
      place: events.slice(0, at + 1).findLast((event) => event.kind === 'enter'),
    })),
  };
}

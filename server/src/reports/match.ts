/** A ranking (docs/matching.md) as data and as text, for the command line, the protocol and agents. */
import type { Colors } from 'picocolors/types';
import type { Analysis } from '../analysis/analysis.ts';
import { type MatchQuery, matchSkills } from '../analysis/match-skills.ts';
import { formatShare, type MatchReply } from '../protocol.ts';
import { showFields } from '../text.ts';
import { columnsOf } from './tables.ts';

export interface MatchReport {
  readonly weak: boolean;
  readonly matches: readonly {
    readonly name: string;
    readonly version: string | null;
    readonly file: string;
    readonly score: number;
    readonly ambiguous: boolean;
    readonly reasons: readonly { readonly field: string; readonly text: string }[];
  }[];
  readonly excluded: readonly { readonly name: string; readonly file: string; readonly reason: string }[];
}

/** Returns a ranking with files instead of URIs. */
export const matchReport = ({ request, matches, weak, excluded }: MatchReply, fileOf: (uri: string) => string) => ({
  request,
  weak,
  matches: matches.map(({ name, version, uri, score, ambiguous, reasons }) => ({
    ...{ name, version, file: fileOf(uri) },
    ...{ score, ambiguous, reasons },
  })),
  excluded: excluded.map(({ name, uri, reason }) => ({ name, file: fileOf(uri), reason })),
});

/** The maximum number of listed excluded skills. Further excluded skills are only counted. */
const MAX_EXCLUDED = 10;

export function matchToPretty(report: MatchReport, colors: Colors): string {
  const { matches, weak, excluded } = showFields(report);
  const width = Math.max(0, ...matches.map(({ name }) => columnsOf(name)));
  const lines = matches.flatMap(({ name, version, file, score, ambiguous, reasons }) => {
    const padded = name + ' '.repeat(width - columnsOf(name));
    const head = [
      `${colors.bold(padded)}  ${formatShare(score).padStart(5)} ${bar(score)}`,
      ...(ambiguous ? [colors.yellow('ambiguous')] : []),
      ...(version === null ? [] : [version]),
      colors.dim(file),
    ];
    return [head.join('  '), ...fieldLines(reasons).map((line) => colors.dim(`    ${line}`))];
  });
  const left = excluded
    .slice(0, MAX_EXCLUDED)
    .map(({ name, file, reason }) => `  ${name}: ${reason}  ${colors.dim(file)}`);
  const more = excluded.length - left.length;
  return `${[
    ...(matches.length === 0 ? ['No skill matches this request.'] : []),
    ...(weak && matches.length > 0 ? ['No skill matches this request well. The nearest:'] : []),
    ...lines,
    ...(left.length > 0 ? ['', 'Excluded:', ...left] : []),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ].join('\n')}\n`;
}

const CELLS = 10;

const bar = (score: number): string => {
  const full = Math.round(score * CELLS);
  return '█'.repeat(full) + '░'.repeat(CELLS - full);
};

/** Returns one line for each key: `description: outline, scene`. */
function fieldLines(reasons: MatchReport['matches'][number]['reasons']): readonly string[] {
  const byField = new Map<string, string[]>();
  for (const { field, text } of reasons) byField.set(field, [...(byField.get(field) ?? []), text]);
  return [...byField].map(([field, texts]) => `${field}: ${texts.join(', ')}`);
}

/** The default number of ranked skills. */
export const USUAL_TOP = 10;

/** Returns the ranking for a request, in the form that the command line and the protocol share. */
export function matchView(analysis: Analysis, query: MatchQuery): MatchReply {
  const { matches, isWeak: weak, excluded } = matchSkills(analysis, query);
  return {
    request: query.request,
    weak,
    matches: matches.map(({ id, name, version, score, ambiguous, reasons }) => ({
      ...{ name, version: version ?? null, uri: id },
      ...{ score, ambiguous, reasons },
    })),
    excluded: excluded.map(({ id, name, reason }) => ({ name, uri: id, reason })),
  };
}

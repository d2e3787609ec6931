/**
 * Downgrades to hints the findings that a baseline accepts, finds its unused entries, and makes the entries of a new
 * baseline (docs/ci.md, "Accept the current findings").
 */
import type { Finding } from '../../finding.ts';
import { contentDigest } from '../../skill/content-digest.ts';
import { type LineStarts, lineAt, lineEnd, lineStartsOf } from '../../text.ts';
import { decoded, folderOf } from '../../vocabulary/dialect.ts';
import type { AcceptedFinding, AcceptedMeasure, Baseline } from '../../workspace/baseline.ts';
import type { Index } from '../../workspace/workspace-index.ts';

/**
 * Returns a digest of the rule, the path and the text of the marked line. The digest stays the same when the line
 * moves. The digest of a finding about many files is made from its cause, so it stays the same when one of them is fixed.
 */
export function digestOf(
  { rule, span, shared, others }: Finding,
  file: string,
  text: string,
  lines: LineStarts,
): string {
  if (others !== undefined) return digestOfText(`${rule}\0${shared?.cause}`);
  const line = lineAt(lines, span.start);
  const marked = text.slice(lines[line], lineEnd(text, lines, line)).trim();
  return digestOfText(`${rule}\0${file}\0${marked}`);
}

const digestOfText = (text: string): string => contentDigest(text).replace('sha256:', '').slice(0, 16);

/**
 * Returns the nearest baseline in a folder above a file, and the path of the file in that baseline; undefined if that
 * baseline has no entry for the file.
 */
export function findBaseline(
  { baselines }: Index,
  uri: string,
): { readonly file: string; readonly baseline: Baseline } | undefined {
  if (baselines.isEmpty()) return undefined;
  for (let folder = folderOf(uri); folder.includes('/'); folder = folderOf(folder)) {
    const files = baselines.get(folder);
    if (!files) continue;
    const file = decoded(uri.slice(folder.length + 1));
    const baseline = files.get(file);
    return baseline && { file, baseline };
  }
  return undefined;
}

/**
 * Returns the findings, with accepted findings downgraded to hints. `file` is the path of the file in the baseline. If
 * more findings have the same digest than the baseline accepts, the first of these findings are accepted.
 */
export function markAccepted(
  findings: readonly Finding[],
  { file, text }: { readonly file: string; readonly text: string },
  { findings: known, measures }: Baseline,
): readonly Finding[] {
  const left = new Map(known.map(({ rule, digest, count }) => [`${rule} ${digest}`, count]));
  const limits = new Map(measures.map(({ rule, of, value }) => [`${rule} ${of}`, value]));
  const lines = lineStartsOf(text);
  return findings.map((finding) => {
    const { rule, measure } = finding;
    const limit = measure && limits.get(`${rule} ${measure.of}`);
    if (measure && limit !== undefined) return measure.amount <= limit ? asAccepted(finding) : finding;
    const key = `${rule} ${digestOf(finding, file, text, lines)}`;
    const count = left.get(key) ?? 0;
    if (count === 0) return finding;
    left.set(key, count - 1);
    return asAccepted(finding);
  });
}

const asAccepted = (finding: Finding): Finding => ({ ...finding, severity: 'hint', isKnown: true });

/** The checked files by their paths in a baseline. Their findings include the accepted ones. */
export type CheckedFiles = ReadonlyMap<string, { readonly text: string; readonly findings: readonly Finding[] }>;

/**
 * Counts the entries of a baseline that accept more findings than exist in a checked or missing file. `kept` contains
 * the entries for other files.
 */
export function countUnused(baseline: Baseline, kept: Baseline, checked: CheckedFiles): number {
  const keptOnes = new Set<unknown>([...kept.findings, ...kept.measures]);
  const met = new Map([...checked].map(([name, file]) => [name, matchesIn(name, file.text, file.findings)]));
  const isUnused = (entry: AcceptedFinding | AcceptedMeasure): boolean => {
    if (keptOnes.has(entry)) return false;
    const count = met.get(entry.file)?.get(`${entry.rule} ${'of' in entry ? entry.of : entry.digest}`) ?? 0;
    return count < ('of' in entry ? 1 : entry.count);
  };
  return [...baseline.findings, ...baseline.measures].filter(isUnused).length;
}

/** Counts the findings in a file that each baseline entry could match. */
function matchesIn(name: string, text: string, findings: readonly Finding[]): ReadonlyMap<string, number> {
  const lines = lineStartsOf(text);
  const met = new Map<string, number>();
  const count = (key: string) => met.set(key, (met.get(key) ?? 0) + 1);
  for (const finding of findings) {
    const { rule, measure, isKnown } = finding;
    if (measure) count(`${rule} ${measure.of}`);
    if (isKnown) count(`${rule} ${digestOf(finding, name, text, lines)}`);
  }
  return met;
}

/** Returns the baseline that accepts the findings of the checked files, with the entries that are `kept`, sorted. */
export function newBaseline(before: Baseline, kept: Baseline, checked: CheckedFiles): Baseline {
  const current = [...checked].map(([file, { text, findings }]) => entriesOf(file, text, findings, before));
  return sorted({
    findings: [...kept.findings, ...current.flatMap(({ findings }) => findings)],
    measures: [...kept.measures, ...current.flatMap(({ measures }) => measures)],
  });
}

/** Returns the entries for the findings of a file. The limit of a measured finding never increases. */
function entriesOf(file: string, text: string, findings: readonly Finding[], before: Baseline): Baseline {
  const lines = lineStartsOf(text);
  const counts = new Map<string, AcceptedFinding>();
  const measures = new Map<string, AcceptedMeasure>();
  for (const finding of findings) {
    const { rule, measure } = finding;
    if (measure) {
      const { of } = measure;
      const value = Math.max(measure.amount, measures.get(`${rule} ${of}`)?.value ?? measure.amount);
      const old = before.measures.find((one) => one.file === file && one.rule === rule && one.of === of);
      measures.set(`${rule} ${of}`, { rule, file, of, value: Math.min(value, old?.value ?? value) });
      continue;
    }
    const digest = digestOf(finding, file, text, lines);
    const count = (counts.get(digest)?.count ?? 0) + 1;
    counts.set(digest, { rule, file, digest, count });
  }
  return { findings: [...counts.values()], measures: [...measures.values()] };
}

const sorted = ({ findings, measures }: Baseline): Baseline => ({
  findings: [...findings].sort((a, b) => compare([a.file, a.rule, a.digest], [b.file, b.rule, b.digest])),
  measures: [...measures].sort((a, b) => compare([a.file, a.rule, a.of], [b.file, b.rule, b.of])),
});

/** Compares word by word in UTF-16 code units, independently of the locale. */
function compare(a: readonly string[], b: readonly string[]): number {
  for (const [at, word] of a.entries()) {
    const other = b[at] ?? '';
    if (word !== other) return word < other ? -1 : 1;
  }
  return 0;
}

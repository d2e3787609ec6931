/** Downgrades to hints the findings that a baseline accepts (docs/ci.md, "Accept the current findings"). */
import type { Finding } from '../../finding.ts';
import { contentDigest } from '../../skill/content-digest.ts';
import { type LineStarts, lineAt, lineEnd, lineStartsOf } from '../../text.ts';
import { decoded, folderOf } from '../../vocabulary/dialect.ts';
import type { Baseline } from '../../workspace/baseline.ts';
import type { Index } from '../../workspace/workspace-index.ts';

/**
 * Returns a digest of the rule, the path and the text of the marked line. The digest stays the same when the line
 * moves.
 */
export function digestOf({ rule, span }: Finding, file: string, text: string, lines: LineStarts): string {
  const line = lineAt(lines, span.start);
  const marked = text.slice(lines[line], lineEnd(text, lines, line)).trim();
  return contentDigest(`${rule}\0${file}\0${marked}`).replace('sha256:', '').slice(0, 16);
}

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

/** Checks the fixes of broken YAML by parsing the fixed text, because a defect may have more causes than its fix repairs. */
import { applyEdits, overlaps, type Span, span, type TextEdit } from '../../text.ts';
import type { YamlProblem } from './node.ts';

/**
 * The number of characters after which no other fix of a document is checked, and therefore offered. The first fix is
 * always checked, so that a large document can be repaired in steps.
 */
const VERIFY_BUDGET = 50_000;

/**
 * Returns the problems in `source`, without the fixes that do not end their problem. `problemsOf` parses a fixed text.
 * Never throws unless `problemsOf` does.
 */
export function verifyFixes(
  source: string,
  problems: readonly YamlProblem[],
  problemsOf: (text: string) => readonly YamlProblem[],
): readonly YamlProblem[] {
  let budget = VERIFY_BUDGET;
  return problems.map((problem) => {
    const { fix, ...rest } = problem;
    if (!fix) return problem;
    if (budget <= 0) return rest;
    budget -= source.length;
    return repairs(problems, problem, problemsOf(applyEdits(source, fix.edits))) ? problem : rest;
  });
}

/**
 * Returns whether the fix of a problem leads to the problems `after`, in which the text of the problem and of its fix has
 * only problems that it had `before`.
 */
function repairs(before: readonly YamlProblem[], problem: YamlProblem, after: readonly YamlProblem[]): boolean {
  const edits = problem.fix?.edits ?? [];
  const { start, end } = problem.span;
  const earlier = edits.filter((edit) => edit.span.start < start);
  const places = [span(movedBy(earlier, start), movedBy(edits, end)), ...newPlaces(edits)];
  const others = before.filter((one) => one !== problem);
  const isKnown = (one: YamlProblem): boolean =>
    others.some(({ message, span: old }) => message === one.message && movedBy(edits, old.start) === one.span.start);
  return !after.some(
    (one) => one.kind === 'syntax' && places.some((place) => overlaps(one.span, place)) && !isKnown(one),
  );
}

/** Returns the spans of the new texts after all edits. A fix may have an edit for each line of a long text. */
function newPlaces(edits: readonly TextEdit[]): readonly Span[] {
  let moved = 0;
  return [...edits]
    .sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end)
    .map(({ span: { start, end }, newText }) => {
      const place = span(start + moved, start + moved + newText.length);
      moved += newText.length - (end - start);
      return place;
    });
}

/** Returns the offset `at` after the edits before it. */
const movedBy = (edits: readonly TextEdit[], at: number): number =>
  edits.reduce(
    (sum, { span: old, newText }) => (old.end <= at ? sum + newText.length - (old.end - old.start) : sum),
    at,
  );

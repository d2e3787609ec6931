/** Parses a broken document in several passes until every defect is reported once. */
import type { Span } from '../../text.ts';
import { diagnose } from './diagnosis.ts';
import type { YamlProblem } from './node.ts';
import { type IntendedValues, insertPlaceholders, type Placeholder } from './placeholders.ts';
import type { ParserError, Pass } from './problems.ts';

/**
 * The limits for the number of passes and for the characters in all passes. A larger broken file is parsed in fewer
 * passes.
 */
const MAX_PASSES = 40;
const PASS_BUDGET = 300_000;

/** The maximum number of problems in a document. */
export const MAX_PROBLEMS = 100;

/**
 * Returns the maximum number of diagnoses in one pass. A diagnosis may read the whole text, and most later errors are
 * consequences of earlier errors.
 */
const diagnosesIn = (text: string): number => Math.max(10, Math.min(100, 5_000_000 / text.length));

/**
 * Diagnoses the errors in the pass `first`, replaces the defects with placeholders and calls `read` to parse again,
 * until all errors are explained or a limit is reached. Adds problems to `found` and values to `intended`; returns the
 * last pass. Never throws unless `read` does.
 */
export function repair<P extends Pass>(
  first: P,
  read: (text: string, source: string) => P,
  found: YamlProblem[],
  intended: IntendedValues,
): P {
  let pass = first;
  const regions: Span[] = [];
  const isExplained = ({ start }: ParserError): boolean =>
    regions.some((region) => region.start <= start && start <= region.end);
  let budget = PASS_BUDGET;
  for (let passes = 0; passes < MAX_PASSES && budget > 0 && found.length < MAX_PROBLEMS; passes++) {
    const placeholders: Placeholder[] = [];
    let isFirst = true;
    let diagnoses = diagnosesIn(pass.text);
    for (const error of pass.errors) {
      if (isExplained(error)) continue;
      if (--diagnoses < 0) break;
      const diagnosis = diagnose(pass, error);
      // After an error that changed the structure, a defect is certain only if its own line shows it.
      if (!isFirst && !diagnosis.certain) continue;
      if (found.some((problem) => problem.span.start === diagnosis.problem.span.start)) continue;
      if (diagnosis.placeholders.length > 0) isFirst = false;
      found.push(diagnosis.problem);
      placeholders.push(...diagnosis.placeholders);
      regions.push(diagnosis.region);
      if (found.length >= MAX_PROBLEMS) break;
    }
    if (placeholders.length === 0) break;
    budget -= pass.text.length;
    pass = read(insertPlaceholders(pass.text, placeholders, intended), pass.source);
  }
  return pass;
}

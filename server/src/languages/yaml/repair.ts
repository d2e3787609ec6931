/** Reading a broken document until every defect is told once. */
import type { Span } from '../../text.ts';
import { diagnose } from './diagnosis.ts';
import type { Fault, Pass } from './faults.ts';
import { type Mask, maskText, type Substitutes } from './masks.ts';
import type { YamlProblem } from './node.ts';

/** Reading again after a repair costs as much as reading; a large broken file gets fewer passes. */
const MAX_PASSES = 40;
const PASS_BUDGET = 1_000_000;

/** Nobody reads more; the first ones are the ones to mend. */
export const MAX_PROBLEMS = 100;

/** Looking at a fault may cost a look at the whole text, and of thousands in one pass nearly all are cascades. */
const diagnosesIn = (text: string): number => Math.max(10, Math.min(100, 5_000_000 / text.length));

/** Explains the faults and reads again without them, until none is left that is not told already. */
export function repair<P extends Pass>(
  first: P,
  read: (text: string, source: string) => P,
  found: YamlProblem[],
  substitutes: Substitutes,
): P {
  let pass = first;
  const regions: Span[] = [];
  const isTold = ({ start }: Fault): boolean => regions.some((region) => region.start <= start && start <= region.end);
  let budget = PASS_BUDGET;
  for (let passes = 0; passes < MAX_PASSES && budget > 0 && found.length < MAX_PROBLEMS; passes++) {
    const masks: Mask[] = [];
    let isFirst = true;
    let diagnoses = diagnosesIn(pass.text);
    for (const fault of pass.faults) {
      if (isTold(fault)) continue;
      if (--diagnoses < 0) break;
      const diagnosis = diagnose(pass, fault);
      // What follows a fault that changed the structure may be its cascade, unless its own line shows that it is not.
      if (!isFirst && !diagnosis.certain) continue;
      if (found.some((problem) => problem.span.start === diagnosis.problem.span.start)) continue;
      if (diagnosis.masks.length > 0) isFirst = false;
      found.push(diagnosis.problem);
      masks.push(...diagnosis.masks);
      regions.push(diagnosis.region);
      if (found.length >= MAX_PROBLEMS) break;
    }
    if (masks.length === 0) break;
    budget -= pass.text.length;
    pass = read(maskText(pass.text, masks, substitutes), pass.source);
  }
  return pass;
}

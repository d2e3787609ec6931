/** The names of the steps that run the entries of `composes` (docs/format.md, section 4, "Step names"). */
import type { Span } from '../../text.ts';
import { kebabName } from '../kebab-name.ts';
import type { SkillFile } from '../skill-file.ts';

/** A step name that is used twice, or to which no reference can refer. */
export interface StepNameProblem {
  /** The index of the entry in `composes`. */
  readonly entry: number;
  readonly span: Span;
  /** A sentence that describes the fault. */
  readonly message: string;
  /** A sentence that describes the fix. */
  readonly advice: string;
  /** A name that no step has. */
  readonly free: string;
  /** The first entry with the same step name; undefined if the fault is the name itself. */
  readonly first: Span | undefined;
}

const NAME = /^[A-Za-z_][\w-]*$/;

/**
 * Returns whether `$name.output` refers to a step with this name (docs/format.md, section 4, "Step names"). The name
 * `input` refers to the inputs of the composite.
 */
export const isStepName = (name: string): boolean => NAME.test(name) && name !== 'input';

/**
 * Returns the faults of the step names in `composes`, in the order of the file (docs/format.md, section 4, "Step
 * names"). Never throws.
 */
export const stepNameProblems = (file: SkillFile): readonly StepNameProblem[] => file.derive(findProblems);

function findProblems({ contract: { composes } }: SkillFile): readonly StepNameProblem[] {
  const taken = new Set(composes.map(({ step }) => step));
  const first = new Map<string, Span>();
  // The search for a free number continues where it ended for the same base, so that many duplicates take linear time.
  const numbers = new Map<string, number>();
  const claim = (...wanted: readonly string[]): string => {
    const name = wanted.find((one) => isStepName(one) && !taken.has(one)) ?? numbered(wanted);
    taken.add(name);
    return name;
  };
  /** Returns the last valid name in `wanted` with a number. */
  const numbered = (wanted: readonly string[]): string => {
    const base = wanted.findLast((name) => NAME.test(name)) ?? 'step';
    let number = numbers.get(base) ?? 2;
    while (taken.has(`${base}-${number}`)) number++;
    numbers.set(base, number + 1);
    return `${base}-${number}`;
  };
  return composes.flatMap(({ name, step, as, span: place }, entry): StepNameProblem[] => {
    const span = as?.span ?? place;
    const earlier = first.get(step);
    if (earlier) {
      const free = claim(name, step);
      const message = `Duplicate step name \`${step}\`.`;
      return [
        { entry, span, message, advice: `Name this step with \`as\`, for example \`${free}\`.`, free, first: earlier },
      ];
    }
    first.set(step, span);
    // The name of a skill has rules of its own. Only `input` is a valid name there and not here.
    if (as ? isStepName(step) : step !== 'input') return [];
    const free = claim(kebabName(step) ?? '', name);
    const message = step === '' ? '`as` is empty.' : `\`${step}\` is not a valid step name.`;
    const rule = 'Begin with a letter, and use only letters, digits, `_` and `-`; `input` is reserved';
    return [{ entry, span, message, advice: `${rule}. Write for example \`${free}\`.`, free, first: undefined }];
  });
}

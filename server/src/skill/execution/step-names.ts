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
  const claim = (...wanted: readonly string[]): string => {
    const name = freeName(wanted, taken);
    taken.add(name);
    return name;
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

/** Returns the first valid name in `wanted` that is not taken; otherwise the last one with a number. */
function freeName(wanted: readonly string[], taken: ReadonlySet<string>): string {
  const found = wanted.find((name) => isStepName(name) && !taken.has(name));
  if (found !== undefined) return found;
  const base = wanted.findLast((name) => NAME.test(name)) ?? 'step';
  let number = 2;
  while (taken.has(`${base}-${number}`)) number++;
  return `${base}-${number}`;
}

/**
 * Finds faults of names in `composes` and in conditions: step names, targets of mappings, and names without a value
 * (docs/format.md, sections 4 and 5).
 */

import { FUNCTIONS } from '../../languages/minijinja/builtins.ts';
import { undefinedInCondition } from '../../languages/minijinja/scope-model.ts';
import type { NameUse } from '../../languages/minijinja/scopes.ts';
import { stringOf, type YamlMap } from '../../languages/yaml/node.ts';
import { nearestNames } from '../../nearest.ts';
import { type Span, span } from '../../text.ts';
import { CONDITION_VARIABLES } from '../../vocabulary/known-names.ts';
import { type Condition, inFile } from '../conditions.ts';
import type { ComposesEntry } from '../contract.ts';
import { kebabName } from '../kebab-name.ts';
import { parameterNames } from '../parameters.ts';
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
    const advice =
      step === 'input'
        ? `\`$input\` refers to the inputs of this skill. Write for example \`${free}\`.`
        : `Write for example \`${free}\`: a letter, then ASCII letters, digits, \`_\` and \`-\`.`;
    return [{ entry, span, message, advice, free, first: undefined }];
  });
}

/** A pair of a mapping whose target an earlier pair of the same mapping has. */
export interface RepeatedTarget {
  readonly entry: ComposesEntry;
  readonly mapping: YamlMap;
  readonly span: Span;
  /** The name that is mapped. */
  readonly from: string;
  /** The span of the earlier target. */
  readonly first: Span;
  /** A sentence that describes the fault. */
  readonly message: string;
  /** A sentence that describes the fix. */
  readonly advice: string;
}

/**
 * Returns the pairs of mappings with repeated targets, in the order of the file (docs/format.md, section 4,
 * "Mappings"). Never throws.
 */
export const repeatedTargets = (file: SkillFile): readonly RepeatedTarget[] => file.derive(findRepeated);

const findRepeated = ({ contract }: SkillFile): readonly RepeatedTarget[] =>
  contract.composes.flatMap((entry) => [
    ...repeatedIn(entry, entry.inputMapping, (from, first, to) => ({
      message: `\`${first}\` and \`${from}\` are both mapped to the input \`${to}\` of \`${entry.step}\`.`,
      advice: 'Remove one of them.',
    })),
    ...repeatedIn(entry, entry.outputMapping, (from, first, to) => ({
      message: `The outputs \`${first}\` and \`${from}\` of \`${entry.step}\` are both mapped to \`${to}\`.`,
      advice: 'Give them different names.',
    })),
  ]);

function repeatedIn(
  entry: ComposesEntry,
  mapping: YamlMap | undefined,
  tell: (from: string, first: string, to: string) => Pick<RepeatedTarget, 'message' | 'advice'>,
): readonly RepeatedTarget[] {
  const found = new Map<string, { readonly from: string; readonly span: Span }>();
  const sources = new Set<string>();
  return (mapping?.entries ?? []).flatMap(({ key, value }) => {
    const to = stringOf(value);
    const from = String(key.value);
    // `duplicate-key` reports a second pair with the same key.
    if (sources.has(from)) return [];
    sources.add(from);
    const first = to === undefined ? undefined : found.get(to);
    if (to !== undefined && !first) found.set(to, { from, span: value.span });
    if (!mapping || !first || to === undefined) return [];
    return [{ entry, mapping, span: value.span, from, first: first.span, ...tell(from, first.from, to) }];
  });
}

/** A name in a condition that is neither a parameter nor a variable of conditions. */
export interface UnknownName {
  readonly place: Condition['place'];
  /** The name, or a reference without its `$`, such as `input.x`. */
  readonly name: string;
  /** The spans of the name in one condition, in the file. */
  readonly spans: readonly [Span, ...Span[]];
  /** The texts that may replace the name, the most likely first. */
  readonly rights: readonly string[];
  /** A sentence that describes the fix; undefined if the usual advice applies. */
  readonly advice: string | undefined;
  /** True if the name is called as a function. */
  readonly isCall: boolean;
}

/** The names that every condition can use besides the parameters. */
const AMBIENT: readonly string[] = [...CONDITION_VARIABLES.map(({ name }) => name), ...FUNCTIONS.keys()];

/**
 * Returns the unknown names in all conditions of a file, grouped by condition and name, in the order of the conditions
 * (docs/format.md, section 5). Returns an empty array if the input schema allows any name. Never throws.
 */
export const unknownConditionNames = (file: SkillFile): readonly UnknownName[] => file.derive(findUnknownNames);

/** The names that a condition may mean. */
interface Names {
  readonly parameters: ReadonlySet<string>;
  readonly known: ReadonlySet<string>;
  readonly steps: ReadonlySet<string>;
}

function findUnknownNames(file: SkillFile): readonly UnknownName[] {
  const parameters = parameterNames(file.contract.input?.schema);
  if (!parameters) return [];
  const names: Names = {
    parameters: new Set(parameters),
    known: new Set([...parameters, ...AMBIENT]),
    steps: new Set(file.contract.composes.map(({ step }) => step)),
  };
  return file.conditions.flatMap((condition) => namesIn(file, condition, names));
}

function namesIn(file: SkillFile, condition: Condition, names: Names): readonly UnknownName[] {
  const { place, scalar, expression, scopes } = condition;
  const value = String(scalar.value);
  const found = new Map<string, UnknownName & { spans: [Span, ...Span[]] }>();
  let end = 0;
  for (const use of undefinedInCondition(expression, scopes, (name) => names.known.has(name))) {
    // A reference begins with `$`, and a reference without `$` may contain hyphens, which separate names elsewhere.
    if (use.span.start < end || value[use.span.start] === '$') continue;
    const { source: name, rights, advice } = meantBy(value, use, place === 'execution', names);
    end = use.span.start + name.length;
    const where = inFile(file.text, condition, span(use.span.start, end));
    const known = found.get(name);
    if (known) known.spans.push(where);
    else found.set(name, { place, name, spans: [where], rights, advice, isCall: /^\s*\(/.test(value.slice(end)) });
  }
  return [...found.values()];
}

/** The text of an unknown name, and what its author may have meant. */
interface Meant {
  readonly source: string;
  readonly rights: readonly string[];
  readonly advice?: string;
}

/** A name, or a reference without its `$`. MiniJinja reads a hyphen as a minus sign. */
const BARE = /^[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*/;

function meantBy(value: string, { name, span: { start } }: NameUse, isOfStep: boolean, names: Names): Meant {
  const { parameters, known, steps } = names;
  const source = BARE.exec(value.slice(start))?.[0] ?? name;
  const [head = '', ...path] = source.split('.');
  if (head !== name && parameters.has(head)) {
    const right = [`parameters["${head}"]`, ...path].join('.');
    return { source, rights: [isOfStep ? `$input.${source}` : right] };
  }
  if (isOfStep) {
    const rights = referencesMeant(head, path, names);
    if (rights.length > 0) return { source, rights };
  } else if (path.length > 0 && steps.has(head)) {
    return {
      source,
      rights: [],
      advice: 'Only conditions of steps can use the outputs of steps. Use an input, or remove this condition.',
    };
  } else if (/^inputs?$/.test(head) && parameters.has(path[0] ?? '')) {
    return { source, rights: [path.join('.')] };
  }
  return { source: name, rights: nearestNames(name, known) };
}

/** Returns the references that a bare name may mean, such as `$p.output.x` for `p.x`. */
function referencesMeant(
  head: string,
  path: readonly string[],
  { known, steps }: Pick<Names, 'known' | 'steps'>,
): readonly string[] {
  const [first = '', ...rest] = path;
  if (path.length === 0) return steps.has(head) ? [`$${head}.output`] : [];
  const sources = ['input', ...steps];
  const isExact = sources.includes(head);
  // Other programs write `steps.p.output.x`.
  if (!isExact && steps.has(first)) return referencesMeant(first, rest, { known, steps });
  if (!isExact && nearestNames(head, known).length > 0) return [];
  const near = isExact ? [head] : nearestNames(head, sources);
  const fields = first === 'output' || nearestNames(first, ['output']).length > 0 ? rest : path;
  return near.map((right) => `$${[right, ...(right === 'input' ? path : ['output', ...fields])].join('.')}`);
}

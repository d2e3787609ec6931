/** Checks the data flow of a composite once; each of the four rules takes its own findings out of it. */
import type { Analysis } from '../../../analysis/analysis.ts';
import type { Draft, Fix, RelatedPlace } from '../../../finding.ts';
import type { TypeClash } from '../../../languages/schema/schema.ts';
import type { SkillFile } from '../../../skill/skill-file.ts';
import type { Span } from '../../../text.ts';
import { type DataFlow, type Flow, readDataFlow, type VisitedStep } from './data-flow.ts';
import { type FlowProblem, type FlowRule, gapOfInput, gapOfOutput, mapAnother } from './gaps.ts';
import {
  type Field,
  type FlowValue,
  type Guards,
  inFlow,
  isThere,
  pairsOf,
  placeOf,
  relateFields,
  UNCONDITIONAL,
} from './values.ts';
import { checkInputs, checkMappings, checkReferences } from './written-names.ts';

/** The limit of problems in one file, so that no file can make a check slow. */
const MAX_PROBLEMS = 500;

export const draftsOfFlow = (analysis: Analysis, file: SkillFile, rule: FlowRule): readonly Draft[] =>
  analysis
    .observed(file, checkDataFlow, () => checkDataFlow(analysis, file))
    .flatMap((problem) => (problem.rule === rule ? [problem.draft] : []));

function checkDataFlow(analysis: Analysis, file: SkillFile): readonly FlowProblem[] {
  const data = readDataFlow(analysis, file);
  if (!data) return [];
  const problems: FlowProblem[] = [];
  // A step may run twice.
  const seen = new Set<string>();
  for (const problem of problemsOf(file, data)) {
    const key = `${problem.draft.span.start} ${problem.draft.message}`;
    if (seen.has(key)) continue;
    seen.add(key);
    if (problems.push(problem) >= MAX_PROBLEMS) break;
  }
  return problems;
}

function* problemsOf(file: SkillFile, data: DataFlow): Iterable<FlowProblem> {
  yield* checkReferences(file, data);
  for (const visit of data.visits) {
    yield* checkMappings(file, visit);
    yield* checkInputs(file, data, visit);
    yield* checkByName(file, data, visit);
  }
  yield* checkOutputs(file, data);
}

/** The inputs that neither `inputs` nor a mapping gives: the flow's value of the same name is taken. */
function* checkByName(file: SkillFile, data: DataFlow, visit: VisitedStep): Iterable<FlowProblem> {
  const { entry, flow, input } = visit;
  if (!input) return;
  const wants = `\`${entry.step}\` takes`;
  const mapped = pairsOf(entry.inputMapping).map(({ to }) => to);
  const bound = new Set([...mapped, ...(visit.inputs?.entries ?? []).map(({ key }) => String(key.value))]);
  for (const field of input.fields) {
    if (bound.has(field.name)) continue;
    const given = flow.values.get(field.name);
    if (isGap(given, flow.isOpen, field, visit.guards)) yield gapOfInput(file, data, visit, field);
    else {
      const problem = firstClash(given ?? [], field, wants, entry.span);
      if (problem) yield { ...problem, draft: { ...problem.draft, fixes: mapAnother(file, visit, field) } };
    }
  }
}

function* checkOutputs(file: SkillFile, data: DataFlow): Iterable<FlowProblem> {
  for (const field of data.output?.fields ?? []) {
    const given = data.end.values.get(field.name);
    if (isGap(given, data.end.isOpen, field, UNCONDITIONAL)) yield gapOfOutput(file, data, field);
    else {
      const problem = firstClash(given ?? [], field, 'the output has to be', field.span);
      if (problem) yield problem;
    }
  }
}

/** The values of the flow that have the name of a field. */
type Given = ReturnType<Flow['values']['get']>;

/** A required field that nothing has the name of, or only what need not be there. */
const isGap = (given: Given, isOpen: boolean, { isRequired, hasDefault }: Field, guards: Guards): boolean =>
  isRequired && !hasDefault && !isOpen && !given?.some((value) => isThere(value, guards));

// Values of the flow whose type does not fit what takes them.

/**
 * The first of several values that does not fit a field. `wants` begins what is said of the consumer: "`rate-page` takes".
 */
export function firstClash(
  values: readonly FlowValue[],
  field: Field,
  wants: string,
  span: Span,
): FlowProblem | undefined {
  for (const value of values) {
    const problem = clashOf(value, field, wants, span);
    if (problem) return problem;
  }
  return undefined;
}

function clashOf(value: FlowValue, field: Field, wants: string, span: Span): FlowProblem | undefined {
  if (relateFields(value.field, field).kind !== 'clash') return undefined;
  const related = [
    placeOf(value.field, `\`${value.field.name}\` comes from here`),
    placeOf(field, `\`${field.name}\` has its type here`),
  ].filter((place) => place.span !== span);
  return clashBetween(inFlow(value), value.field, field, wants, span, related);
}

/** The same for anything with a schema; `what` names it in the message. */
export function clashBetween(
  what: string,
  from: Parameters<typeof relateFields>[0],
  field: Field,
  wants: string,
  span: Span,
  related: readonly RelatedPlace[],
  fixes: readonly Fix[] = [],
): FlowProblem | undefined {
  const verdict = relateFields(from, field);
  if (verdict.kind !== 'clash') return undefined;
  const worst = verdict.clashes.find(({ kind }) => kind !== 'format') ?? verdict.clashes[0];
  return {
    rule: worst.kind === 'format' ? 'format-mismatch' : 'type-mismatch',
    draft: { span, message: messageOf(what, worst, wants, field.name), related, fixes },
  };
}

function messageOf(what: string, { kind, path, from, to }: TypeClash, wants: string, name: string): string {
  const inner = path.length === 0 ? '' : ` at \`${pathIn(name, path)}\``;
  if (kind === 'missing') {
    const lacks =
      from === 'nothing' ? `has no \`${pathIn(name, path)}\`` : `has \`${pathIn(name, path)}\` only as \`${from}\``;
    return `${what} ${lacks}, but ${wants} \`${name}\` only with it (\`${to}\`). Give it, or make it optional.`;
  }
  if (kind === 'format') {
    return `${what} is \`${from}\`${inner}, but ${wants} \`${to}\`, and nothing promises that format. Declare it where the value comes from, or map another value.`;
  }
  return `${what} is \`${from}\`${inner}, but ${wants} \`${to}\`. Map another value, or change one of the two schemas.`;
}

/** `user.tags[].name`. */
const pathIn = (name: string, path: TypeClash['path']): string =>
  path.reduce<string>(
    (text, step) =>
      step === '[]' || typeof step === 'number' ? `${text}[${step === '[]' ? '' : step}]` : `${text}.${step}`,
    name,
  );

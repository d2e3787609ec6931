/** Checks the data flow of a composite. The check runs once, and each rule selects its own findings. */

import type { Analysis } from '../../analysis/analysis.ts';
import { type DataFlow, type Flow, readDataFlow, type VisitedStep } from '../../analysis/data-flow/data-flow.ts';
import { type Guards, UNCONDITIONAL } from '../../analysis/data-flow/doubts.ts';
import { type Field, lacks, namesOf } from '../../analysis/data-flow/fields.ts';
import { pairsOf } from '../../analysis/data-flow/mappings.ts';
import { isAvailable } from '../../analysis/data-flow/values.ts';
import type { Draft } from '../../finding.ts';
import { nearestNames } from '../../nearest.ts';
import { visitExecution } from '../../skill/execution/steps.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { mapAnother } from './candidates.ts';
import { firstClash } from './clashes.ts';
import { circularData, isInCycle } from './data-cycles.ts';
import type { FlowProblem, FlowRule } from './flow-problem.ts';
import { gapOfInput, gapOfOutput } from './gaps.ts';
import { checkInputs, checkReferences } from './inputs.ts';
import { checkMappings, checkUnusedPairs, isSwapped } from './mapping-checks.ts';
import { raceOf } from './races.ts';

/** The limit for problems in one file, so that no file can make a check slow. */
const MAX_PROBLEMS = 500;

/** Returns the findings of one data-flow rule. */
export const draftsOfFlow = (analysis: Analysis, file: SkillFile, rule: FlowRule): readonly Draft[] =>
  analysis.derive(file, checkDataFlow).flatMap((problem) => (problem.rule === rule ? [problem.draft] : []));

/** Returns the steps with outputs that other steps need and do not get, because the steps run too late or never. */
export const awaitedSteps = (analysis: Analysis, file: SkillFile): ReadonlySet<string> =>
  new Set(analysis.derive(file, checkDataFlow).flatMap(({ awaits }) => awaits ?? []));

/** Returns the steps to which a reference is too early. */
const earlySources = (file: SkillFile): readonly string[] =>
  (visitExecution(file)?.references ?? []).flatMap(({ source, ran }) => (ran.has(source) ? [] : [source]));

function checkDataFlow(file: SkillFile, analysis: Analysis): readonly FlowProblem[] {
  const data = readDataFlow(analysis, file);
  if (!data) return [];
  const problems: FlowProblem[] = [];
  // If a step occurs twice, its problems are reported only once.
  const seen = new Set<string>();
  // `step-order` reports the steps to which references are too early.
  const awaited = new Set(earlySources(file));
  for (const problem of problemsOf(file, data)) {
    // An alias such as `*name` has the faults of its anchor.
    const isAlias = file.text[problem.draft.span.start] === '*';
    const key = isAlias ? problem.draft.message : `${problem.draft.span.start} ${problem.draft.message}`;
    if (seen.has(key) || (problem.awaits !== undefined && awaited.has(problem.awaits))) continue;
    if (problem.awaits !== undefined) awaited.add(problem.awaits);
    seen.add(key).add(problem.draft.message);
    if (problems.push(problem) >= MAX_PROBLEMS) break;
  }
  return problems;
}

function* problemsOf(file: SkillFile, data: DataFlow): Iterable<FlowProblem> {
  yield* checkReferences(file, data);
  for (const visit of data.visits) {
    const cycle = data.cycles.get(visit.entry);
    if (cycle) yield circularData(file, cycle, visit);
    yield* checkMappings(file, data, visit);
    yield* checkInputs(file, data, visit);
    yield* checkByName(file, data, visit);
  }
  yield* checkOutputs(file, data);
  for (const race of data.races) {
    const problem = raceOf(file, data, race);
    if (problem) yield problem;
  }
  yield* checkUnusedPairs(file, data);
}

/**
 * Checks the inputs that neither `inputs` nor a mapping provides. An input without a mapping uses the value in the flow
 * with the same name.
 */
function* checkByName(file: SkillFile, data: DataFlow, visit: VisitedStep): Iterable<FlowProblem> {
  const { entry, flow, input } = visit;
  if (!input) return;
  const expectation = `\`${entry.step}\` expects`;
  const mapped = pairsOf(entry.inputMapping).map((pair) => (isSwapped(visit, pair) ? pair.from : pair.to));
  const given = (visit.inputs?.entries ?? []).map(({ key }) => String(key.value));
  // A misspelt name explains that the input is missing.
  const misspelt = [...given, ...mapped]
    .filter((name) => lacks(input, name))
    .flatMap((name) => nearestNames(name, namesOf(input)));
  const bound = new Set([...mapped, ...given, ...misspelt]);
  for (const field of input.fields) {
    if (bound.has(field.name)) continue;
    const values = flow.values.get(field.name);
    if (isGap(values, flow.isOpen, field, visit.guards)) {
      if (!isInCycle(data, visit, field.name)) yield gapOfInput(file, data, visit, field);
    } else {
      const problem = firstClash(values ?? [], field, expectation, entry.span, visit.guards);
      if (problem) yield { ...problem, draft: { ...problem.draft, fixes: mapAnother(file, visit, field) } };
    }
  }
}

function* checkOutputs(file: SkillFile, data: DataFlow): Iterable<FlowProblem> {
  if (!data.isOutput) return;
  for (const field of data.output?.fields ?? []) {
    const given = data.end.values.get(field.name);
    if (isGap(given, data.end.isOpen, field, UNCONDITIONAL)) yield gapOfOutput(file, data, field);
    else {
      const problem = firstClash(given ?? [], field, 'the output must be', field.span);
      if (problem) yield problem;
    }
  }
}

/** The values in the flow that have the name of a field. */
type Given = ReturnType<Flow['values']['get']>;

/** Returns whether a field is required although the flow possibly contains no value with its name. */
const isGap = (given: Given, isOpen: boolean, { isRequired, hasDefault }: Field, guards: Guards): boolean =>
  isRequired && !hasDefault && !isOpen && !given?.some((value) => isAvailable(value, guards));

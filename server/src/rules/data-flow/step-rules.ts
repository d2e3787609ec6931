/** Rules about the names and the order of steps (docs/format.md, section 4, "Execution"). */

import type { Analysis } from '../../analysis/analysis.ts';
import { hasSoundExecution, readDataFlow } from '../../analysis/data-flow/data-flow.ts';
import { declareIn, replaceName } from '../../analysis/name-fixes.ts';
import { packageOf } from '../../analysis/package-of.ts';
import { removeFromList } from '../../analysis/removals.ts';
import { groupSkillsByStage, stageThatRefersTo } from '../../composer/subgraph/execution.ts';
import type { Draft, Fix } from '../../finding.ts';
import { fixHere, placesHere } from '../../finding.ts';
import { formatScalar, insertEntry } from '../../languages/yaml/edit.ts';
import { listItems } from '../../languages/yaml/node.ts';
import { didYouMean, nearestNames } from '../../nearest.ts';
import { type ComposesEntry, findSkillEntry } from '../../skill/contract.ts';
import { type StepNameProblem, stepNameProblems } from '../../skill/execution/name-problems.ts';
import { visitExecution } from '../../skill/execution/steps.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { contains, type Span, sliceOf, type TextEdit } from '../../text.ts';
import { draftOf, valueProblems } from '../any-file/shape-problems.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';
import { awaitedSteps } from './checks.ts';
import { addStep, runEarlier } from './run-earlier.ts';

/** Reports a step, or a reference to a step, without an entry in `composes`. */
export const unknownStep: Rule = {
  name: 'unknown-step',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4, "Execution"' },
  dialects: SKILLS,
  about: 'composition',
  prevents: ['composition'],
  *check(file, analysis) {
    const visit = visitExecution(file);
    if (!visit) return;
    const known = new Set(file.contract.composes.map(({ step }) => step));
    const unknown = new Set<string>();
    const invalid = new Set<number>();
    for (const problem of valueProblems(file, 'unknown-step')) {
      // `invalid-step-name` reports an entry whose name is a number, too.
      if (known.has(sliceOf(file.text, problem.span))) continue;
      invalid.add(problem.span.start);
      yield draftOf(file, problem);
    }
    for (const { name, span } of visit.steps) {
      if (known.has(name) || unknown.has(name) || invalid.has(span.start)) continue;
      unknown.add(name);
      const near = stepsMeant(file, name, known);
      const canDeclare = analysis.isSkillName(name) && !near.exact;
      yield {
        span,
        message: `Unknown step \`${name}\`.${didYouMean(near.names) || ' Add it to `composes`.'}`,
        fixes: [
          ...replaceName(file, [span], near.names),
          ...(canDeclare ? declareIn(file, 'composes', name, `Add \`${name}\` to \`composes\``) : []),
        ],
      };
    }
    const sources = new Set([...known, 'input']);
    const inputs = new Set(file.contract.input?.schema.fields.map(({ name }) => name));
    for (const { source, sourceSpan, within, path } of visit.references) {
      // The loop above already reports an unknown step.
      if (sources.has(source) || unknown.has(source)) continue;
      const input = path.length === 0 && inputs.has(source) ? [`$input.${source}`] : [];
      const { names } = stepsMeant(file, source, sources);
      // Text may contain a `$` that does not begin a reference.
      if (within === 'text' && names.length === 0 && path[0]?.name !== 'output') continue;
      const rights = input.length > 0 ? input : names.map((right) => `$${right}`);
      yield {
        span: sourceSpan,
        message: `Unknown step \`$${source}\`.${didYouMean(rights) || ' Use `$input` or a step of this skill.'}`,
        fixes: replaceName(file, [sourceSpan], rights),
      };
    }
  },
};

/** The steps that an unknown name means. `exact`: the name is certain, but not written as a step is. */
interface StepsMeant {
  readonly names: readonly string[];
  readonly exact: boolean;
}

/** Returns the steps of a skill that has another step name, the step of a reference, or the steps with similar names. */
function stepsMeant({ contract }: SkillFile, name: string, known: ReadonlySet<string>): StepsMeant {
  const [, source = ''] = /^\s*\$?([\w-]+)(?:\.[\w.-]*)?\s*$/.exec(name) ?? [];
  if (source !== name && known.has(source)) return { names: [source], exact: true };
  const renamed = contract.composes.flatMap((entry) => (entry.as && entry.name === name ? [entry.step] : []));
  if (renamed.length > 0) return { names: renamed.slice(0, 3), exact: true };
  return { names: nearestNames(name, known), exact: false };
}

/** Reports a reference to the output of a step that has not run yet. */
export const stepOrder: Rule = {
  name: 'step-order',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4, "Execution"' },
  dialects: SKILLS,
  about: 'composition',
  prevents: ['composition'],
  *check(file, analysis) {
    const visit = visitExecution(file);
    if (!visit) {
      yield* earlyStages(file, analysis);
      return;
    }
    const known = new Set(file.contract.composes.map(({ step }) => step));
    // A fix for the first reference to a step makes the other ones right, too.
    const reported = new Set<string>();
    for (const { source, span, ran } of visit.references) {
      if (source === 'input' || !known.has(source) || ran.has(source) || reported.has(source)) continue;
      reported.add(source);
      const step = visit.steps.find(({ name }) => name === source);
      if (!step) {
        const entry = file.contract.composes.find((one) => one.step === source);
        yield {
          span,
          message: `\`${source}\` never runs, so it has no output. Add a step that runs it before this one.`,
          fixes: entry ? addStep(file, readDataFlow(analysis, file), entry) : [],
        };
        continue;
      }
      yield {
        span,
        message: `\`${source}\` has not run yet at this point, so it has no output. Run it before this step, and not in the same parallel group.`,
        fixes: runBefore(analysis, file, source, span),
        related: [{ uri: file.uri, span: step.span, message: `\`${source}\` runs here` }],
      };
    }
  },
};

/** Returns the fix that moves the step `source` before the step that refers to it at `reference`. */
function runBefore(analysis: Analysis, file: SkillFile, source: string, reference: Span): readonly Fix[] {
  const data = readDataFlow(analysis, file);
  const moved = file.contract.composes.find(({ step }) => step === source);
  return data && moved ? runEarlier(file, data, reference, moved) : [];
}

/** Reports references in stages to composed skills that must run before an earlier stage, which needs their output. */
function* earlyStages(file: SkillFile, analysis: Analysis): Iterable<Draft> {
  const mayWait = file.body?.artifacts.some(({ kind }) => kind === 'Approach') && file.contract.composes.length > 1;
  const own = mayWait ? packageOf(analysis, file.uri, () => []) : undefined;
  for (const { stages } of own?.artifacts ?? []) {
    if (!own || stages.length < 2) continue;
    for (const { stage, entries } of groupSkillsByStage(own, stages)) {
      for (const entry of entries) {
        const wanted = stageThatRefersTo(entry, stages);
        const reference = stages[wanted]?.references.find(({ name }) => name === entry.step || name === entry.name);
        if (!reference || wanted <= stage) continue;
        const [before, after] = [stages[stage], stages[wanted]].map((one) => `\`${one?.name}\``);
        yield {
          severity: 'warning',
          span: reference.span,
          message: `\`${entry.step}\` runs before the stage ${before}, which needs its output, and not in ${after}. Refer to it in ${before} or earlier.`,
        };
      }
    }
  }
}

/** Reports a composed skill that no step of the execution block runs. */
export const unusedStep: Rule = {
  name: 'unused-step',
  severity: 'warning',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4, "Execution"' },
  dialects: SKILLS,
  about: 'composition',
  *check(file, analysis) {
    if (file.contract.backed) {
      yield* stepsOfService(file);
      return;
    }
    const visit = visitExecution(file);
    // In an execution block that cannot run, an invalid step may be meant to run an entry that seems unused.
    if (!visit || !hasSoundExecution(file)) return;
    const run = new Set(visit.steps.map(({ name }) => name));
    const known = new Set(file.contract.composes.map(({ step }) => step));
    // A step without an entry may be a misspelling of an entry that seems unused; `unknown-step` reports the step.
    if ([...run].some((name) => !known.has(name))) return;
    const data = readDataFlow(analysis, file);
    const awaited = awaitedSteps(analysis, file);
    const referenced = new Set(visit.references.map(({ source }) => source));
    for (const entry of file.contract.composes) {
      const { step, span } = entry;
      // `missing-required-field` and `step-order` report a step that reads the outputs of this entry.
      if (run.has(step) || awaited.has(step) || referenced.has(step)) continue;
      yield {
        span,
        message: `\`${step}\` is composed, but no step of \`execution\` runs it. Add a step, or remove the entry.`,
        tag: 'unnecessary',
        fixes: [
          ...addStep(file, data, entry),
          ...removeFromList(file, 'composes', span, `Remove \`${step}\` from \`composes\``),
        ],
      };
    }
  },
};

/** Reports the composed skills of a service, which runs outside of the composition. */
function* stepsOfService(file: SkillFile): Iterable<Draft> {
  for (const { step, span } of file.contract.composes) {
    yield {
      span,
      message: `\`${step}\` never runs, because this skill is a service (\`backing_service\`). Remove the entry, or the service.`,
      tag: 'unnecessary',
      fixes: removeFromList(file, 'composes', span, `Remove \`${step}\` from \`composes\``),
    };
  }
}

/** Reports step names that two entries of `composes` share, and names to which no reference can refer. */
export const invalidStepName: Rule = {
  name: 'invalid-step-name',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4, "Step names"' },
  dialects: SKILLS,
  about: 'composition',
  prevents: ['composition'],
  *check(file) {
    const problems = stepNameProblems(file);
    for (const problem of problems) {
      const entry = file.contract.composes[problem.entry];
      if (!entry) continue;
      const { span, message, advice, first } = problem;
      yield {
        span,
        message: `${message} ${advice}`,
        related: first ? placesHere(file, [{ span: first }], `\`${entry.step}\` is first used here`) : [],
        fixes: fixesOf(file, entry, problem),
      };
    }
    const reported = new Set(problems.map(({ span }) => span.start));
    for (const problem of valueProblems(file, 'invalid-step-name')) {
      if (!reported.has(problem.span.start)) yield draftOf(file, problem);
    }
  },
};

/** Returns the fix that renames a step and, for a duplicate name, the fix that removes its entry. */
function fixesOf(file: SkillFile, entry: ComposesEntry, { free, first }: StepNameProblem): readonly Fix[] {
  const { name, step, span } = entry;
  const rename = nameStep(file, entry, free);
  // Steps and references with a duplicate name may mean the first entry, so they keep the name.
  if (!first) return fixHere(file, `Name this step \`${free}\``, [...rename, ...renameSteps(file, step, free)]);
  return [
    ...fixHere(file, `Name this step \`${free}\``, rename),
    ...removeFromList(file, 'composes', span, `Remove this \`${name}\` from \`composes\``),
  ];
}

function nameStep({ text, frontmatter }: SkillFile, { as, span }: ComposesEntry, name: string): readonly TextEdit[] {
  if (as) return [{ span: as.span, newText: name }];
  const item = listItems(findSkillEntry(frontmatter.tree.root, 'composes')?.value).find((one) =>
    contains(one.span, span),
  );
  if (item?.kind === 'map') return insertEntry(text, item, 'as', formatScalar(name, true), { after: 'skill' });
  const source = sliceOf(text, span);
  return /^[*&!]/.test(source) ? [] : [{ span, newText: `{skill: ${source}, as: ${name}}` }];
}

const renameSteps = (file: SkillFile, step: string, newText: string): readonly TextEdit[] =>
  (visitExecution(file)?.steps ?? []).filter(({ name }) => name === step).map(({ span }) => ({ span, newText }));

/** Checks the stubs, the answers and the expected names of a sample (docs/format.md, section 2, "Stubs" and "Answers"). */
import type { Analysis } from '../../analysis/analysis.ts';
import { resolvedSkill } from '../../analysis/composed-skills.ts';
import { replaceName } from '../../analysis/name-fixes.ts';
import { type RunNames, runNames } from '../../analysis/run-names.ts';
import { outputOfTool } from '../../analysis/tool-output.ts';
import type { Draft } from '../../finding.ts';
import type { Schema } from '../../languages/schema/schema.ts';
import {
  findEntry,
  findValue,
  type Json,
  listItems,
  mapEntries,
  type YamlNode,
  type YamlScalar,
} from '../../languages/yaml/node.ts';
import { didYouMean, nearestNames } from '../../nearest.ts';
import { allStages } from '../../skill/body.ts';
import { namedOf } from '../../skill/contract.ts';
import { parameterNames } from '../../skill/parameters.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { AUTHORING_TOOLS, RETRIED_FAILURES, RUN_FAILURES } from '../../vocabulary/known-names.ts';
import { expectedNames, unknownName } from './expected-names.ts';
import { type CheckedValue, draftsOfViolations, insertField } from './schema-problems.ts';

/** Yields the findings about the runs of samples. Yields none about names that may be declared in an unknown file. */
export function* checkSampleRuns(analysis: Analysis, file: SkillFile, samples: readonly YamlNode[]): Iterable<Draft> {
  const needsNames = samples.some((sample) => ['stubs', 'answers', 'expect'].some((key) => findEntry(sample, key)));
  const skill = needsNames ? resolvedSkill(analysis, file) : undefined;
  const names = skill && runNames(analysis, skill);
  const checkNames = expectedNames(analysis, file, names);
  for (const sample of samples) {
    yield* checkStubs(analysis, file, findValue(sample, 'stubs'), names);
    if (names) yield* checkAnswers(analysis, file, findValue(sample, 'answers'), names);
    const expect = findValue(sample, 'expect');
    yield* checkNames(expect);
    yield* checkPath(file, findValue(expect, 'path'));
  }
}

function* checkStubs(
  analysis: Analysis,
  file: SkillFile,
  stubs: YamlNode | undefined,
  names: RunNames | undefined,
): Iterable<Draft> {
  for (const { key, value } of mapEntries(stubs)) {
    const name = String(key.value);
    const [returns, times] = [findEntry(value, 'returns')?.value, findEntry(value, 'times')];
    if (times && !findEntry(value, 'fails')) {
      yield {
        span: times.key.span,
        severity: 'warning',
        message: '`times` has no effect without `fails`. Add the code of the error as `fails`, or remove `times`.',
      };
    }
    const by = names?.tools.get(name);
    if (names?.isComplete && !by && !AUTHORING_TOOLS.includes(name)) {
      const isKnown = analysis.isKnownTool(analysis.catalogOf(file.uri), name);
      // The steps of a composed skill without a service run themselves.
      const isStep = file.contract.composes.some(
        (one) => [one.name, one.step].includes(name) && !names.tools.has(one.name),
      );
      yield isStep
        ? {
            span: key.span,
            severity: 'warning',
            message: `Only tools and services have stubs, but \`${name}\` is a skill that runs. Remove the stub.`,
          }
        : unusedName(file, key, 'tool', isKnown ? [] : [...names.tools.keys()]);
    }
    yield* checkFailure(analysis, file, name, findValue(value, 'fails'));
    // The catalog of a composed skill may describe another tool with the same name.
    const declaring = by && analysis.file(by.uri);
    const output = returns && declaring && outputOfTool(analysis, declaring, name);
    if (!output) continue;
    const checked = checkedValue(file, returns, `The stub of \`${name}\` does not match the output schema of the tool`);
    for (const draft of draftsOfViolations(file, output.schema, [checked], 'stub')) {
      const related = (draft.related ?? []).flatMap((place) => (output.uri ? [{ ...place, uri: output.uri }] : []));
      yield { ...draft, related, severity: 'warning' };
    }
  }
}

/** Reports the code of a failure that the service with this name does not declare. Tools declare no errors. */
function* checkFailure(
  analysis: Analysis,
  file: SkillFile,
  service: string,
  fails: YamlNode | undefined,
): Iterable<Draft> {
  const code = namedOf(fails);
  const by = code && analysis.skillsNamed(service, file.uri).find(({ summary }) => summary.isTool);
  const codes = by?.summary.errors.map((error) => error.code) ?? [];
  if (!code || codes.length === 0 || codes.includes(code.name) || RUN_FAILURES.has(code.name)) return;
  const near = nearestNames(code.name, [...codes, ...RETRIED_FAILURES]);
  yield {
    // The service may have errors that its contract does not declare.
    severity: near.length > 0 ? 'warning' : 'hint',
    span: code.span,
    message: `Unknown error \`${code.name}\`.${didYouMean(near) || ` Add it to the \`errors\` of \`${service}\`, or use one of them.`}`,
    fixes: replaceName(file, [code.span], near),
  };
}

function* checkAnswers(
  analysis: Analysis,
  file: SkillFile,
  answers: YamlNode | undefined,
  names: RunNames,
): Iterable<Draft> {
  const { input, output, interrupts } = file.contract;
  for (const { key, value } of mapEntries(answers)) {
    const name = String(key.value);
    if (names.isComplete && !names.interrupts.has(name)) {
      const isKnown = analysis.catalogOf(file.uri).interrupts.has(name);
      yield unusedName(file, key, 'interrupt', isKnown ? [] : [...names.interrupts.keys()]);
    }
    // A composed skill with the same interrupt gets the same answer, but may have other schemas.
    const isShared = !names.isComplete || names.interruptsOfComposed.has(name);
    const isOwn = !isShared && interrupts.some((one) => one.name === name);
    if (isOwn && name === 'on_missing_input') yield* checkMissingInput(file, value, input?.schema);
    if (isOwn && name === 'on_output_mismatch') {
      const checked = checkedValue(file, value, `The answer to \`${name}\` does not match the output schema`);
      for (const draft of draftsOfViolations(file, output?.schema, [checked], 'answer'))
        yield { ...draft, severity: 'warning' };
    }
  }
}

const checkedValue = (file: SkillFile, value: YamlNode, what: string): CheckedValue => ({
  value,
  what,
  insert: (name: string, field: Json) => insertField(file, value, name, field),
});

/** Reports a name that no skill of the run declares. `meant` are the names of which it may be a misspelling. */
function unusedName(
  file: SkillFile,
  { span, value }: YamlScalar,
  noun: 'tool' | 'interrupt',
  meant: readonly string[],
): Draft {
  const near = nearestNames(String(value), meant);
  const part = noun === 'tool' ? 'stub' : 'answer';
  return {
    span,
    severity: 'warning',
    message:
      near.length > 0
        ? `Unknown ${noun} \`${value}\`.${didYouMean(near)}`
        : `The ${noun} \`${value}\` is not declared by this skill or a composed skill. Declare it, or remove the ${part}.`,
    fixes: replaceName(file, [span], near),
  };
}

function* checkMissingInput(file: SkillFile, answer: YamlNode, schema: Schema | undefined): Iterable<Draft> {
  const names = parameterNames(schema);
  if (!names) return;
  if (answer.kind !== 'map') {
    yield {
      span: answer.span,
      severity: 'warning',
      message: 'The answer to `on_missing_input` must be a map of parameters, for example `{name: value}`.',
    };
  }
  for (const { key } of mapEntries(answer)) {
    const name = String(key.value);
    if (names.includes(name)) continue;
    const near = nearestNames(name, names);
    yield {
      span: key.span,
      severity: 'warning',
      message: `Unknown parameter \`${name}\`.${didYouMean(near) || ' The answer contains parameters of the input schema.'}`,
      fixes: replaceName(file, [key.span], near),
    };
  }
}

/** Reports names in an expected path that are neither a step nor a stage. A run with such a path always fails. */
function* checkPath(file: SkillFile, path: YamlNode | undefined): Iterable<Draft> {
  const { body, contract, text } = file;
  // Lists in such parts were not read, so that stages may be missing.
  if (body && body.scanned.length > 0) return;
  const stages = body ? allStages(text, body).map(({ name }) => name) : [];
  const known = new Set([...contract.composes.map(({ step }) => step), ...stages]);
  for (const item of listItems(path)) {
    const named = namedOf(item);
    if (named && !known.has(named.name)) yield unknownName(file, named, 'step or stage', [...known]);
  }
}

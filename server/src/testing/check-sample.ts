/** Checks a composed sample against its expectations (docs/testing.md, "Expectations of a sample"). */

import type { ComposeResult, Composition, Segment } from '../composer/composition.ts';
import { formatNumber } from '../format-amounts.ts';
import { isUsable, type Schema, toNode } from '../languages/schema/schema.ts';
import { inWords, nearestNames } from '../nearest.ts';
import { assertionFault } from '../skill/assertion-problems.ts';
import type { Named } from '../skill/contract.ts';
import { unexpectedOutcome } from '../skill/package-samples.ts';
import type { Span } from '../text.ts';
import { type Assertion, checkAssertion, comparableJson, nameOf, readAssertions, violationsOf } from './assertion.ts';
import type { Expectation } from './expectation.ts';
import { questionAbout } from './model-questions.ts';
import { numbered, type TestKind, type TestResult } from './result.ts';
import { isSavedPrompt, savedText } from './saved-files.ts';

export interface SampleCase {
  readonly name: string;
  /** The span of the sample's name. */
  readonly span: Span;
  readonly expect: Expectation;
}

export interface SampleCheckOptions {
  readonly countTokens: (text: string) => number;
  /** The saved prompt, whose text is undefined if the file does not exist; undefined if prompts are not compared. */
  readonly snapshot: { readonly text: string | undefined; readonly file: string } | undefined;
}

export function checkSample(
  sample: SampleCase,
  result: ComposeResult,
  judging: SampleCheckOptions,
): readonly TestResult[] {
  const composes = checkComposing(sample, result);
  if (!result.ok || composes.status !== 'passed') return [composes];
  const { composition } = result;
  return [
    composes,
    ...checkParts(sample, composition),
    ...checkAssertions('prompt', sample, sample.expect.prompt, composition, judging.countTokens),
    ...checkSnapshot(sample, composition, judging.snapshot),
  ];
}

function checkComposing({ name, span, expect: { fails } }: SampleCase, result: ComposeResult): TestResult {
  const test = { kind: 'composes', name, of: name, span: fails?.span ?? span } as const;
  const kinds = result.ok ? [] : [...new Set(result.errors.map(({ kind }) => kind))];
  if (!fails) {
    if (result.ok) return { ...test, status: 'passed' };
    const [error] = result.errors;
    const message = result.errors.map((one) => one.message).join(' ');
    return { ...test, status: 'failed', message, ...(error ? { source: { uri: error.uri, span: error.span } } : {}) };
  }
  const message = unexpectedOutcome(fails.name, kinds);
  if (message === undefined) return { ...test, status: 'passed' };
  return { ...test, status: 'failed', message, expected: fails.name, actual: kinds.join(', ') || 'it composes' };
}

/** Checks the expected names and the length of the prompt. */
function checkParts({ name, expect }: SampleCase, composition: Composition): readonly TestResult[] {
  const { subgraph, declaredInterrupts, decisions, tokens } = composition;
  const among = (
    what: string,
    wanted: readonly Named[],
    there: readonly string[],
    ids: readonly (string | undefined)[] = [],
  ): readonly TestResult[] =>
    wanted.map(({ name: one, span }) => {
      const test = { kind: 'prompt', name: `${name} › ${what} ${one}`, of: name, span } as const;
      if (there.includes(one) || ids.includes(one)) return { ...test, status: 'passed' };
      const near = nearestNames(one, there, 1).map((other) => ` Did you mean \`${other}\`?`);
      const message =
        there.length > 0
          ? `\`${one}\` is not among the ${what}s: ${inWords(there, 'and')}.${near}`
          : `\`${one}\` is missing: the composition has no ${what}s.`;
      return { ...test, status: 'failed', message, expected: one, actual: there.join(', ') };
    });
  const amongArtifacts = (what: string, wanted: readonly Named[], taken: boolean): readonly TestResult[] => {
    const found = decisions.filter((one) => one.subject === 'artifact' && one.taken === taken);
    // An expectation contains the name of an artifact, or its ID.
    return among(
      what,
      wanted,
      found.map((one) => one.name),
      found.map(({ artifact }) => artifact),
    );
  };
  const { maxTokens } = expect;
  return [
    ...among('tool', expect.tools, subgraph.toolAvailability),
    ...amongArtifacts('taken artifact', expect.taken, true),
    ...amongArtifacts('left out artifact', expect.leftOut, false),
    ...among('interrupt', expect.interrupts, declaredInterrupts),
    ...among(
      'node',
      expect.nodes,
      subgraph.nodes.map(({ id }) => id),
    ),
    ...(maxTokens ? [checkTokens(name, maxTokens, tokens.total)] : []),
  ];
}

function checkTokens(
  sample: string,
  { value, span }: NonNullable<Expectation['maxTokens']>,
  total: number,
): TestResult {
  const test = { kind: 'prompt', name: `${sample} › at most ${formatNumber(value)} tokens`, of: sample, span } as const;
  if (total <= value) return { ...test, status: 'passed' };
  const message = `The prompt has ${formatNumber(total)} tokens; the limit is ${formatNumber(value)}. Shorten it.`;
  return {
    ...test,
    status: 'failed',
    message,
    expected: `at most ${formatNumber(value)}`,
    actual: formatNumber(total),
  };
}

/** Returns one result for each assertion. Numbers results with the same name. */
export function checkAssertions(
  kind: TestKind,
  { name }: Pick<SampleCase, 'name'>,
  assertions: readonly Assertion[],
  { prompt: text, segments }: { readonly prompt: string; readonly segments: readonly Segment[] },
  countTokens: (text: string) => number,
): readonly TestResult[] {
  const seen = new Map<string, number>();
  return assertions.map((assertion) => {
    const { status, at, ...details } = checkAssertion(assertion, text, countTokens);
    const label = `${name} › ${nameOf(assertion)}`;
    const before = seen.get(label) ?? 0;
    seen.set(label, before + 1);
    const source = at && sourceAt(segments, at.start);
    const otherwise = assertion.severity === 'soft' ? 'warned' : 'failed';
    return {
      kind,
      name: before === 0 ? label : `${label} (${before + 1})`,
      of: name,
      status: status === 'failed' ? otherwise : status,
      span: assertion.span,
      ...details,
      ...(assertion.type === 'semantic'
        ? { question: { text: questionAbout(assertion.prompt, assertion.expected, text), otherwise } }
        : {}),
      ...(source ? { source } : {}),
    };
  });
}

function checkSnapshot(
  { name, span, expect }: SampleCase,
  { prompt, segments }: Composition,
  snapshot: SampleCheckOptions['snapshot'],
): readonly TestResult[] {
  if (!snapshot) return [];
  const { text, file } = snapshot;
  const test = { kind: 'snapshot', name, of: name, span: expect.snapshot ?? span } as const;
  if (text === undefined) {
    // A sample without `snapshot: true` is compared, and therefore saved, only with `--snapshots`.
    const words = expect.snapshot ? '--update' : '--snapshots --update';
    const message = `File \`${file}\` does not exist. Save the prompt with \`skill-composer test ${words}\`.`;
    return [{ ...test, status: 'failed', message, actual: prompt, comparable: true }];
  }
  if (isSavedPrompt(prompt, text)) return [{ ...test, status: 'passed' }];
  const message = `The prompt differs from \`${file}\`. If it is correct, save it with \`skill-composer test --update\`.`;
  const source = sourceAt(segments, firstDifference(prompt, text));
  return [
    {
      ...test,
      status: 'failed',
      message,
      ...{ expected: text, actual: prompt, comparable: true },
      ...(source ? { source } : {}),
    },
  ];
}

function firstDifference(prompt: string, kept: string): number {
  const [one, other] = [savedText(prompt), kept.replaceAll('\r\n', '\n')];
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}

/**
 * Returns the source of the prompt at or after an offset, in UTF-16 code units. For copied text, the source begins at
 * the character at that offset.
 */
function sourceAt(segments: readonly Segment[], offset: number): TestResult['source'] {
  const segment =
    segments.find(({ end, source }) => source && offset < end) ?? segments.findLast(({ source }) => source);
  if (!segment?.source) return undefined;
  const { start, end, kind, source } = segment;
  const isCopied = kind === 'authored' && end - start === source.span.end - source.span.start;
  const inside = isCopied && start <= offset && offset < end ? offset - start : 0;
  return { uri: source.uri, span: { start: source.span.start + inside, end: source.span.end } };
}

/** Checks an output against the contract and the assertions (docs/testing.md, "Recorded outputs"). */
export function checkOutput(
  sample: SampleCase,
  output: string,
  composition: Pick<Composition, 'assertions'>,
  schema: Schema | undefined,
  countTokens: (text: string) => number,
): readonly TestResult[] {
  const assertions = assertionsOn(sample, composition);
  return [
    ...fitsSchema(sample, output, schema),
    ...checkAssertions('output', sample, assertions, { prompt: output, segments: [] }, countTokens),
  ];
}

/** Returns a skipped result for each expectation of the output of a sample that has no output. */
export function withoutOutput({ name, expect: { output } }: SampleCase): readonly TestResult[] {
  const names = numbered(output.map((assertion) => `${name} › ${nameOf(assertion)}`));
  return output.map(({ span }, at) => ({
    ...{ kind: 'output', name: names[at] ?? name, of: name },
    ...{ status: 'skipped', span, message: 'No output of the sample is recorded.' },
  }));
}

/** Returns the assertions on an output of the sample, including the assertions of artifacts. */
export const assertionsOn = (
  { expect, span }: SampleCase,
  composition: Pick<Composition, 'assertions'>,
): readonly Assertion[] => [...expect.output, ...ofArtifacts(composition, span)];

/**
 * Returns the assertions of the artifacts in the prompt. The assertions have the span of the sample, because the
 * artifacts may be in another file.
 */
const ofArtifacts = ({ assertions }: Pick<Composition, 'assertions'>, span: Span): readonly Assertion[] =>
  assertions
    .filter(({ isInvalid }) => !isInvalid)
    .flatMap(({ assertion }) => readAssertions(toNode([assertion])))
    .map((one) => ({ ...one, span }));

/** Returns a failed result for each assertion of an artifact in the prompt that `check` reports. */
export function invalidAssertions(
  { name: of, span }: SampleCase,
  { assertions }: Pick<Composition, 'assertions'>,
): readonly TestResult[] {
  const found = assertions.flatMap((one) => {
    const message = assertionFault(toNode(one.assertion));
    return message === undefined ? [] : [{ ...one, message }];
  });
  const names = numbered(found.map(({ artifact }) => `${of} › assertion of ${artifact}`));
  return found.map(({ uri, span: place, message }, at) => ({
    ...{ kind: 'output', name: names[at] ?? of, of, status: 'failed', isNotRun: true },
    ...{ message, span, source: { uri, span: place } },
  }));
}

function fitsSchema({ name, span }: SampleCase, output: string, schema: Schema | undefined): readonly TestResult[] {
  if (!schema || !isUsable(schema) || schema.form === 'empty') return [];
  const test = { kind: 'output', name: `${name} › output schema`, of: name, span } as const;
  const { json, problem } = comparableJson(output);
  const expected = JSON.stringify(schema.json, undefined, 2);
  if (json === undefined) {
    const message = problem ?? 'The output contains no JSON, but its schema requires it.';
    return [{ ...test, status: 'failed', message, expected, actual: output }];
  }
  const violations = violationsOf(schema, json);
  if (violations.length === 0) return [{ ...test, status: 'passed' }];
  return [
    { ...test, status: 'failed', message: violations.join(' '), expected, actual: JSON.stringify(json, undefined, 2) },
  ];
}

/** Holds an output against the contract and the assertions (docs/testing.md, "Recorded outputs"). */
import type { Composition } from '../composer/composition.ts';
import { isUsable, type Schema, toNode } from '../languages/schema/schema.ts';
import type { Span } from '../text.ts';
import { type Assertion, readAssertions } from './assertion.ts';
import { jsonIn } from './json-in-text.ts';
import { judgeAssertions, type SampleCase } from './judge-sample.ts';
import type { TestResult } from './result.ts';
import { violationsOf } from './violations.ts';

export function judgeOutput(
  sample: SampleCase,
  output: string,
  composition: Pick<Composition, 'assertions'>,
  schema: Schema | undefined,
  countTokens: (text: string) => number,
): readonly TestResult[] {
  const assertions = assertionsOn(sample, composition);
  return [
    ...fitsSchema(sample, output, schema),
    ...judgeAssertions('output', sample, assertions, { prompt: output, segments: [] }, countTokens),
  ];
}

/** What is expected of an output of the sample. */
export const assertionsOn = (
  { expect, span }: SampleCase,
  composition: Pick<Composition, 'assertions'>,
): readonly Assertion[] => [...expect.output, ...ofArtifacts(composition, span)];

/** The assertions of the artifacts that the prompt took. Those of another file are told at the sample. */
const ofArtifacts = ({ assertions }: Pick<Composition, 'assertions'>, span: Span): readonly Assertion[] =>
  assertions.flatMap(({ assertion }) => readAssertions(toNode([assertion]))).map((one) => ({ ...one, span }));

function fitsSchema({ name, span }: SampleCase, output: string, schema: Schema | undefined): readonly TestResult[] {
  if (!schema || !isUsable(schema) || schema.form === 'empty') return [];
  const test = { kind: 'output', name: `${name} › output schema`, of: name, span } as const;
  const json = jsonIn(output);
  const expected = JSON.stringify(schema.json, undefined, 2);
  if (json === undefined) {
    const message = 'The output holds no JSON, which its schema asks for.';
    return [{ ...test, status: 'failed', message, expected, actual: output }];
  }
  const violations = violationsOf(schema, json);
  if (violations.length === 0) return [{ ...test, status: 'passed' }];
  return [
    { ...test, status: 'failed', message: violations.join(' '), expected, actual: JSON.stringify(json, undefined, 2) },
  ];
}

/** The tests that a file has, before anything runs (docs/testing-vscode.md). */
import type { SkillFile } from '../skill/skill-file.ts';
import type { Span } from '../text.ts';
import { type Assertion, nameOf } from './assertion.ts';
import { examplesOf } from './example-tests.ts';
import { readExpectation } from './expectation.ts';

export interface ListedTest {
  readonly kind: 'sample' | 'example';
  readonly name: string;
  readonly span: Span;
  /** The assertions that only a model can answer, by the names of their results. */
  readonly semantic: readonly { readonly name: string; readonly span: Span }[];
}

/** Samples, then examples with an output; of several of one name the first. */
export function listTests(file: SkillFile): readonly ListedTest[] {
  const samples = file.contract.samples.map(({ name, span, value }): ListedTest => {
    const { prompt, output } = readExpectation(value);
    return { kind: 'sample', name, span, semantic: semanticOf(name, [...prompt, ...output]) };
  });
  const examples = examplesOf(file).map(
    ({ name, span, assertions }): ListedTest => ({
      kind: 'example',
      name,
      span,
      semantic: semanticOf(name, assertions),
    }),
  );
  return [...firstOfEach(samples), ...firstOfEach(examples)];
}

const firstOfEach = (tests: readonly ListedTest[]): readonly ListedTest[] =>
  [...new Map([...tests].reverse().map((test) => [test.name, test])).values()].reverse();

const semanticOf = (owner: string, assertions: readonly Assertion[]): ListedTest['semantic'] => [
  ...new Map(
    assertions
      .filter(({ type }) => type === 'semantic')
      .map((assertion) => [nameOf(assertion), { name: `${owner} › ${nameOf(assertion)}`, span: assertion.span }]),
  ).values(),
];

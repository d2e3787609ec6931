/** Lists the tests in a file without running the tests (docs/testing-vscode.md). */
import type { SkillFile } from '../skill/skill-file.ts';
import { startOfPart, testPartAt, testParts, withTestKeys } from '../skill/test-parts.ts';
import type { Span } from '../text.ts';
import { type Assertion, nameOf } from './assertion.ts';
import type { Evals } from './evals.ts';
import { examplesOf } from './example-tests.ts';
import { readExpectation } from './expectation.ts';

export interface ListedTest {
  readonly kind: 'sample' | 'example' | 'routing' | 'evals';
  readonly name: string;
  readonly span: Span;
  /** The assertions that only a model can decide, with the names of their results. */
  readonly semantic: readonly { readonly name: string; readonly span: Span }[];
}

/**
 * Returns the samples, then the examples with an output, then other parts that are invalid tests. Skips a sample or an example whose name an earlier test of the
 * same kind has.
 */
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
  return firstOfEach([...samples, ...examples, ...invalidTests(file)], (test) => test);
}

/**
 * Returns the parts with a problem in their shape, as tests that fail: they may contain tests that are not listed
 * otherwise, for example if `samples` is not a map.
 */
function invalidTests(file: SkillFile): readonly ListedTest[] {
  const parts = testParts(file);
  if (parts.length === 0) return [];
  const duplicates = file.frontmatter.tree.problems.filter(({ kind }) => kind === 'duplicate-key');
  const found = [...withTestKeys(file).problems, ...duplicates].flatMap(({ span }) => testPartAt(parts, span) ?? []);
  return found.map((part) => ({ kind: part.kind, name: part.name, span: startOfPart(part), semantic: [] }));
}

/** Returns the cases of a file in `evals/`, with the checks that only a model can decide. */
export function listEvals({ results }: Evals): readonly ListedTest[] {
  const cases = results.filter(({ name, of }) => name === of);
  return cases.map(({ name, span }) => ({
    kind: 'evals',
    name,
    span,
    semantic: results.filter(({ of, status }) => of === name && status === 'skipped'),
  }));
}

/** Returns the first test of each kind and name. */
export function firstOfEach<Listed>(
  tests: readonly Listed[],
  testOf: (one: Listed) => Pick<ListedTest, 'kind' | 'name'>,
): readonly Listed[] {
  const seen = new Set<string>();
  return tests.filter((one) => {
    const { kind, name } = testOf(one);
    const key = `${kind}:${name}`;
    return !seen.has(key) && seen.add(key);
  });
}

const semanticOf = (owner: string, assertions: readonly Assertion[]): ListedTest['semantic'] => [
  ...new Map(
    assertions
      .filter(({ type }) => type === 'semantic')
      .map((assertion) => [nameOf(assertion), { name: `${owner} › ${nameOf(assertion)}`, span: assertion.span }]),
  ).values(),
];

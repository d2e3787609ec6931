/** All tests of a skill, those in files beside it included, before anything runs (docs/testing-vscode.md). */
import { nameOfCase, routingCases } from '../../analysis/routing.ts';
import type { Located } from '../../features/locate.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { firstOfEach, type ListedTest, listEvals, listTests } from '../../testing/list-tests.ts';
import { lineStartsOf, type Span } from '../../text.ts';
import type { EvalFile } from './eval-files.ts';

export interface PlacedTest {
  readonly uri: string;
  /** The text that the test's places count in. */
  readonly located: Located;
  readonly test: ListedTest;
}

export function listAll(file: SkillFile, evals: readonly EvalFile[]): readonly PlacedTest[] {
  const routing = (name: string, span: Span): ListedTest => ({ kind: 'routing', name, span, semantic: [] });
  const own = [...listTests(file), ...routingCases(file).map((one) => routing(nameOfCase(one), one.span))];
  const beside = evals.flatMap(({ uri, text, evals: { triggers, ...rest } }) => {
    const located = { text, lines: lineStartsOf(text) };
    const cases = triggers.map(({ request, shouldTrigger: should, span }) =>
      routing(nameOfCase({ request, should, span }), span),
    );
    return [...listEvals({ triggers, ...rest }), ...cases].map((test) => ({ uri, located, test }));
  });
  const all: readonly PlacedTest[] = [...own.map((test) => ({ uri: file.uri, located: file, test })), ...beside];
  return firstOfEach(all, ({ test }) => test);
}

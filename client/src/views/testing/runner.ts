/** Runs tests on the server and shows the results. */
import * as vscode from 'vscode';
import { type RunTestsParams, type RunTestsReply, RunTestsRequest } from '../../../../server/src/protocol.ts';
import type { SkillServer } from '../../language-server/skill-server.ts';
import { errorMessage } from '../../plain-message.ts';
import { report, reportError } from './report.ts';
import type { Selected, TestNode, TestTree } from './tree.ts';

export class TestRunner {
  readonly #tree: TestTree;
  readonly #server: Pick<SkillServer, 'send'>;
  /** The ranges of messages about changed prompts, by file and sample. */
  readonly #otherPrompts = new Map<string, ReadonlyMap<string, vscode.Range>>();

  constructor(tree: TestTree, server: Pick<SkillServer, 'send'>) {
    this.#tree = tree;
    this.#server = server;
  }

  changedPrompts(uri: vscode.Uri): ReadonlyMap<string, vscode.Range> {
    return this.#otherPrompts.get(uri.toString()) ?? new Map();
  }

  testsOf({ skill, tests }: Selected): readonly TestNode[] {
    return tests === 'all' ? this.#tree.testsOf(skill) : tests;
  }

  /** Runs the selected tests. Errors are reported in the run; never throws. */
  async run(run: vscode.TestRun, selected: Selected): Promise<void> {
    const { skill, tests } = selected;
    for (const { item } of this.testsOf(selected)) run.started(item);
    try {
      const reply = await this.ask(run, selected, {});
      if (run.token.isCancellationRequested) return;
      if (!reply) return await this.#tree.resolve(skill.uri?.toString() ?? '');
      const before = tests === 'all' ? undefined : new Set(tests.map(({ item }) => item));
      this.#tree.show(reply);
      const known = this.#tree.testsOf(skill);
      this.show(run, skill, before ? known.filter(({ item }) => before.has(item)) : known, reply);
    } catch (error) {
      if (!run.token.isCancellationRequested) reportError(run, skill, this.testsOf(selected), errorMessage(error));
    }
  }

  ask(
    run: vscode.TestRun,
    { skill, tests }: Selected,
    more: Pick<RunTestsParams, 'given' | 'answers'>,
  ): Promise<RunTestsReply | null> {
    const only = tests === 'all' ? {} : { only: tests.map(({ test }) => test.name) };
    return this.#server.send(RunTestsRequest, { uri: skill.uri?.toString() ?? '', ...only, ...more }, run.token);
  }

  /** Shows the results of a skill's tests. */
  show(
    run: vscode.TestRun,
    skill: vscode.TestItem,
    tests: readonly TestNode[],
    { results }: RunTestsReply,
    milliseconds?: number,
  ): void {
    if (!results) {
      reportError(run, skill, tests, vscode.l10n.t('The frontmatter is invalid. Fix its YAML first.'));
      return;
    }
    const uri = skill.uri?.toString() ?? '';
    const found = report(run, tests, results, milliseconds);
    const others = new Map(this.#otherPrompts.get(uri));
    for (const { test } of tests) others.delete(test.name);
    this.#otherPrompts.set(uri, new Map([...others, ...found]));
  }
}

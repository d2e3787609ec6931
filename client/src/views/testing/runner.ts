/** Runs tests on the server, and reports their states, text differences and sources of failures to the editor. */
import * as vscode from 'vscode';
import {
  type RunTestsParams,
  type RunTestsReply,
  RunTestsRequest,
  type TestCase,
} from '../../../../server/src/protocol.ts';
import type { SkillServer } from '../../language-server/skill-server.ts';
import { rangeOf } from '../../locations.ts';
import { errorMessage } from '../../plain-message.ts';
import { asOutput, plain, withoutOwner } from './result-text.ts';
import { type Selected, semanticId, type TestNode, type TestTree } from './tree.ts';

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
    { tests: listed, results }: RunTestsReply,
    milliseconds?: number,
  ): void {
    if (!listed || !results) {
      const [cause] = results ?? [];
      reportError(
        run,
        skill,
        tests,
        cause?.message ?? vscode.l10n.t('The frontmatter is invalid. Fix its YAML first.'),
      );
      return;
    }
    const uri = skill.uri?.toString() ?? '';
    const found = report(run, tests, results, milliseconds);
    const others = new Map(this.#otherPrompts.get(uri));
    for (const { test } of tests) others.delete(test.name);
    this.#otherPrompts.set(uri, new Map([...others, ...found]));
  }
}

type TestResult = NonNullable<RunTestsReply['results']>[number];

/**
 * The context value of a message about a prompt that differs from the saved prompt. Menus use this value in `when`
 * clauses.
 */
const CHANGED_PROMPT = 'otherPrompt';

/** Reports the state of each test. Returns the samples with a changed prompt, and the ranges of their messages. */
function report(
  run: vscode.TestRun,
  tests: readonly TestNode[],
  results: readonly TestResult[],
  milliseconds?: number,
): ReadonlyMap<string, vscode.Range> {
  const otherPrompts = new Map<string, vscode.Range>();
  for (const { item, test } of tests) {
    const all = results.filter(({ of, kind }) => of === test.name && testKindOf(kind) === test.kind);
    const below = new Set(test.semantic.map(({ name }) => name));
    const own = all.filter(({ name }) => !below.has(name));
    for (const result of own) printResult(run, item, result);
    const failed = own.filter(({ status }) => status === 'failed');
    const other = failed.find(({ kind }) => kind === 'snapshot');
    if (other) otherPrompts.set(test.name, rangeOf(other.range));
    setTestState(run, item, own, milliseconds);
    // The questions for a model are separate tests, because a test cannot be both passed and skipped.
    for (const [id, child] of item.children) {
      const answered = all.filter(({ name }) => semanticId(name) === id);
      // Skipped results are not reported, because the icon shows them.
      for (const result of answered) if (result.status === 'warned') printResult(run, child, result);
      setTestState(run, child, answered);
    }
  }
  return otherPrompts;
}

function setTestState(
  run: vscode.TestRun,
  item: vscode.TestItem,
  results: readonly TestResult[],
  milliseconds?: number,
): void {
  const failed = results.filter(({ status }) => status === 'failed');
  if (failed.length > 0) run.failed(item, failed.flatMap(messagesOf), milliseconds);
  else if (results.some(({ status }) => status === 'passed' || status === 'warned')) run.passed(item, milliseconds);
  else run.skipped(item);
}

const testKindOf = (kind: TestResult['kind']): TestCase['kind'] =>
  kind === 'example' || kind === 'routing' || kind === 'evals' ? kind : 'sample';

/** Reports an error of a whole file. */
function reportError(run: vscode.TestRun, skill: vscode.TestItem, tests: readonly TestNode[], text: string): void {
  const message = new vscode.TestMessage(plain(text));
  if (skill.uri) message.location = new vscode.Location(skill.uri, skill.range ?? new vscode.Range(0, 0, 0, 0));
  if (tests.length === 0) run.errored(skill, message);
  for (const { item } of tests) run.errored(item, message);
}

/** Writes a warning or a skipped result to the output, at the line of the test. */
function printResult(run: vscode.TestRun, item: vscode.TestItem, result: TestResult): void {
  const { status, uri, range } = result;
  if (status !== 'warned' && status !== 'skipped') return;
  const word = status === 'warned' ? vscode.l10n.t('warning') : vscode.l10n.t('skipped');
  run.appendOutput(asOutput(`${word}: ${withoutOwner(result)}`), locationOf({ uri, range }), item);
}

/**
 * Returns a message at the text of the same file that makes the test fail, if it is known, else at the test. A changed
 * prompt has a message at both, with different words.
 */
function messagesOf(result: TestResult): readonly vscode.TestMessage[] {
  const { kind, name, expected, actual, comparable, uri, range, source } = result;
  const text = resultMessage(result);
  // For a diff message, the editor shows both sides; for other messages, it shows only the first line. At the line of a
  // diff message, it shows short strings instead of the text, which explains a path better.
  const message =
    comparable && actual !== undefined && kind !== 'path'
      ? vscode.TestMessage.diff(text, expected ?? '', kind === 'snapshot' ? `${actual}\n` : actual)
      : new vscode.TestMessage(actual === undefined || text.includes(actual) ? text : `${text}\n\n${actual}`);
  if (kind !== 'snapshot') {
    message.location = locationOf(source?.uri === uri ? source : { uri, range });
    return [message];
  }
  message.location = locationOf({ uri, range });
  message.contextValue = CHANGED_PROMPT;
  if (!source) return [message];
  const decided = new vscode.TestMessage(
    vscode.l10n.t('From here on, the prompt of {0} differs from the saved prompt.', name),
  );
  decided.location = locationOf(source);
  return [message, decided];
}

const locationOf = ({ uri, range }: Pick<TestResult, 'uri' | 'range'>): vscode.Location =>
  new vscode.Location(vscode.Uri.parse(uri), rangeOf(range));

/**
 * Returns the message of a result. Replaces the server's message about a saved prompt: that message names a
 * command-line option, but the editor has a button instead.
 */
function resultMessage(result: TestResult): string {
  const { kind, name, expected } = result;
  if (kind === 'snapshot') {
    return expected === undefined
      ? vscode.l10n.t('{0} has no saved prompt. Save the prompt if it is correct.', name)
      : vscode.l10n.t('The prompt of {0} differs from the saved prompt. Save the new prompt if it is correct.', name);
  }
  return withoutOwner(result);
}

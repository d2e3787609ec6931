/** Reports test results to the editor: the state of each test, text differences, and the source of a failure. */
import * as vscode from 'vscode';
import type { RunTestsReply, TestCase } from '../../../../server/src/protocol.ts';
import { rangeOf } from '../../locations.ts';
import { asOutput, plain, withoutOwner } from './result-text.ts';
import { semanticId, type TestNode } from './tree.ts';

type Result = NonNullable<RunTestsReply['results']>[number];

/**
 * The context value of a message about a prompt that differs from the saved prompt. Menus use this value in `when`
 * clauses.
 */
const CHANGED_PROMPT = 'otherPrompt';

/** Reports the state of each test. Returns the samples with a changed prompt, and the ranges of their messages. */
export function report(
  run: vscode.TestRun,
  tests: readonly TestNode[],
  results: readonly Result[],
  milliseconds?: number,
): ReadonlyMap<string, vscode.Range> {
  const otherPrompts = new Map<string, vscode.Range>();
  for (const { item, test } of tests) {
    const all = results.filter(({ of, kind }) => of === test.name && testKindOf(kind) === test.kind);
    const below = new Set(test.semantic.map(({ name }) => name));
    const own = all.filter(({ name }) => !below.has(name));
    for (const result of own) tell(run, item, result);
    const failed = own.filter(({ status }) => status === 'failed');
    const other = failed.find(({ kind }) => kind === 'snapshot');
    if (other) otherPrompts.set(test.name, rangeOf(other.range));
    conclude(run, item, own, milliseconds);
    // The questions for a model are separate tests, because a test cannot be both passed and skipped.
    for (const [id, child] of item.children) {
      const answered = all.filter(({ name }) => semanticId(name) === id);
      // Skipped results are not reported, because the icon shows them.
      for (const result of answered) if (result.status === 'warned') tell(run, child, result);
      conclude(run, child, answered);
    }
  }
  return otherPrompts;
}

function conclude(run: vscode.TestRun, item: vscode.TestItem, results: readonly Result[], milliseconds?: number): void {
  const failed = results.filter(({ status }) => status === 'failed');
  if (failed.length > 0) run.failed(item, failed.flatMap(messagesOf), milliseconds);
  else if (results.some(({ status }) => status === 'passed' || status === 'warned')) run.passed(item, milliseconds);
  else run.skipped(item);
}

const testKindOf = (kind: Result['kind']): TestCase['kind'] =>
  kind === 'example' || kind === 'routing' || kind === 'evals' ? kind : 'sample';

/** Reports an error of a whole file. */
export function reportError(
  run: vscode.TestRun,
  skill: vscode.TestItem,
  tests: readonly TestNode[],
  text: string,
): void {
  const message = new vscode.TestMessage(plain(text));
  if (skill.uri) message.location = new vscode.Location(skill.uri, skill.range ?? new vscode.Range(0, 0, 0, 0));
  if (tests.length === 0) run.errored(skill, message);
  for (const { item } of tests) run.errored(item, message);
}

/** Writes a warning or a skipped result to the output, at the line of the test. */
function tell(run: vscode.TestRun, item: vscode.TestItem, result: Result): void {
  const { status, uri, range } = result;
  if (status !== 'warned' && status !== 'skipped') return;
  const word = status === 'warned' ? vscode.l10n.t('warning') : vscode.l10n.t('skipped');
  run.appendOutput(
    asOutput(`${word}: ${withoutOwner(result)}`),
    new vscode.Location(vscode.Uri.parse(uri), rangeOf(range)),
    item,
  );
}

/** Returns a message at the test and, if the source of the failure is known, another message at that source. */
function messagesOf(result: Result): readonly vscode.TestMessage[] {
  const { kind, name, expected, actual, comparable, uri, range, source } = result;
  const text = resultMessage(result);
  // For a diff message, the editor shows both sides; for other messages, it shows only the first line.
  const message =
    comparable && actual !== undefined
      ? vscode.TestMessage.diff(text, expected ?? '', kind === 'snapshot' ? `${actual}\n` : actual)
      : new vscode.TestMessage(actual === undefined || text.includes(actual) ? text : `${text}\n\n${actual}`);
  message.location = new vscode.Location(vscode.Uri.parse(uri), rangeOf(range));
  if (kind === 'snapshot') message.contextValue = CHANGED_PROMPT;
  if (!source) return [message];
  const words =
    kind === 'snapshot' ? vscode.l10n.t('From here on, the prompt of {0} differs from the saved prompt.', name) : text;
  const decided = new vscode.TestMessage(words);
  decided.location = new vscode.Location(vscode.Uri.parse(source.uri), rangeOf(source.range));
  return [message, decided];
}

/**
 * Returns the message of a result. Replaces the server's message about a saved prompt: that message names a
 * command-line option, but the editor has a button instead.
 */
function resultMessage(result: Result): string {
  const { kind, name, expected } = result;
  if (kind === 'snapshot') {
    return expected === undefined
      ? vscode.l10n.t('{0} has no saved prompt. Save the prompt if it is correct.', name)
      : vscode.l10n.t('The prompt of {0} differs from the saved prompt. Save the new prompt if it is correct.', name);
  }
  return withoutOwner(result);
}

/** “Run with a Model”: runs samples one after another, after confirmation (docs/testing-vscode.md, "With a model"). */
import * as vscode from 'vscode';
import {
  type GivenOutput,
  type ModelRun,
  ModelRunsRequest,
  type RunTestsReply,
  SECTION,
  type TestCase,
} from '../../../../../server/src/protocol.ts';
import type { SkillServer } from '../../../language-server/skill-server.ts';
import { showError, showInformation, showWarning } from '../../../notify.ts';
import { errorMessage } from '../../../plain-message.ts';
import { asOutput } from '../result-text.ts';
import type { TestRunner } from '../runner.ts';
import type { Selected, TestNode, TestTree } from '../tree.ts';
import { askModel, askQuestion, Budget, type Model, type ModelResult, ModelRunError } from './ask.ts';
import { chooseModel, modelOf, runEditorTool } from './editor-model.ts';
import { ModelOutputs } from './model-outputs.ts';

export function serveModelRuns(
  controller: vscode.TestController,
  tree: TestTree,
  runner: TestRunner,
  server: SkillServer,
): vscode.Disposable {
  const outputs = new ModelOutputs(controller.id);
  /** The ID of the selected model. */
  let chosen: string | undefined;
  const choose = async (anew: boolean): Promise<vscode.LanguageModelChat | undefined> => {
    const model = await chooseModel(chosen, anew);
    chosen = model?.id ?? chosen;
    return model;
  };

  const runAll = async (request: vscode.TestRunRequest, token?: vscode.CancellationToken): Promise<void> => {
    if (!vscode.workspace.isTrusted) {
      void showWarning(
        vscode.l10n.t(
          'Tests run with a model only in a trusted workspace, because file contents are sent to the model. Trust this workspace first.',
        ),
      );
      return;
    }
    await tree.list();
    const plan = await planOf(tree.select(request), tree, server);
    if (token?.isCancellationRequested || !mayRun(plan)) return;
    const chat = await choose(false);
    if (!chat || !(await agrees(plan, chat))) return;
    const run = controller.createTestRun(request);
    const model = modelOf(chat, run.token);
    const budget = new Budget(maxTokens(), (used, most) =>
      vscode.l10n.t(
        'The run stopped: the next request would raise its total to {0} tokens; the limit is {2} ({1}).',
        ...[amount(used), MAX_TOKENS, amount(most)],
      ),
    );
    for (const { tests } of plan.skills) for (const { item } of tests) run.enqueued(item);
    try {
      for (const { skill, tests, runs } of plan.skills) {
        const isAsked = ({ test }: TestNode): boolean => test.semantic.length > 0 || runs.has(runKey(test));
        const plain = tests.filter((one) => !isAsked(one));
        if (plain.length > 0) await runner.run(run, { skill, tests: plain });
        for (const one of tests.filter(isAsked)) {
          if (run.token.isCancellationRequested) return;
          await new ModelTest(run, { skill, tests: [one] }, one, runs.get(runKey(one.test)), model, budget).run(
            runner,
            outputs,
          );
        }
      }
    } catch (error) {
      if (run.token.isCancellationRequested) return;
      run.appendOutput(asOutput(errorMessage(error)));
      void showWarning(errorMessage(error));
    } finally {
      run.end();
      void outputs.offer(model.name);
    }
  };

  const start = (request: vscode.TestRunRequest, token?: vscode.CancellationToken): Promise<void> =>
    runAll(request, token).catch((error: unknown) => void showError(errorMessage(error)));
  const profile = controller.createRunProfile(vscode.l10n.t('Run with a Model'), vscode.TestRunProfileKind.Run, start);
  profile.configureHandler = () => void choose(true);
  return vscode.Disposable.from(
    profile,
    // A call from a test's menu has an item. A call from the command palette runs the tests of the file in the editor.
    vscode.commands.registerCommand(`${SECTION}.runWithModel`, async (item?: unknown) => {
      const uri = vscode.window.activeTextEditor?.document.uri.toString() ?? '';
      const target = (item as vscode.TestItem | undefined) ?? tree.skill(uri);
      if (target) await start(new vscode.TestRunRequest([target], undefined, profile));
      else void showInformation(vscode.l10n.t('This file has no tests.'));
    }),
    vscode.commands.registerCommand(`${SECTION}.keepOutput`, (item?: unknown) => outputs.keep(item as vscode.TestItem)),
  );
}

const MAX_TOKENS = `${SECTION}.test.maxTokens`;

/** Returns the limit of tokens; 0 if the setting is not a number, because the editor does not validate settings. */
function maxTokens(): number {
  const limit = vscode.workspace.getConfiguration(SECTION).get<unknown>('test.maxTokens');
  return typeof limit === 'number' && limit >= 0 ? limit : 0;
}

/** Returns whether the plan may run. Shows the reason if not. */
function mayRun({ requests, questions, tokens }: Plan): boolean {
  if (requests + questions === 0) {
    const message = vscode.l10n.t('None of these tests needs a model. Run them without one.');
    void showInformation(message);
    return false;
  }
  if (tokens <= maxTokens()) return true;
  const open = vscode.l10n.t('Open Setting');
  const message = vscode.l10n.t(
    'The prompts of these tests have {0} tokens; the limit is {2} ({1}). Run fewer tests, or raise the limit.',
    ...[amount(tokens), MAX_TOKENS, amount(maxTokens())],
  );
  void showWarning(message, open).then((answer) => {
    if (answer === open) return vscode.commands.executeCommand('workbench.action.openSettings', MAX_TOKENS);
    return undefined;
  });
  return false;
}

async function agrees({ requests, questions, tokens }: Plan, { name }: vscode.LanguageModelChat): Promise<boolean> {
  const yes = vscode.l10n.t('Run');
  const detail = [
    requests === 1
      ? vscode.l10n.t('1 prompt with {0} tokens is sent.', amount(tokens))
      : vscode.l10n.t('{0} prompts with {1} tokens in total are sent.', amount(requests), amount(tokens)),
    ...questionsIn(questions),
    vscode.l10n.t(
      'Results of tool calls use tokens, too. The run ends at {0} tokens ({1}).',
      amount(maxTokens()),
      MAX_TOKENS,
    ),
  ].join('\n');
  const question = vscode.l10n.t('Run these tests with {0}?', name);
  return (await showInformation(question, { modal: true, detail }, yes)) === yes;
}

function questionsIn(count: number): readonly string[] {
  if (count === 0) return [];
  return count === 1
    ? [vscode.l10n.t('Then the model answers a question about 1 assertion.')]
    : [vscode.l10n.t('Then the model answers questions about {0} assertions.', amount(count))];
}

const amount = (count: number): string => count.toLocaleString(vscode.env.language);

/** One test that needs a model. */
class ModelTest {
  readonly #run: vscode.TestRun;
  readonly #selected: Selected;
  readonly #node: TestNode;
  readonly #modelRun: ModelRun | undefined;
  readonly #model: Model;
  readonly #budget: Budget;

  constructor(
    run: vscode.TestRun,
    selected: Selected,
    node: TestNode,
    modelRun: ModelRun | undefined,
    model: Model,
    budget: Budget,
  ) {
    this.#run = run;
    this.#selected = selected;
    this.#node = node;
    this.#modelRun = modelRun;
    this.#model = model;
    this.#budget = budget;
  }

  /** Runs the test. Throws a `ModelRunError` if the following tests would fail, too. */
  async run(runner: TestRunner, outputs: ModelOutputs): Promise<void> {
    const { item } = this.#node;
    this.#run.started(item);
    const began = performance.now();
    try {
      const given = await this.#give(began);
      const reply = await this.#judge(runner, given);
      if (!reply || this.#run.token.isCancellationRequested) return;
      runner.show(this.#run, this.#selected.skill, [this.#node], reply, performance.now() - began);
      const [output] = reply.outputs;
      const isPassed = !reply.results?.some(({ status }) => status === 'failed');
      if (output) outputs.add(item, output, isPassed);
    } catch (error) {
      if (this.#run.token.isCancellationRequested) return;
      this.#run.errored(item, new vscode.TestMessage(errorMessage(error)), performance.now() - began);
      if (error instanceof ModelRunError) throw error;
    }
  }

  async #give(began: number): Promise<readonly GivenOutput[]> {
    if (!this.#modelRun) return [];
    const { kind, sample, model } = this.#modelRun;
    if (model !== null && model !== this.#model.name) {
      this.#tell(vscode.l10n.t('The sample names the model {0}, but the run uses {1}.', model, this.#model.name));
    }
    const asked = await askModel(this.#model, this.#modelRun, this.#budget, (tool, input) =>
      runEditorTool(tool, input, this.#run.token),
    );
    this.#tell(describe(this.#model.name, asked, performance.now() - began));
    const { outcome } = asked;
    return [{ kind, sample, ...('output' in outcome ? outcome : { problem: problemOf(outcome) }) }];
  }

  async #judge(runner: TestRunner, given: readonly GivenOutput[]): Promise<RunTestsReply | null> {
    const reply = await runner.ask(this.#run, this.#selected, { given });
    const answers: { readonly name: string; readonly answer: string }[] = [];
    for (const { name, question } of reply?.results ?? []) {
      if (question) answers.push({ name, answer: await askQuestion(this.#model, question.text, this.#budget) });
    }
    return answers.length === 0 ? reply : runner.ask(this.#run, this.#selected, { given, answers });
  }

  /** Writes text to the output without a location, because there is not enough space for it beside a line. */
  #tell(text: string): void {
    this.#run.appendOutput(asOutput(text), undefined, this.#node.item);
  }
}

function describe(model: string, { outcome, calls, tokens, requests }: ModelResult, milliseconds: number): string {
  const seconds = (milliseconds / 1000).toFixed(1);
  return [
    requests === 1
      ? vscode.l10n.t('{0}: 1 request, {1} tokens, {2} s', model, amount(tokens), seconds)
      : vscode.l10n.t('{0}: {1} requests, {2} tokens, {3} s', model, amount(requests), amount(tokens), seconds),
    ...calls.map(describeCall),
    ...('output' in outcome ? [outcome.output] : []),
  ].join('\n');
}

function describeCall({ name, input, answer }: ModelResult['calls'][number]): string {
  const call = `${name}(${JSON.stringify(input)})`;
  switch (answer.by) {
    case 'stub':
      return vscode.l10n.t('→ {0}, answered by the stub: {1}', call, answer.text);
    case 'editor':
      return vscode.l10n.t('→ {0}, answered by your tool: {1}', call, answer.text);
    case 'declined':
      return vscode.l10n.t('→ {0}, not allowed by you', call);
    case 'unavailable':
      return vscode.l10n.t('→ {0}, not available in the composition', call);
    case 'missing':
      return vscode.l10n.t('→ {0}, no stub and no tool', call);
  }
}

function problemOf(outcome: Exclude<ModelResult['outcome'], { readonly output: string }>): string {
  if ('unanswered' in outcome) {
    return vscode.l10n.t(
      'The model called `{0}`, but the sample has no stub for it and the editor has no such tool. Add the result under `stubs` in the sample.',
      outcome.unanswered,
    );
  }
  return outcome.problem === 'empty'
    ? vscode.l10n.t('The model returned no output.')
    : vscode.l10n.t('The model called tools endlessly and returned no output.');
}

/** The requests that a run with a model will send. */
interface Plan {
  readonly skills: readonly {
    readonly skill: vscode.TestItem;
    readonly tests: readonly TestNode[];
    /** The runs by `runKey`. */
    readonly runs: ReadonlyMap<string, ModelRun>;
  }[];
  /** The number of prompts to send, with `tokens` tokens in total. */
  readonly requests: number;
  readonly tokens: number;
  /** The number of assertions that are sent to the model as questions. */
  readonly questions: number;
}

async function planOf(selected: readonly Selected[], tree: TestTree, server: Pick<SkillServer, 'send'>): Promise<Plan> {
  const skills: Plan['skills'][number][] = [];
  let [requests, tokens, questions] = [0, 0, 0];
  for (const { skill, tests } of selected) {
    const uri = skill.uri?.toString() ?? '';
    if (tests === 'all') await tree.resolve(uri);
    const known = tests === 'all' ? tree.testsOf(skill) : tests;
    const reply = await server.send(ModelRunsRequest, { uri, only: known.map(({ test }) => test.name) });
    const wanted = new Set(known.map(({ test }) => runKey(test)));
    const runs = (reply?.runs ?? []).filter((one) => wanted.has(keyOf(one)));
    requests += runs.length;
    tokens += runs.reduce((sum, one) => sum + one.tokens, 0);
    questions += reply?.questions ?? 0;
    skills.push({ skill, tests: known, runs: new Map(runs.map((one) => [keyOf(one), one])) });
  }
  return { skills, requests, tokens, questions };
}

/**
 * Returns the key of a test's run. The key contains the kind, because tests of different kinds can have the same name.
 */
const runKey = ({ kind, name }: Pick<TestCase, 'kind' | 'name'>): string => `${kind}:${name}`;

const keyOf = ({ kind, sample }: ModelRun): string => runKey({ kind, name: sample });

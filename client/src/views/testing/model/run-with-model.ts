/** “Run with a Model”: runs samples one after another, after confirmation (docs/testing-vscode.md, "With a model"). */
import * as vscode from 'vscode';
import {
  type GivenOutput,
  type ModelChoice,
  type ModelRun,
  ModelRunsRequest,
  type RoutingRuns,
  type RunTestsReply,
  SECTION,
  type TestCase,
} from '../../../../../server/src/protocol.ts';
import { registerCommand } from '../../../commands/first-steps.ts';
import type { SkillServer } from '../../../language-server/skill-server.ts';
import { showError, showInformation, showWarning } from '../../../notify.ts';
import { errorMessage } from '../../../plain-message.ts';
import { asOutput } from '../result-text.ts';
import type { TestRunner } from '../runner.ts';
import type { Selected, TestNode, TestTree } from '../tree.ts';
import { askModel, askQuestion, type Budget, type Model, type ModelResult, ModelRunError } from './ask.ts';
import { askForChoices, countChoices, isMajority } from './choices.ts';
import {
  agrees,
  amount,
  isTrusted,
  isWithinLimit,
  type Models,
  modelOf,
  newBudget,
  runEditorTool,
} from './editor-model.ts';
import { ModelOutputs } from './model-outputs.ts';

export function serveModelRuns(
  controller: vscode.TestController,
  tree: TestTree,
  runner: TestRunner,
  server: SkillServer,
  models: Models,
): vscode.Disposable {
  const outputs = new ModelOutputs(controller.id);
  const runAll = async (request: vscode.TestRunRequest, token?: vscode.CancellationToken): Promise<void> => {
    if (!isTrusted()) return;
    await tree.list();
    const plan = await planOf(tree.select(request), tree, server);
    if (token?.isCancellationRequested || !mayRun(plan)) return;
    const chat = await models.select(false);
    if (!chat || !(await agrees(vscode.l10n.t('Run these tests with {0}?', chat.name), detailsOf(plan)))) return;
    const run = controller.createTestRun(request);
    const model = modelOf(chat, run.token, vscode.l10n.t('Skill Composer runs your skill tests with a model.'));
    const budget = newBudget();
    for (const { tests } of plan.skills) for (const { item } of tests) run.enqueued(item);
    try {
      for (const { skill, tests, runs, choices } of plan.skills) {
        const isAsked = ({ test }: TestNode): boolean =>
          test.semantic.length > 0 || runs.has(runKey(test)) || choices.has(runKey(test));
        const plain = tests.filter((one) => !isAsked(one));
        if (plain.length > 0) await runner.run(run, { skill, tests: plain });
        for (const one of tests.filter(isAsked)) {
          if (run.token.isCancellationRequested) return;
          const routed = choices.get(runKey(one.test));
          if (routed) await runRoutedCase(run, one, routed, model, budget);
          else {
            await new ModelTest(run, { skill, tests: [one] }, one, runs.get(runKey(one.test)), model, budget).run(
              runner,
              outputs,
            );
          }
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
  profile.configureHandler = () => void models.select(true);
  return vscode.Disposable.from(
    profile,
    // A call from a test's menu has an item. A call from the command palette runs the tests of the file in the editor.
    registerCommand(`${SECTION}.runWithModel`, async (item?: unknown) => {
      const uri = vscode.window.activeTextEditor?.document.uri.toString() ?? '';
      const target = (item as vscode.TestItem | undefined) ?? tree.skill(uri);
      if (target) await start(new vscode.TestRunRequest([target], undefined, profile));
      else void showInformation(vscode.l10n.t('This file has no tests.'));
    }),
    registerCommand(`${SECTION}.keepOutput`, (item?: unknown) => outputs.keep(item as vscode.TestItem)),
  );
}

/** Returns whether the plan may run. Shows the reason if not. */
function mayRun({ requests, questions, choices, tokens }: Plan): boolean {
  if (requests + questions + choices > 0) return isWithinLimit(tokens);
  const message = vscode.l10n.t('None of these tests needs a model. Run them without one.');
  void showInformation(message);
  return false;
}

/** Returns the sentences of the consent about the prompts to send. */
function detailsOf({ requests, questions, choices, tokens }: Plan): readonly string[] {
  const prompts = requests + choices;
  return [
    prompts === 1
      ? vscode.l10n.t('1 prompt with {0} tokens is sent.', amount(tokens))
      : vscode.l10n.t('{0} prompts with {1} tokens in total are sent.', amount(prompts), amount(tokens)),
    ...choicesIn(choices),
    ...questionsIn(questions),
    vscode.l10n.t('Results of tool calls use tokens, too.'),
  ];
}

function choicesIn(count: number): readonly string[] {
  if (count === 0) return [];
  return count === 1
    ? [vscode.l10n.t("1 of them contains a client's list of skills, from which the model chooses.")]
    : [vscode.l10n.t("{0} of them contain a client's list of skills, from which the model chooses.", amount(count))];
}

function questionsIn(count: number): readonly string[] {
  if (count === 0) return [];
  return count === 1
    ? [vscode.l10n.t('Then the model answers a question about 1 assertion.')]
    : [vscode.l10n.t('Then the model answers questions about {0} assertions.', amount(count))];
}

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
      const given = await this.#requestOutputs(began);
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

  async #requestOutputs(began: number): Promise<readonly GivenOutput[]> {
    if (!this.#modelRun) return [];
    const { kind, sample, model } = this.#modelRun;
    if (model !== null && model !== this.#model.name) {
      this.#print(vscode.l10n.t('The sample names the model {0}, but the run uses {1}.', model, this.#model.name));
    }
    const asked = await askModel(this.#model, this.#modelRun, this.#budget, (tool, input) =>
      runEditorTool(tool, input, this.#run.token),
    );
    this.#print(describe(this.#model.name, asked, performance.now() - began));
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
  #print(text: string): void {
    this.#run.appendOutput(asOutput(text), undefined, this.#node.item);
  }
}

/** Runs a routing case. Throws a `ModelRunError` if the following tests would fail, too. */
async function runRoutedCase(
  run: vscode.TestRun,
  { item }: TestNode,
  { should, choice, question }: RoutedCase,
  model: Model,
  budget: Budget,
): Promise<void> {
  run.started(item);
  const began = performance.now();
  const { names, none, client } = choice;
  const answers: ModelChoice[] = [];
  try {
    const trials = { text: question.text, names, none, trials: TRIALS };
    for await (const one of askForChoices(model, trials, budget, () => run.token.isCancellationRequested)) {
      answers.push(one);
      run.appendOutput(asOutput(`${model.name}, ${client.name}: ${choiceText(one)}`), undefined, item);
    }
    if (run.token.isCancellationRequested) return;
    const milliseconds = performance.now() - began;
    if (isMajority(answers, choice.uri, should)) return run.passed(item, milliseconds);
    const chosen = countChoices(answers).map((one) => choiceText(one.choice));
    const values = [model.name, chosen.join(', '), client.name] as const;
    const message = new vscode.TestMessage(
      should
        ? vscode.l10n.t('The request must choose this skill. {0} chose from the list of {2}: {1}', ...values)
        : vscode.l10n.t('The request must not choose this skill. {0} chose from the list of {2}: {1}', ...values),
    );
    if (item.uri && item.range) message.location = new vscode.Location(item.uri, item.range);
    run.failed(item, message, milliseconds);
  } catch (error) {
    run.errored(item, new vscode.TestMessage(errorMessage(error)), performance.now() - began);
    if (error instanceof ModelRunError) throw error;
  }
}

function choiceText(choice: ModelChoice): string {
  if (choice.kind === 'skill') return choice.name;
  return choice.kind === 'none' ? vscode.l10n.t('no skill') : vscode.l10n.t('an unclear answer (“{0}”)', choice.said);
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
    case 'failed':
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

/** A routing case that a model decides. */
interface RoutedCase {
  readonly should: boolean;
  readonly choice: RoutingRuns['choice'];
  readonly question: RoutingRuns['choice']['questions'][number];
}

/** The number of times that the model answers a routing case. */
const TRIALS = 1;

/** The requests that a run with a model will send. */
interface Plan {
  readonly skills: readonly {
    readonly skill: vscode.TestItem;
    readonly tests: readonly TestNode[];
    /** The runs by `runKey`. */
    readonly runs: ReadonlyMap<string, ModelRun>;
    /** The routing cases by `runKey`. */
    readonly choices: ReadonlyMap<string, RoutedCase>;
  }[];
  /** The number of prompts of samples and evals, and of routing cases. All together have `tokens` tokens. */
  readonly requests: number;
  readonly choices: number;
  readonly tokens: number;
  /** The number of assertions that are sent to the model as questions. */
  readonly questions: number;
}

async function planOf(selected: readonly Selected[], tree: TestTree, server: Pick<SkillServer, 'send'>): Promise<Plan> {
  const skills: Plan['skills'][number][] = [];
  let [requests, choices, tokens, questions] = [0, 0, 0, 0];
  for (const { skill, tests } of selected) {
    const uri = skill.uri?.toString() ?? '';
    if (tests === 'all') await tree.resolve(uri);
    const known = tests === 'all' ? tree.testsOf(skill) : tests;
    const reply = await server.send(ModelRunsRequest, { uri, only: known.map(({ test }) => test.name) });
    const wanted = new Set(known.map(({ test }) => runKey(test)));
    const runs = (reply?.runs ?? []).filter((one) => wanted.has(keyOf(one)));
    requests += runs.length;
    const routed = reply?.routing ? routedCases(reply.routing) : new Map<string, RoutedCase>();
    choices += TRIALS * routed.size;
    tokens += runs.reduce((sum, one) => sum + one.tokens, 0);
    for (const { question } of routed.values()) tokens += TRIALS * question.tokens;
    questions += reply?.questions ?? 0;
    skills.push({ skill, tests: known, runs: new Map(runs.map((one) => [keyOf(one), one])), choices: routed });
  }
  return { skills, requests, choices, tokens, questions };
}

const routedCases = ({ choice, cases }: RoutingRuns): ReadonlyMap<string, RoutedCase> =>
  new Map(
    cases.flatMap(({ name, should }, at): readonly [string, RoutedCase][] => {
      const question = choice.questions[at];
      return question ? [[runKey({ kind: 'routing', name }), { should, choice, question }]] : [];
    }),
  );

/**
 * Returns the key of a test's run. The key contains the kind, because tests of different kinds can have the same name.
 */
const runKey = ({ kind, name }: Pick<TestCase, 'kind' | 'name'>): string => `${kind}:${name}`;

const keyOf = ({ kind, sample }: ModelRun): string => runKey({ kind, name: sample });

/** The choice of a model: asks a model of the editor which skill it chooses (docs/clients.md, "A model's choice"). */
import * as vscode from 'vscode';
import { ChoiceRequest, type ChosenReply, type ModelChoice } from '../../../../server/src/protocol.ts';
import type { SkillServer } from '../../language-server/skill-server.ts';
import { errorMessage } from '../../plain-message.ts';
import { askForChoices, countChoices } from '../../views/testing/model/choices.ts';
import {
  agrees,
  amount,
  isTrusted,
  isWithinLimit,
  type Models,
  modelOf,
  newBudget,
} from '../../views/testing/model/editor-model.ts';
import type { ShownChoice, ToPanel } from './messages.ts';
import type { PreviewPage } from './page.ts';

type AskModel = Extract<ToPanel, { type: 'askModel' }>;

export class ModelChoiceRun implements vscode.Disposable {
  readonly #server: Pick<SkillServer, 'send'>;
  readonly #models: Models;
  readonly #page: PreviewPage;
  #running: vscode.CancellationTokenSource | undefined;
  /** The last choice, with the text that the model was asked. */
  #last: { readonly text: string; readonly choice: ShownChoice } | undefined;

  constructor(server: Pick<SkillServer, 'send'>, models: Models, page: PreviewPage) {
    this.#server = server;
    this.#models = models;
    this.#page = page;
  }

  /** Asks a model, after the user selects it and agrees. Ignored while a model is being asked. */
  async ask(asked: AskModel): Promise<void> {
    if (this.#running) return;
    this.#running = new vscode.CancellationTokenSource();
    try {
      await this.#run(asked, this.#running.token);
    } finally {
      this.#running.dispose();
      this.#running = undefined;
    }
  }

  stop(): void {
    this.#running?.cancel();
  }

  /** Marks the choice as older if the question for the current view is another one. */
  async compare({ uri, client }: ChosenReply, request: string | undefined): Promise<void> {
    if (!this.#last) return;
    const params = { uri, client: client.id, requests: request === undefined ? [] : [request] };
    const reply = await this.#server.send(ChoiceRequest, params);
    if (this.#last?.choice.uri === uri) this.#change({ isOlder: reply?.questions[0]?.text !== this.#last.text });
  }

  /** Sends the choice to a page that has started again. */
  repeat(): void {
    this.#change({});
  }

  /** The choice that was sent for the shown skill. */
  get sent(): ShownChoice | undefined {
    return this.#last?.choice;
  }

  /** Stops the run and clears the choice, because another skill is shown. */
  forget(): void {
    this.stop();
    this.#last = undefined;
  }

  dispose(): void {
    this.forget();
  }

  #show(text: string, choice: ShownChoice): void {
    this.#last = { text, choice };
    this.#page.post({ type: 'choice', choice });
  }

  #change(part: Partial<ShownChoice>): void {
    if (this.#last) this.#show(this.#last.text, { ...this.#last.choice, ...part });
  }

  async #run({ client, request, trials }: AskModel, token: vscode.CancellationToken): Promise<void> {
    const { uri } = this.#page;
    if (uri === undefined || !isTrusted()) return;
    const reply = await this.#server.send(ChoiceRequest, { uri, client, requests: [request] });
    const question = reply?.questions[0];
    if (!reply || !question || !isWithinLimit(trials * question.tokens)) return;
    const chat = await this.#models.select(true);
    if (!chat || token.isCancellationRequested) return;
    const title = vscode.l10n.t('Ask {0} which skill it chooses from the list of {1}?', chat.name, reply.client.name);
    const tokens = amount(trials * question.tokens);
    const sent =
      trials === 1
        ? vscode.l10n.t('1 prompt with {0} tokens is sent.', tokens)
        : vscode.l10n.t('{0} prompts with {1} tokens in total are sent.', amount(trials), tokens);
    const contents = vscode.l10n.t('A prompt contains the names and descriptions in the list, and the request.');
    if (!(await agrees(title, [sent, contents])) || token.isCancellationRequested) return;
    const answers: ModelChoice[] = [];
    this.#show(question.text, {
      ...{ uri, client: reply.client, request, trials, isExact: reply.isExact, isOlder: false },
      ...{ model: chat.name, counted: [], isRunning: true, time: Date.now() },
    });
    const purpose = vscode.l10n.t('Skill Composer asks the model which skill it chooses for a request.');
    const model = modelOf(chat, token, purpose);
    const { names, none } = reply;
    let problem: string | undefined;
    try {
      const asking = { text: question.text, names, none, trials };
      for await (const answer of askForChoices(model, asking, newBudget(), () => token.isCancellationRequested)) {
        answers.push(answer);
        this.#change({ counted: countChoices(answers) });
      }
    } catch (error) {
      problem = errorMessage(error);
    }
    if (this.#page.uri === uri) this.#change({ isRunning: false, ...(problem !== undefined && { problem }) });
  }
}

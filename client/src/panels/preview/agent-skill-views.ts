/**
 * The views of a `SKILL.md` beside its prompt: how clients use it, whether a client chooses it, and the abilities of its
 * folder. The page requests each view when it shows it.
 */
import * as vscode from 'vscode';
import {
  AbilitiesRequest,
  type AbilitiesView,
  type ChosenParams,
  type ChosenReply,
  ChosenRequest,
  type ClientsReply,
} from '../../../../server/src/protocol.ts';
import { saveRoutingCase } from '../../commands/apply-saved.ts';
import type { SkillServer } from '../../language-server/skill-server.ts';
import { coalesce } from '../kit/schedule.ts';
import type { PreviewPage } from './page.ts';

type ChosenQuestion = Omit<ChosenParams, 'uri'>;

export class AgentSkillViews implements vscode.Disposable {
  readonly #server: Pick<SkillServer, 'clients' | 'send'>;
  readonly #page: PreviewPage;
  readonly #onChosen: (view: ChosenReply, request: string | undefined) => Promise<void>;
  readonly #listener: vscode.Disposable;
  readonly #requestChosen: () => void;
  /** The latest question whether a client chooses the skill. */
  #question: ChosenQuestion = {};
  #clients: ClientsReply | undefined;
  #chosen: ChosenReply | undefined;
  #abilities: AbilitiesView | undefined;

  readonly sendClients: () => void;
  readonly sendAbilities: () => void;

  /** `onChosen` is called after each reply to the question whether a client chooses the skill. */
  constructor(
    server: Pick<SkillServer, 'clients' | 'send'>,
    page: PreviewPage,
    onChosen: (view: ChosenReply, request: string | undefined) => Promise<void>,
  ) {
    this.#server = server;
    this.#page = page;
    this.#onChosen = onChosen;
    const forShownSkill = (send: (uri: string) => Promise<void>): (() => void) =>
      coalesce(async () => {
        if (page.uri !== undefined) await send(page.uri);
      }, page.fail);
    this.sendClients = forShownSkill((uri) => this.#sendClients(uri));
    this.sendAbilities = forShownSkill((uri) => this.#sendAbilities(uri));
    this.#requestChosen = forShownSkill((uri) => this.#sendChosen(uri));
    // The server does not watch scripts, so request the abilities again when a file in the folder is saved.
    this.#listener = vscode.workspace.onDidSaveTextDocument(({ uri }) => {
      const folder = this.#abilities?.uri.replace(/[^/]*$/, '');
      if (folder !== undefined && uri.toString().startsWith(folder)) this.sendAbilities();
    });
  }

  /** Sends whether a client chooses the skill. Calls during a request cause one more request, with the latest question. */
  sendChosen(question: ChosenQuestion): void {
    this.#question = question;
    this.#requestChosen();
  }

  /** Saves a request as a routing case of the shown skill, and asks again whether a client chooses it. */
  async keepCase(request: string, should: boolean): Promise<void> {
    const { uri } = this.#page;
    if (uri === undefined || !(await saveRoutingCase(this.#server, uri, request, should))) return;
    this.#requestChosen();
  }

  /** The views of the shown skill that were sent. */
  get sent(): readonly unknown[] {
    return [this.#clients, this.#chosen, this.#abilities];
  }

  /** Clears the views, because another skill is shown. */
  forget(): void {
    this.#clients = undefined;
    this.#chosen = undefined;
    this.#abilities = undefined;
  }

  dispose(): void {
    this.#listener.dispose();
  }

  async #sendClients(uri: string): Promise<void> {
    let view: ClientsReply | null | undefined;
    // The result is undefined if something changed after the request, so send the request again.
    while (view === undefined && this.#page.uri === uri) view = await this.#server.clients(uri);
    if (!view || this.#page.uri !== uri) return;
    this.#clients = view;
    this.#page.post({ type: 'clients', view });
  }

  async #sendAbilities(uri: string): Promise<void> {
    const view = await this.#server.send(AbilitiesRequest, { uri });
    if (!view || this.#page.uri !== uri) return;
    this.#abilities = view;
    this.#page.post({ type: 'abilities', view });
  }

  async #sendChosen(uri: string): Promise<void> {
    const question = this.#question;
    const view = await this.#server.send(ChosenRequest, { uri, ...question });
    if (!view || this.#page.uri !== uri) return;
    this.#chosen = view;
    this.#page.post({ type: 'chosen', view });
    await this.#onChosen(view, question.request);
  }
}

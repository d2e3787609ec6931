/**
 * Debugs skills (docs/debugging.md). The debug adapter runs in the language server, and this file passes its messages
 * to VS Code. It also completes configurations, asks for the answers to interrupts, and asks the user before it sends
 * the queries of a run to a model.
 */
import * as vscode from 'vscode';
import { DebugRequest, type RunQuery, type RunReply, SamplesRequest } from '../../server/src/protocol.ts';
import { createStep } from './commands/first-steps.ts';
import type { SkillServer } from './language-server/skill-server.ts';
import { showInformation, showWarning } from './notify.ts';
import { errorMessage, plainMessage } from './plain-message.ts';
import {
  type AgreedModel,
  agrees,
  amount,
  answerQuery,
  isTrusted,
  type Models,
  newBudget,
} from './views/testing/model/editor-model.ts';

/** The type of configurations and sessions, as in `package.json`. */
const TYPE = 'skill';

/** The key of a configuration for the ID of the consent to use a model. */
const AGREED = '__agreed';

/** The languages of files that F5 debugs without a configuration, as in `package.json`. */
const LANGUAGES: readonly string[] = ['skillmd', 'skill'];

export function serveDebugging(server: SkillServer, models: Models): vscode.Disposable {
  /** The models to which the user has agreed for sessions that have not begun, by the ID in their configurations. */
  const agreed = new Map<string, AgreedModel>();
  const adapters = new Map<string, ServerAdapter>();
  const take = (id: unknown): AgreedModel | undefined => {
    const found = agreed.get(String(id));
    agreed.delete(String(id));
    return found;
  };
  server.answerQueries(async ({ session, query }, token) => {
    const reply = await adapters.get(session)?.reply(query, token);
    return reply ?? { kind: 'failure', code: 'MODEL_FAILED', message: vscode.l10n.t('The debug session has ended.') };
  });
  return vscode.Disposable.from(
    vscode.debug.registerDebugConfigurationProvider(TYPE, {
      resolveDebugConfiguration: (_, configuration) => completed(server, configuration),
      resolveDebugConfigurationWithSubstitutedVariables: async (_, configuration) => {
        if (configuration.mode !== 'model') return configuration;
        const model = await agreedModel(server, models, configuration);
        if (!model) return undefined;
        const id = crypto.randomUUID();
        agreed.set(id, model);
        return { ...configuration, [AGREED]: id };
      },
    }),
    vscode.debug.registerDebugConfigurationProvider(
      TYPE,
      { provideDebugConfigurations: (folder) => configurationsFor(server, folder) },
      vscode.DebugConfigurationProviderTriggerKind.Dynamic,
    ),
    vscode.debug.registerDebugAdapterDescriptorFactory(TYPE, {
      createDebugAdapterDescriptor: (session) => {
        const adapter = new ServerAdapter(server, session, take, () => adapters.delete(session.id));
        adapters.set(session.id, adapter);
        return new vscode.DebugAdapterInlineImplementation(adapter);
      },
    }),
  );
}

/**
 * Asks the user whether the prompts of a session may be sent to a model. Returns undefined if not, or if there is no
 * model; the reason is shown.
 */
async function agreedModel(
  server: SkillServer,
  models: Models,
  { program, name }: vscode.DebugConfiguration,
): Promise<AgreedModel | undefined> {
  if (!isTrusted()) return undefined;
  const chat = await models.select(false);
  if (!chat) return undefined;
  const samples = await server.send(SamplesRequest, { uri: uriOf(String(program)).toString() }).catch(() => null);
  const details = [
    vscode.l10n.t('Each request sends the prompt, the instructions, the outputs of steps and the results of tools.'),
    vscode.l10n.t('Restarts and changed values send requests again. They count towards the same limit.'),
  ];
  const question = vscode.l10n.t('Debug {0} with {1}?', samples?.name ?? name, chat.name);
  return (await agrees(question, details)) ? { chat, budget: newBudget() } : undefined;
}

/** Returns the URI of a `program`, which is a path or a URI. */
const uriOf = (program: string): vscode.Uri =>
  /^[a-z][a-z0-9+.-]+:[\\/]/i.test(program) ? vscode.Uri.parse(program) : vscode.Uri.file(program);

/**
 * Returns a configuration for each sample of the skill in the editor, without and with a model. VS Code asks for each
 * folder, and for files outside of them.
 */
async function configurationsFor(
  server: SkillServer,
  folder: vscode.WorkspaceFolder | undefined,
): Promise<vscode.DebugConfiguration[]> {
  const { document } = vscode.window.activeTextEditor ?? {};
  const own = document && vscode.workspace.getWorkspaceFolder(document.uri);
  const found = own?.index === folder?.index ? await openSkill(server).catch(() => undefined) : undefined;
  if (!found) return [];
  const { program, name, samples } = found;
  const all = (samples.length > 0 ? samples : [undefined]).map((sample) =>
    configurationOf(program, name, sample?.name),
  );
  const withModel = all.map((one) => ({ ...one, name: vscode.l10n.t('{0} (with a model)', one.name), mode: 'model' }));
  return [...all, ...withModel];
}

const configurationOf = (program: string, skill: string, sample: string | undefined): vscode.DebugConfiguration => ({
  ...{ type: TYPE, request: 'launch', name: sample === undefined ? skill : `${skill}: ${sample}`, program },
  ...(sample !== undefined && { sample }),
});

/** Returns the samples of the skill in the editor; undefined if the file is not a skill. Rejects like the server. */
async function openSkill(server: SkillServer) {
  const { document } = vscode.window.activeTextEditor ?? {};
  if (!document || !LANGUAGES.includes(document.languageId)) return undefined;
  const { uri } = document;
  const found = await server.send(SamplesRequest, { uri: uri.toString() });
  return found && { ...found, program: uri.scheme === 'file' ? uri.fsPath : uri.toString() };
}

/** Fills in an empty configuration, which F5 uses without a `launch.json`. Returns undefined to start nothing. */
async function completed(
  server: SkillServer,
  configuration: vscode.DebugConfiguration,
): Promise<vscode.DebugConfiguration | undefined> {
  if (configuration.type || configuration.request || configuration.name) return configuration;
  try {
    const found = await openSkill(server);
    if (!found) {
      void showWarning(vscode.l10n.t('This file is not a skill that can run. Open a skill file, then press F5.'));
      return undefined;
    }
    return configurationOf(found.program, found.name, found.samples[0]?.name);
  } catch (error) {
    void showWarning(vscode.l10n.t('The skill cannot be debugged: {0}', errorMessage(error)));
    return undefined;
  }
}

interface Launch {
  readonly [AGREED]?: unknown;
}

/** A message of the Debug Adapter Protocol, as far as this file reads it. */
interface Message {
  readonly type?: string;
  readonly seq?: number;
  readonly command?: string;
  readonly arguments?: Launch & { readonly arguments?: Launch };
  readonly event?: string;
  readonly body?: { readonly question?: Question; readonly exitCode?: number };
}

interface Question {
  readonly name: string;
  readonly message?: string;
  readonly schema?: unknown;
}

/** The requests after which the run no longer waits for an answer. */
const MOTIONS = /^(?:continue|next|step\w+|reverseContinue|restart|terminate|disconnect)$/;

/** A debug adapter whose other end is in the language server. */
class ServerAdapter implements vscode.DebugAdapter {
  readonly #server: SkillServer;
  readonly #session: vscode.DebugSession;
  readonly #messages = new vscode.EventEmitter<vscode.DebugProtocolMessage>();
  readonly #subscriptions: vscode.Disposable;
  readonly onDidSendMessage = this.#messages.event;
  readonly #completeStep = createStep('run');
  #hasEnded = false;
  /** The question of the last stop, until it is shown. */
  #question: Question | undefined;
  /** The name of the interrupt that the user has declined since the last stop. */
  #declined: string | undefined;
  /** Cancels the question that is shown. */
  #shownQuestion: vscode.CancellationTokenSource | undefined;
  readonly #takeModel: (id: unknown) => AgreedModel | undefined;
  #model: AgreedModel | undefined;
  /** Cancels the request to the model or to a tool. */
  #runningQuery: vscode.CancellationTokenSource | undefined;

  /** `take` returns the model to which the user has agreed, once. `disposed` is called at the end. */
  constructor(
    server: SkillServer,
    session: vscode.DebugSession,
    take: (id: unknown) => AgreedModel | undefined,
    disposed: () => void,
  ) {
    this.#server = server;
    this.#session = session;
    this.#takeModel = take;
    this.#subscriptions = vscode.Disposable.from(
      server.onDebugMessage(({ session: id, message }) => {
        if (id === session.id) this.#receive(message);
      }),
      // Before it shows the frame, the editor takes the focus, and would receive the keys for the answer.
      vscode.debug.onDidChangeActiveStackItem((item) => {
        const question = this.#question;
        if (!question || !(item instanceof vscode.DebugStackFrame) || item.session.id !== session.id) return;
        this.#question = undefined;
        void this.#ask(question);
      }),
      server.onStopped(() => this.#end(vscode.l10n.t('The skill language server has stopped.'))),
      { dispose: disposed },
    );
  }

  /** Answers a query of the run with the model to which the user has agreed. */
  async reply(query: RunQuery, token: vscode.CancellationToken): Promise<RunReply> {
    const model = this.#model;
    if (!model) {
      const message = vscode.l10n.t('No model was selected when the session started. Start the session again.');
      return { kind: 'failure', code: 'MODEL_FAILED', message };
    }
    const replying = new vscode.CancellationTokenSource();
    this.#runningQuery = replying;
    const cancelling = token.onCancellationRequested(() => replying.cancel());
    const { used } = model.budget;
    if (query.kind === 'model' && used === 0 && query.model !== undefined && query.model !== model.chat.name) {
      const names = [query.model, model.chat.name];
      this.#print(vscode.l10n.t('The skill names the model {0}, but this session uses {1}.', ...names));
    }
    const reply = await answerQuery(query, model, replying.token);
    cancelling.dispose();
    const [tokens, all] = [amount(model.budget.used - used), amount(model.budget.used)];
    const usage = vscode.l10n.t('{0}: {1} tokens, {2} in this session', model.chat.name, tokens, all);
    if (query.kind === 'model' && !replying.token.isCancellationRequested) this.#print(usage);
    return reply;
  }

  /** Writes a line to the Debug Console. */
  #print(line: string): void {
    const body = { category: 'console', output: `${plainMessage(line)}\n` };
    this.#messages.fire({ type: 'event', seq: 0, event: 'output', body } as vscode.DebugProtocolMessage);
  }

  handleMessage(message: Message): void {
    if (message.type === 'request' && MOTIONS.test(message.command ?? '')) this.#shownQuestion?.cancel();
    const launch = message.command === 'restart' ? message.arguments?.arguments : message.arguments;
    if (/^(?:launch|restart)$/.test(message.command ?? ''))
      this.#model = this.#takeModel(launch?.[AGREED]) ?? this.#model;
    if (!this.#hasEnded) {
      this.#server
        .send(DebugRequest, { session: this.#session.id, message })
        .catch((error: unknown) => this.#end(errorMessage(error), message));
    } else this.#respondWithoutServer(message);
  }

  dispose(): void {
    this.#shownQuestion?.cancel();
    this.#runningQuery?.cancel();
    this.#subscriptions.dispose();
    if (!this.#hasEnded) this.#server.send(DebugRequest, { session: this.#session.id }).catch(() => undefined);
    this.#messages.dispose();
  }

  #receive(message: object): void {
    this.#messages.fire(message as vscode.DebugProtocolMessage);
    const { event, body } = message as Message;
    if (event === 'terminated') this.#shownQuestion?.cancel();
    if (event === 'exited' && body?.exitCode !== 0) this.#tellDeclined();
    if (event !== 'stopped') return;
    this.#declined = undefined;
    this.#completeStep();
    this.#question = body?.question;
  }

  /** Says why the session ends if the user has declined, because the Debug Console may be closed. */
  #tellDeclined(): void {
    const name = this.#declined;
    if (name === undefined) return;
    void showInformation(vscode.l10n.t('The run has ended, because the answer to ‘{0}’ was no.', name));
  }

  /** Ends the session, because the server does not answer. `pending` is the request that failed. */
  #end(reason: string, pending?: Message): void {
    if (!this.#hasEnded) {
      this.#hasEnded = true;
      this.#shownQuestion?.cancel();
      this.#runningQuery?.cancel();
      void showWarning(vscode.l10n.t('The debug session of “{0}” has ended: {1}', this.#session.name, reason));
      this.#messages.fire({ type: 'event', seq: 0, event: 'terminated' } as vscode.DebugProtocolMessage);
    }
    if (pending) this.#respondWithoutServer(pending);
  }

  /** Answers a request without the server, so that the editor can close the session. */
  #respondWithoutServer({ type, seq, command }: Message): void {
    if (type !== 'request') return;
    const response = { type: 'response', seq: 0, request_seq: seq, command, success: command === 'disconnect' };
    this.#messages.fire(response as vscode.DebugProtocolMessage);
  }

  /** Asks for the answer to an interrupt until the server accepts it, or the user presses Escape. */
  async #ask(question: Question): Promise<void> {
    this.#shownQuestion?.cancel();
    const asking = new vscode.CancellationTokenSource();
    this.#shownQuestion = asking;
    for (let problem: string | undefined; ; ) {
      const answer = await askFor(question, problem, asking.token);
      if (!answer || asking.token.isCancellationRequested) return;
      this.#declined = answer.value === false ? question.name : undefined;
      try {
        await this.#session.customRequest('answer', answer);
        return;
      } catch (error) {
        this.#declined = undefined;
        problem = errorMessage(error);
      }
    }
  }
}

interface Answer {
  readonly value: unknown;
}

/** Shows a form for the answer to an interrupt; undefined if the user closes it. */
async function askFor(
  { name, message, schema }: Question,
  problem: string | undefined,
  token: vscode.CancellationToken,
): Promise<Answer | undefined> {
  const { type, enum: values, properties } = (isMap(schema) ? schema : {}) as Record<string, unknown>;
  const title = plainMessage(message ?? vscode.l10n.t('Interrupt {0}', name));
  const placeHolder =
    problem === undefined ? vscode.l10n.t('Answer to the interrupt {0}', name) : plainMessage(problem);
  const choices = Array.isArray(values)
    ? values.map((value) => ({ label: typeof value === 'string' ? value : JSON.stringify(value), value }))
    : type === 'boolean' || schema === undefined
      ? [
          { label: vscode.l10n.t('Yes'), value: true },
          { label: vscode.l10n.t('No'), value: false },
        ]
      : undefined;
  if (choices) return vscode.window.showQuickPick(choices, { title, placeHolder, ignoreFocusOut: true }, token);
  const isText = type === 'string';
  const fields = isMap(properties) ? Object.keys(properties).map((field) => `${JSON.stringify(field)}: ""`) : [];
  const word = await vscode.window.showInputBox(
    {
      title,
      prompt:
        isText || problem !== undefined ? placeHolder : vscode.l10n.t('Answer to the interrupt {0}, as JSON', name),
      value: isText ? '' : `{${fields.join(', ')}}`,
      ignoreFocusOut: true,
      validateInput: (text) => (isText || parsed(text) ? undefined : vscode.l10n.t('This text is not valid JSON.')),
    },
    token,
  );
  return word === undefined ? undefined : isText ? { value: word } : parsed(word);
}

function parsed(text: string): Answer | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

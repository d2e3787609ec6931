/**
 * Debugs skills (docs/debugging.md). The debug adapter runs in the language server, and this file passes its messages
 * to VS Code. It also completes configurations, and asks for the answers to interrupts.
 */
import * as vscode from 'vscode';
import { DebugRequest, SamplesRequest } from '../../server/src/protocol.ts';
import type { SkillServer } from './language-server/skill-server.ts';
import { showWarning } from './notify.ts';
import { errorMessage, plainMessage } from './plain-message.ts';

/** The type of configurations and sessions, as in `package.json`. */
const TYPE = 'skill';

/** The languages of files that F5 debugs without a configuration, as in `package.json`. */
const LANGUAGES: readonly string[] = ['skillmd', 'skill'];

export function serveDebugging(server: SkillServer): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.debug.registerDebugConfigurationProvider(TYPE, {
      resolveDebugConfiguration: (_, configuration) => completed(server, configuration),
    }),
    vscode.debug.registerDebugAdapterDescriptorFactory(TYPE, {
      createDebugAdapterDescriptor: (session) =>
        new vscode.DebugAdapterInlineImplementation(new ServerAdapter(server, session)),
    }),
  );
}

/** Fills in an empty configuration, which F5 uses without a `launch.json`. Returns undefined to start nothing. */
async function completed(
  server: SkillServer,
  configuration: vscode.DebugConfiguration,
): Promise<vscode.DebugConfiguration | undefined> {
  if (configuration.type || configuration.request || configuration.name) return configuration;
  const document = vscode.window.activeTextEditor?.document;
  const uri = document?.uri;
  const isKnown = document && LANGUAGES.includes(document.languageId);
  try {
    const samples = isKnown && (await server.send(SamplesRequest, { uri: document.uri.toString() }));
    if (!uri || !samples) {
      void showWarning(vscode.l10n.t('This file is not a skill that can run. Open a skill file, then press F5.'));
      return undefined;
    }
    const [sample] = samples.samples;
    const program = uri.scheme === 'file' ? uri.fsPath : uri.toString();
    const name = sample ? `${samples.name}: ${sample.name}` : samples.name;
    return { type: TYPE, request: 'launch', name, program, ...(sample && { sample: sample.name }) };
  } catch (error) {
    void showWarning(vscode.l10n.t('The skill cannot be debugged: {0}', errorMessage(error)));
    return undefined;
  }
}

/** A message of the Debug Adapter Protocol, as far as this file reads it. */
interface Message {
  readonly type?: string;
  readonly seq?: number;
  readonly command?: string;
  readonly event?: string;
  readonly body?: { readonly question?: Question };
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
  #isLost = false;
  /** The question of the last stop, until it is shown. */
  #question: Question | undefined;
  /** Cancels the question that is shown. */
  #asking: vscode.CancellationTokenSource | undefined;

  constructor(server: SkillServer, session: vscode.DebugSession) {
    this.#server = server;
    this.#session = session;
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
      server.onStopped(() => this.#lose(vscode.l10n.t('The skill language server has stopped.'))),
    );
  }

  handleMessage(message: Message): void {
    if (message.type === 'request' && MOTIONS.test(message.command ?? '')) this.#asking?.cancel();
    if (!this.#isLost) {
      this.#server
        .send(DebugRequest, { session: this.#session.id, message })
        .catch((error: unknown) => this.#lose(errorMessage(error), message));
    } else this.#answerAlone(message);
  }

  dispose(): void {
    this.#asking?.cancel();
    this.#subscriptions.dispose();
    if (!this.#isLost) this.#server.send(DebugRequest, { session: this.#session.id }).catch(() => undefined);
    this.#messages.dispose();
  }

  #receive(message: object): void {
    this.#messages.fire(message as vscode.DebugProtocolMessage);
    const { event, body } = message as Message;
    if (event === 'terminated') this.#asking?.cancel();
    if (event === 'stopped') this.#question = body?.question;
  }

  /** Ends the session, because the server does not answer. `pending` is the request that failed. */
  #lose(reason: string, pending?: Message): void {
    if (!this.#isLost) {
      this.#isLost = true;
      this.#asking?.cancel();
      void showWarning(vscode.l10n.t('The debug session of “{0}” has ended: {1}', this.#session.name, reason));
      this.#messages.fire({ type: 'event', seq: 0, event: 'terminated' } as vscode.DebugProtocolMessage);
    }
    if (pending) this.#answerAlone(pending);
  }

  /** Answers a request without the server, so that the editor can close the session. */
  #answerAlone({ type, seq, command }: Message): void {
    if (type !== 'request') return;
    const response = { type: 'response', seq: 0, request_seq: seq, command, success: command === 'disconnect' };
    this.#messages.fire(response as vscode.DebugProtocolMessage);
  }

  /** Asks for the answer to an interrupt until the server accepts it, or the user presses Escape. */
  async #ask(question: Question): Promise<void> {
    this.#asking?.cancel();
    const asking = new vscode.CancellationTokenSource();
    this.#asking = asking;
    for (let problem: string | undefined; ; ) {
      const answer = await askFor(question, problem, asking.token);
      if (!answer || asking.token.isCancellationRequested) return;
      try {
        await this.#session.customRequest('answer', answer);
        return;
      } catch (error) {
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

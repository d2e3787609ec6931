/**
 * Adapts the editor's language models and tools to tests and debug sessions, after the user agrees. Only this file uses
 * `vscode.lm` to access models.
 */
import * as vscode from 'vscode';
import { type RunQuery, type RunReply, SECTION } from '../../../../../server/src/protocol.ts';
import { showInformation, showWarning } from '../../../notify.ts';
import { errorMessage } from '../../../plain-message.ts';
import {
  type Answered,
  askQuery,
  Budget,
  type Message,
  type Model,
  ModelRunError,
  type ModelToolCall,
  type OfferedTool,
} from './ask.ts';

/** The models of the editor. Keeps the model that the user selected. */
export class Models {
  /** The ID of the selected model. */
  #selected: string | undefined;

  /**
   * Returns the selected model, the only model, or the model that the user selects now. With `anew`, the user selects
   * again.
   */
  async select(anew: boolean): Promise<vscode.LanguageModelChat | undefined> {
    const models = await vscode.lm.selectChatModels();
    const known = models.find(({ id }) => id === this.#selected);
    const model = known && !anew ? known : await pickModel(models, known);
    this.#selected = model?.id ?? this.#selected;
    return model;
  }
}

async function pickModel(
  models: readonly vscode.LanguageModelChat[],
  known: vscode.LanguageModelChat | undefined,
): Promise<vscode.LanguageModelChat | undefined> {
  if (models.length === 0) {
    void showWarning(
      vscode.l10n.t('This editor has no language model. Install an extension that provides one, or sign in to it.'),
    );
    return undefined;
  }
  if (models.length === 1) return models[0];
  const picked = await vscode.window.showQuickPick(
    models.map((model) => ({
      label: model.name,
      description: `${model.vendor} ${model.family} ${model.version}`.trim(),
      picked: model === known,
      model,
    })),
    { title: vscode.l10n.t('Run with a Model'), placeHolder: vscode.l10n.t('Select the model') },
  );
  return picked?.model;
}

// The consent of the user.

/** Returns whether file contents may be sent to a model. Shows the reason if not. */
export function isTrusted(): boolean {
  if (vscode.workspace.isTrusted) return true;
  void showWarning(
    vscode.l10n.t(
      'A model is used only in a trusted workspace, because file contents are sent to the model. Trust this workspace first.',
    ),
  );
  return false;
}

const MAX_TOKENS = `${SECTION}.test.maxTokens`;

/** Returns the limit of tokens; 0 if the setting is not a number, because the editor does not validate settings. */
function maxTokens(): number {
  const limit = vscode.workspace.getConfiguration(SECTION).get<unknown>('test.maxTokens');
  return typeof limit === 'number' && limit >= 0 ? limit : 0;
}

/** Returns whether the limit allows to send so many tokens. Shows the reason if not. */
export function isWithinLimit(tokens: number): boolean {
  if (tokens <= maxTokens()) return true;
  const open = vscode.l10n.t('Open Setting');
  const message = vscode.l10n.t(
    'The prompts have {0} tokens; the limit is {2} ({1}). Send fewer prompts, or raise the limit.',
    ...[amount(tokens), MAX_TOKENS, amount(maxTokens())],
  );
  void showWarning(message, open).then((answer) => {
    if (answer === open) return vscode.commands.executeCommand('workbench.action.openSettings', MAX_TOKENS);
    return undefined;
  });
  return false;
}

/** Asks the user in a modal dialog whether to send the prompts that `details` describes. */
export async function agrees(question: string, details: readonly string[]): Promise<boolean> {
  const yes = vscode.l10n.t('Run');
  const limit = vscode.l10n.t('The run ends at {0} tokens ({1}).', amount(maxTokens()), MAX_TOKENS);
  const detail = [...details, limit].join('\n');
  return (await showInformation(question, { modal: true, detail }, yes)) === yes;
}

/** Returns the token limit of one run. */
export const newBudget = (): Budget =>
  new Budget(maxTokens(), (used, most) =>
    vscode.l10n.t(
      'The run stopped: the next request would raise its total to {0} tokens; the limit is {2} ({1}).',
      ...[amount(used), MAX_TOKENS, amount(most)],
    ),
  );

export const amount = (count: number): string => count.toLocaleString(vscode.env.language);

/** The model, and the token limit, to which the user has agreed for a debug session. */
export interface AgreedModel {
  readonly chat: vscode.LanguageModelChat;
  readonly budget: Budget;
}

/**
 * Answers a query of a debug session: asks the model, or calls the editor's tool of this name after the user confirms
 * the call. An error becomes a failure of the run.
 */
export async function answerQuery(
  query: RunQuery,
  { chat, budget }: AgreedModel,
  token: vscode.CancellationToken,
): Promise<RunReply> {
  const failure = (code: string, message: string): RunReply => ({ kind: 'failure', code, message });
  if (query.kind === 'model') {
    try {
      const model = modelOf(chat, token, vscode.l10n.t('Skill Composer debugs your skill with a model.'));
      const reply = await askQuery(model, query, budget);
      return reply ?? failure('EMPTY_OUTPUT', vscode.l10n.t('The model returned no output.'));
    } catch (error) {
      return failure('MODEL_FAILED', errorMessage(error));
    }
  }
  const answer = await runEditorTool(query.tool, query.input, token);
  switch (answer.by) {
    case 'missing':
      return failure(
        'TOOL_FAILED',
        vscode.l10n.t(
          'The editor has no tool `{0}`. Add the result under `stubs` in the sample, so that no tool is called.',
          query.tool,
        ),
      );
    case 'failed':
      return failure('TOOL_FAILED', answer.text);
    case 'declined':
      return { kind: 'result', value: { declined: true } };
    default:
      return { kind: 'result', value: resultOf(answer.text) };
  }
}

type ResultValue = Extract<RunReply, { readonly kind: 'result' }>['value'];

/** Returns the map or the list that a tool returned as JSON, or else its text. */
function resultOf(text: string): ResultValue {
  try {
    const value = JSON.parse(text) as ResultValue;
    return typeof value === 'object' && value !== null ? value : text;
  } catch {
    return text;
  }
}

/** Returns a connection to a model. `purpose` is a sentence that the editor shows when it asks for permission. */
export function modelOf(chat: vscode.LanguageModelChat, token: vscode.CancellationToken, purpose: string): Model {
  return {
    name: chat.name,
    count: async (text) => chat.countTokens(text, token),
    send: async (messages, tools) => {
      const request = new vscode.CancellationTokenSource();
      const cancelling = token.onCancellationRequested(() => request.cancel());
      if (token.isCancellationRequested) request.cancel();
      try {
        const reply = await chat.sendRequest(
          messages.map(messageOf),
          {
            justification: purpose,
            ...(tools.length > 0 ? { tools: tools.map(toolOf) } : {}),
          },
          request.token,
        );
        const whole = await collect(reply);
        // A cancelled stream can end without an error.
        if (token.isCancellationRequested) throw new vscode.CancellationError();
        return whole;
      } catch (error) {
        // A reply that is too long goes on without this.
        request.cancel();
        throw runErrorOf(error, chat.name) ?? error;
      } finally {
        cancelling.dispose();
        request.dispose();
      }
    },
  };
}

/** The maximum length of a reply, in UTF-16 code units. */
const MAX_REPLY = 1_000_000;

async function collect({ stream }: vscode.LanguageModelChatResponse): ReturnType<Model['send']> {
  let text = '';
  let length = 0;
  const calls: ModelToolCall[] = [];
  for await (const part of stream) {
    if (part instanceof vscode.LanguageModelTextPart) {
      text += part.value;
      length += part.value.length;
    } else if (part instanceof vscode.LanguageModelToolCallPart) {
      calls.push({ id: part.callId, name: part.name, input: part.input });
      length += part.name.length + JSON.stringify(part.input).length;
    }
    if (length > MAX_REPLY) {
      throw new Error(vscode.l10n.t('The reply of the model has more than {0} characters.', amount(MAX_REPLY)));
    }
  }
  return { text, calls };
}

function messageOf(message: Message): vscode.LanguageModelChatMessage {
  const { User, Assistant } = vscode.LanguageModelChatMessage;
  switch (message.role) {
    case 'user':
      return User(message.text);
    case 'assistant':
      return Assistant([
        ...(message.text === '' ? [] : [new vscode.LanguageModelTextPart(message.text)]),
        ...message.calls.map(({ id, name, input }) => new vscode.LanguageModelToolCallPart(id, name, input)),
      ]);
    case 'results':
      return User(
        message.results.map(
          ({ id, text }) => new vscode.LanguageModelToolResultPart(id, [new vscode.LanguageModelTextPart(text)]),
        ),
      );
  }
}

const ANY_INPUT = { type: 'object', properties: {} };

function toolOf({ name, tool }: OfferedTool): vscode.LanguageModelChatTool {
  const own = vscode.lm.tools.find((one) => one.name === tool.name);
  const { inputSchema: schema } = tool;
  const inputSchema = typeof schema === 'object' && schema !== null ? schema : (own?.inputSchema ?? ANY_INPUT);
  return { name, description: tool.description ?? own?.description ?? '', inputSchema };
}

/** Returns an error that ends the whole run; undefined for an error of a single request. */
function runErrorOf(error: unknown, model: string): ModelRunError | undefined {
  if (!(error instanceof vscode.LanguageModelError)) return undefined;
  switch (error.code) {
    case 'NoPermissions':
      return new ModelRunError(
        vscode.l10n.t(
          'Skill Composer is not allowed to use {0}. Try again, and allow it in the dialog of the editor.',
          model,
        ),
      );
    case 'Blocked':
      return new ModelRunError(
        vscode.l10n.t(
          '{0} is not accepting requests at the moment. Its quota may be used up: {1}',
          model,
          error.message,
        ),
      );
    case 'NotFound':
      return new ModelRunError(vscode.l10n.t('{0} is no longer available. Try again with another model.', model));
    default:
      return undefined;
  }
}

const MAX_SHOWN_INPUT = 1500;

/** Runs a tool of the editor after the user confirms the call. */
export async function runEditorTool(name: string, input: object, token: vscode.CancellationToken): Promise<Answered> {
  if (!vscode.lm.tools.some((tool) => tool.name === name)) return { by: 'missing' };
  const yes = vscode.l10n.t('Run the Tool');
  const chosen = await showWarning(
    vscode.l10n.t('The model calls the tool {0}, for which the sample has no stub. Run it?', name),
    { modal: true, detail: JSON.stringify(input, undefined, 2).slice(0, MAX_SHOWN_INPUT) },
    yes,
  );
  if (chosen !== yes || token.isCancellationRequested)
    return { by: 'declined', text: 'The user did not allow this call.' };
  try {
    const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined }, token);
    const texts = content.flatMap((part) => (part instanceof vscode.LanguageModelTextPart ? [part.value] : []));
    return { by: 'editor', text: texts.join('\n') };
  } catch (error) {
    return { by: 'failed', text: `The tool failed: ${errorMessage(error)}` };
  }
}

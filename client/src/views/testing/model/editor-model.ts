/** Adapts the editor's language models and tools to a run. Only this file uses `vscode.lm` to access models. */
import * as vscode from 'vscode';
import { showWarning } from '../../../notify.ts';
import { errorMessage } from '../../../plain-message.ts';
import { type Answered, type Message, type Model, ModelRunError, type ModelToolCall, type OfferedTool } from './ask.ts';

/**
 * Returns the previous model, the only model, or the model that the user selects. With `anew`, ignores the previous
 * model.
 */
export async function chooseModel(
  before: string | undefined,
  anew: boolean,
): Promise<vscode.LanguageModelChat | undefined> {
  const models = await vscode.lm.selectChatModels();
  const known = models.find(({ id }) => id === before);
  if (known && !anew) return known;
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

export function modelOf(chat: vscode.LanguageModelChat, token: vscode.CancellationToken): Model {
  return {
    name: chat.name,
    count: async (text) => chat.countTokens(text, token),
    send: async (messages, tools) => {
      try {
        const reply = await chat.sendRequest(
          messages.map(messageOf),
          {
            justification: vscode.l10n.t('Skill Composer runs your skill tests with a model.'),
            ...(tools.length > 0 ? { tools: tools.map(toolOf) } : {}),
          },
          token,
        );
        const whole = await collect(reply);
        // A cancelled stream can end without an error.
        if (token.isCancellationRequested) throw new vscode.CancellationError();
        return whole;
      } catch (error) {
        throw stopOf(error, chat.name) ?? error;
      }
    },
  };
}

async function collect({ stream }: vscode.LanguageModelChatResponse): ReturnType<Model['send']> {
  let text = '';
  const calls: ModelToolCall[] = [];
  for await (const part of stream) {
    if (part instanceof vscode.LanguageModelTextPart) text += part.value;
    else if (part instanceof vscode.LanguageModelToolCallPart)
      calls.push({ id: part.callId, name: part.name, input: part.input });
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

const ANYTHING = { type: 'object', properties: {} };

function toolOf({ name, tool }: OfferedTool): vscode.LanguageModelChatTool {
  const own = vscode.lm.tools.find((one) => one.name === tool.name);
  const { inputSchema: schema } = tool;
  const inputSchema = typeof schema === 'object' && schema !== null ? schema : (own?.inputSchema ?? ANYTHING);
  return { name, description: tool.description ?? own?.description ?? '', inputSchema };
}

/** Returns an error that ends the whole run; undefined for an error of a single request. */
function stopOf(error: unknown, model: string): ModelRunError | undefined {
  if (!(error instanceof vscode.LanguageModelError)) return undefined;
  switch (error.code) {
    case 'NoPermissions':
      return new ModelRunError(
        vscode.l10n.t(
          'Skill Composer is not allowed to use {0}. Run the tests again and allow it in the dialog of the editor.',
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
      return new ModelRunError(
        vscode.l10n.t('{0} is no longer available. Run the tests again with another model.', model),
      );
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
    return { by: 'editor', text: `The tool failed: ${errorMessage(error)}` };
  }
}

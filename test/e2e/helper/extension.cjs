/**
 * Another extension that tests need: a language model, whose answers depend on words of the prompt; a tool that a model
 * may call; a command that calls a tool, as an agent does; and a command that runs the tests in the extension host.
 */
const { renameSync, writeFileSync } = require('node:fs');
const vscode = require('vscode');

/** @typedef {{ text: string } | { call: string, input: object }} Reply */

/**
 * @param {string} prompt the first message
 * @param {boolean} isAnswered whether a tool has answered
 * @param {vscode.CancellationToken} token
 * @returns {Promise<Reply>}
 */
async function replyTo(prompt, isAnswered, token) {
  if (prompt.startsWith('Choose a skill')) return { text: '`greet-people`' };
  if (prompt.startsWith('Judge the text')) return { text: 'HOLDS. It is about the gate.' };
  if (prompt.includes('Greet Ada.')) return { text: 'Hello, Ada.' };
  if (prompt.includes('page: rude')) return { text: '{"held": "never"}' };
  if (prompt.includes('page: crowded')) throw vscode.LanguageModelError.Blocked('Come back tomorrow.');
  if (prompt.includes('page: slow')) {
    await new Promise((resolve) => token.onCancellationRequested(resolve));
    return { text: 'too late' };
  }
  if (isAnswered) return { text: '{"held": true}' };
  if (prompt.includes('page: notes')) return { call: 'search_notes', input: { query: 'gate' } };
  return { call: 'read_page', input: { page: 'north' } };
}

/**
 * @param {readonly { content: readonly unknown[] | string }[]} messages
 * @param {vscode.CancellationToken} token
 */
async function partFor(messages, token) {
  const parts = messages.flatMap(({ content }) => (typeof content === 'string' ? [content] : content));
  const [first] = parts;
  const prompt = first instanceof vscode.LanguageModelTextPart ? first.value : String(first);
  const isAnswered = parts.some(
    (part) => typeof part === 'object' && part !== null && 'callId' in part && 'content' in part,
  );
  const reply = await replyTo(prompt, isAnswered, token);
  return 'text' in reply
    ? new vscode.LanguageModelTextPart(reply.text)
    : new vscode.LanguageModelToolCallPart('call-1', reply.call, reply.input);
}

const about = { name: 'Scripted', family: 'scripted', version: '1', maxInputTokens: 100_000, maxOutputTokens: 10_000 };
const tokensOf = async (/** @type {unknown} */ text) => Math.ceil(String(text).length / 4);

/** Shows in an editor the result that another extension gets from a tool of Skill Composer. */
async function callSkillCheck() {
  const call = { input: { skill: 'read-page' }, toolInvocationToken: undefined };
  const said = await vscode.lm.invokeTool('skill_check', call).then(
    ({ content }) => `Answer: ${JSON.stringify(content)}`,
    (error) => `Refused: ${error.message}`,
  );
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: said }));
}

/** Runs the suite named by `$SKILL_COMPOSER_E2E`. */
async function runInside() {
  const { bundle, results } = JSON.parse(process.env.SKILL_COMPOSER_E2E ?? '{}');
  let outcome;
  try {
    outcome = { results: await require(bundle).runAll() };
  } catch (error) {
    outcome = { error: error instanceof Error ? error.stack : String(error) };
  }
  // The results file is renamed, so that it appears complete.
  writeFileSync(`${results}.partial`, JSON.stringify(outcome));
  renameSync(`${results}.partial`, results);
}

exports.activate = (/** @type {vscode.ExtensionContext} */ context) => {
  /** @type {any} */
  const lm = vscode.lm;
  const answer = async () =>
    new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart('The notes say so.')]);
  context.subscriptions.push(
    vscode.lm.registerTool('search_notes', { invoke: answer }),
    vscode.commands.registerCommand('tests.callSkillCheck', callSkillCheck),
    vscode.commands.registerCommand('tests.runInside', runInside),
    lm.registerLanguageModelChatProvider
      ? lm.registerLanguageModelChatProvider('scripted', {
          provideLanguageModelChatInformation: async () => [
            {
              ...about,
              id: 'scripted',
              capabilities: { toolCalling: true },
              isUserSelectable: true,
              requiresAuthorization: { label: 'scripted' },
            },
          ],
          provideLanguageModelChatResponse: async (
            /** @type {any} */ _model,
            /** @type {any} */ messages,
            /** @type {any} */ _options,
            /** @type {any} */ progress,
            /** @type {vscode.CancellationToken} */ token,
          ) => progress.report(await partFor(messages, token)),
          provideTokenCount: (/** @type {any} */ _model, /** @type {any} */ text) => tokensOf(text),
        })
      : // The oldest VS Code has it as a proposal, in another shape.
        lm.registerChatModelProvider(
          'scripted',
          {
            provideLanguageModelResponse: async (
              /** @type {any} */ messages,
              /** @type {any} */ _options,
              /** @type {any} */ _extension,
              /** @type {any} */ progress,
              /** @type {vscode.CancellationToken} */ token,
            ) => progress.report({ index: 0, part: await partFor(messages, token) }),
            provideTokenCount: tokensOf,
          },
          {
            ...about,
            vendor: 'scripted',
            auth: { label: 'scripted' },
            isUserSelectable: true,
            capabilities: { toolCalling: true },
          },
        ),
  );
};

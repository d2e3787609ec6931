/** The extension in a browser: the language server is a web worker. */
import { type ExtensionContext, Uri } from 'vscode';
import { activateIn } from './extension.ts';

export async function activate(context: ExtensionContext): Promise<void> {
  const addressOf = (file: string): string => Uri.joinPath(context.extensionUri, 'dist', file).toString(true);
  const script = addressOf('server.js');
  const composeWorker = addressOf('compose-worker.js');
  await activateIn(context, async (options) => {
    const { LanguageClient } = await import('vscode-languageclient/browser');
    const initializationOptions = { ...options.initializationOptions, composeWorker };
    const withWorker = { ...options, initializationOptions };
    return new LanguageClient('skillComposer', 'Skill Composer', async () => new Worker(script), withWorker);
  });
}

/** The extension in a browser without any machine behind it: the language server is a web worker. */
import { type ExtensionContext, Uri } from 'vscode';
import { LanguageClient } from 'vscode-languageclient/browser';
import { activateIn } from './extension.ts';

export async function activate(context: ExtensionContext): Promise<void> {
  const script = Uri.joinPath(context.extensionUri, 'dist', 'server.browser.js').toString(true);
  await activateIn(
    context,
    (options) => new LanguageClient('skillComposer', 'Skill Composer', async () => new Worker(script), options),
  );
}

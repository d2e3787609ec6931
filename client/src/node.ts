/** The extension on a desktop or a remote machine: the language server is a process beside the extension host. */
import type { ExtensionContext } from 'vscode';
import { LanguageClient, TransportKind } from 'vscode-languageclient/node';
import { activateIn } from './extension.ts';

export async function activate(context: ExtensionContext): Promise<void> {
  const module = context.asAbsolutePath('dist/server.js');
  const run = { module, transport: TransportKind.ipc };
  const debug = { ...run, options: { execArgv: ['--nolazy', '--inspect=6009', '--enable-source-maps'] } };
  await activateIn(
    context,
    (options) => new LanguageClient('skillComposer', 'Skill Composer', { run, debug }, options),
  );
}

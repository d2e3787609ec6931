/** The extension on a desktop or a remote machine: the language server is a process beside the extension host. */
import type { ExtensionContext } from 'vscode';
import { activateIn } from './extension.ts';

export async function activate(context: ExtensionContext): Promise<void> {
  const module = context.asAbsolutePath('dist/server.js');
  await activateIn(context, async (options) => {
    const { LanguageClient, TransportKind } = await import('vscode-languageclient/node');
    const run = { module, transport: TransportKind.ipc };
    const debug = { ...run, options: { execArgv: ['--nolazy', '--inspect=6009', '--enable-source-maps'] } };
    return new LanguageClient('skillComposer', 'Skill Composer', { run, debug }, options);
  });
}

/** The extension in Node, on a desktop or a remote machine: the language server is a separate process. */
import type { ExtensionContext } from 'vscode';
import { offerAuthoringServer } from './agents/authoring-server.ts';
import { activateIn, type Host } from './extension.ts';

export async function activate(context: ExtensionContext): Promise<void> {
  const module = context.asAbsolutePath('dist/server.js');
  context.subscriptions.push(offerAuthoringServer(context, process.execPath));
  const makeClient: Host['makeClient'] = async (options) => {
    const { ErrorAction, LanguageClient, TransportKind } = await import('vscode-languageclient/node');
    class Client extends LanguageClient {
      /**
       * Ignores errors when a message is sent to a process that has just ended. The closed connection restarts the
       * server.
       */
      override createDefaultErrorHandler(most?: number) {
        const usual = super.createDefaultErrorHandler(most);
        return { error: () => ({ action: ErrorAction.Continue, handled: true }), closed: () => usual.closed() };
      }
    }
    const run = { module, transport: TransportKind.ipc };
    // `debug` is used when the extension host itself is debugged; `.vscode/launch.json` attaches to this port.
    const debug = { ...run, options: { execArgv: ['--nolazy', '--inspect=6009', '--enable-source-maps'] } };
    return new Client('skillComposer', 'Skill Composer', { run, debug }, options);
  };
  await activateIn(context, {
    makeClient,
    serverPathFor: ({ scheme, fsPath }) => (scheme === 'file' ? fsPath : undefined),
  });
}

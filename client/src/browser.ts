/** The extension in a browser: the language server is a web worker. */
import { type ExtensionContext, Uri, workspace } from 'vscode';
import { activateIn, type Host } from './extension.ts';

export async function activate(context: ExtensionContext): Promise<void> {
  const addressOf = (file: string) => scriptAddress(Uri.joinPath(context.extensionUri, 'dist', file));
  const makeClient: Host['makeClient'] = async (options) => {
    const [library, script, coreScript, composeWorker, runScript] = await Promise.all([
      import('vscode-languageclient/browser'),
      addressOf('server.js'),
      addressOf('core.js'),
      addressOf('compose-worker.js'),
      addressOf('run.js'),
    ]);
    const { BaseLanguageClient, BrowserMessageReader, BrowserMessageWriter } = library;
    class Client extends BaseLanguageClient {
      #worker: Worker | undefined;

      /**
       * Creates the worker here, because the library checks `instanceof Worker`. The `instanceof` check fails in an
       * extension host, where `Worker` is a function of the editor.
       */
      protected override async createMessageTransports() {
        this.#worker?.terminate();
        this.#worker = new Worker(script);
        return { reader: new BrowserMessageReader(this.#worker), writer: new BrowserMessageWriter(this.#worker) };
      }

      /** Terminates the worker, which the library leaves running. */
      override async dispose(timeout?: number): Promise<void> {
        await super.dispose(timeout).finally(() => this.#worker?.terminate());
      }
    }
    const initializationOptions = { ...options.initializationOptions, coreScript, composeWorker, runScript };
    return new Client('skillComposer', 'Skill Composer', { ...options, initializationOptions });
  };
  await activateIn(context, { makeClient, serverPathFor: (uri) => uri.toString() });
}

/**
 * Returns the address from which a worker loads the script. A script that has no HTTP address is copied into a blob.
 */
async function scriptAddress(script: Uri): Promise<string> {
  if (/^https?$/.test(script.scheme)) return script.toString(true);
  const text = await workspace.fs.readFile(script);
  return URL.createObjectURL(new Blob([new Uint8Array(text)], { type: 'text/javascript' }));
}

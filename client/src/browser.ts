/** The extension in a browser: the language server is a web worker. */
import { type ExtensionContext, Uri, workspace } from 'vscode';
import { activateIn, type Host } from './extension.ts';

export async function activate(context: ExtensionContext): Promise<void> {
  const addressOf = (file: string) => scriptAddress(Uri.joinPath(context.extensionUri, 'dist', file));
  const makeClient: Host['makeClient'] = async (options) => {
    const [library, script, coreScript, composeWorker] = await Promise.all([
      import('vscode-languageclient/browser'),
      addressOf('server.js'),
      addressOf('core.js'),
      addressOf('compose-worker.js'),
    ]);
    const { BaseLanguageClient, BrowserMessageReader, BrowserMessageWriter } = library;
    class Client extends BaseLanguageClient {
      #worker: Worker | undefined;

      /** The library would refuse the worker: in an extension host, `Worker` is a function of the editor. */
      protected override async createMessageTransports() {
        this.#worker?.terminate();
        this.#worker = new Worker(script);
        return { reader: new BrowserMessageReader(this.#worker), writer: new BrowserMessageWriter(this.#worker) };
      }

      /** The library leaves the worker running. */
      override async dispose(timeout?: number): Promise<void> {
        await super.dispose(timeout).finally(() => this.#worker?.terminate());
      }
    }
    const initializationOptions = { ...options.initializationOptions, coreScript, composeWorker };
    return new Client('skillComposer', 'Skill Composer', { ...options, initializationOptions });
  };
  await activateIn(context, { makeClient, wordFor: (uri) => uri.toString() });
}

/** Where a worker starts the script from: the editor starts none from what lies on a remote machine. */
async function scriptAddress(script: Uri): Promise<string> {
  if (/^https?$/.test(script.scheme)) return script.toString(true);
  const text = await workspace.fs.readFile(script);
  return URL.createObjectURL(new Blob([new Uint8Array(text)], { type: 'text/javascript' }));
}

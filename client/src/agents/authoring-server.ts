/** Provides an authoring MCP server for each workspace folder to the editor's agents. */
import * as vscode from 'vscode';

/** The ID of the contribution in `package.json`. */
const ID = 'skillComposer.authoring';

interface Definition {
  readonly label: string;
}

/** The API of VS Code 1.101, which the installed type declarations do not contain. */
interface McpApi {
  readonly lm: {
    registerMcpServerDefinitionProvider(
      id: string,
      provider: {
        readonly onDidChangeMcpServerDefinitions: vscode.Event<void>;
        provideMcpServerDefinitions(): readonly Definition[];
      },
    ): vscode.Disposable;
  };
  readonly McpStdioServerDefinition: new (
    label: string,
    command: string,
    args: readonly string[],
    env: Readonly<Record<string, string>>,
    version: string,
  ) => Definition;
}

/**
 * Registers the server. `node` is the path of a program that runs Node scripts, such as Electron with
 * `ELECTRON_RUN_AS_NODE`.
 */
export function offerAuthoringServer(context: vscode.ExtensionContext, node: string): vscode.Disposable {
  const newer = vscode as unknown as McpApi;
  const changed = new vscode.EventEmitter<void>();
  const { version } = context.extension.packageJSON as { readonly version: string };
  const script = context.asAbsolutePath('dist/cli.cjs');
  const definitions = (): readonly Definition[] => {
    const folders = vscode.workspace.workspaceFolders?.filter(({ uri }) => uri.scheme === 'file') ?? [];
    if (!vscode.workspace.isTrusted) return [];
    return folders.map(({ name, uri }) => {
      const label = folders.length > 1 ? `Skill Composer: ${name}` : 'Skill Composer';
      const args = [script, 'mcp', '--root', uri.fsPath];
      return new newer.McpStdioServerDefinition(label, node, args, { ELECTRON_RUN_AS_NODE: '1' }, version);
    });
  };
  const listeners = [
    vscode.workspace.onDidGrantWorkspaceTrust(() => changed.fire()),
    vscode.workspace.onDidChangeWorkspaceFolders(() => changed.fire()),
  ];
  try {
    const provider = { onDidChangeMcpServerDefinitions: changed.event, provideMcpServerDefinitions: definitions };
    listeners.push(newer.lm.registerMcpServerDefinitionProvider(ID, provider));
  } catch {
    // In VS Code 1.100, the function uses another contribution point and therefore rejects the ID.
  }
  return vscode.Disposable.from(changed, ...listeners);
}

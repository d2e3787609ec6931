/** Offers the authoring server to the editor's own agents, for each folder of the workspace. */
import * as vscode from 'vscode';

/** As `package.json` contributes it. */
const ID = 'skillComposer.authoring';

interface Definition {
  readonly label: string;
}

/** What VS Code has since 1.101; the API that we are checked against does not know it. */
interface Newer {
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

/** `node` runs scripts of Node: a desktop's own program does so where it is told to. */
export function offerAuthoringServer(context: vscode.ExtensionContext, node: string): vscode.Disposable {
  const newer = vscode as unknown as Newer;
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
    // VS Code 1.100 has the function under another contribution point, and refuses ours.
  }
  return vscode.Disposable.from(changed, ...listeners);
}

/** The composition graph of a window: the commands that open it, and how a reload brings it back. */
import * as vscode from 'vscode';
import { SECTION } from '../../../../server/src/protocol.ts';
import { isSkill } from '../../language-server/served-files.ts';
import type { SkillServer } from '../../language-server/skill-server.ts';
import { pageOptions, pageShell } from '../page-shell.ts';
import { isGraphState } from './messages.ts';
import { createGraphPanel, type GraphPanel } from './panel.ts';

const viewType = `${SECTION}.graph`;

export function serveGraphs(
  context: vscode.ExtensionContext,
  server: SkillServer,
  log: vscode.LogOutputChannel,
): vscode.Disposable {
  let current: GraphPanel | undefined;

  const adopt = (panel: vscode.WebviewPanel, scope: string | null): void => {
    const made = createGraphPanel(panel, scope, server, log);
    current = made;
    panel.onDidDispose(() => {
      if (current === made) current = undefined;
    });
    made.setActive(activeSkill()?.toString() ?? null);
    panel.webview.html = pageShell(panel.webview, context, 'graph');
  };
  const open = (scope: string | null): void => {
    if (current) {
      current.show(scope);
      current.panel.reveal();
      return;
    }
    const title = vscode.l10n.t('Composition Graph');
    adopt(vscode.window.createWebviewPanel(viewType, title, vscode.ViewColumn.Active, pageOptions(context)), scope);
  };

  return vscode.Disposable.from(
    vscode.window.registerWebviewPanelSerializer(viewType, {
      deserializeWebviewPanel: async (panel, state: unknown) => {
        panel.webview.options = pageOptions(context);
        adopt(panel, isGraphState(state) ? state.scope : null);
      },
    }),
    vscode.commands.registerCommand(`${SECTION}.showGraph`, () => open(null)),
    vscode.commands.registerCommand(`${SECTION}.showSkillGraph`, (target?: unknown) =>
      open((skillOf(target) ?? activeSkill())?.toString() ?? null),
    ),
    vscode.window.onDidChangeActiveTextEditor((editor) => {
      // A click into the panel leaves no editor active, and the file still the author's.
      if (editor) current?.setActive(activeSkill()?.toString() ?? null);
    }),
  );
}

/** A command comes with nothing, with a file from a menu, or with an item of the tree. */
function skillOf(target: unknown): vscode.Uri | undefined {
  if (target instanceof vscode.Uri) return target;
  const { uri } = (target ?? {}) as { readonly uri?: unknown };
  return typeof uri === 'string' ? vscode.Uri.parse(uri) : undefined;
}

function activeSkill(): vscode.Uri | undefined {
  const document = vscode.window.activeTextEditor?.document;
  return document && isSkill(document) ? document.uri : undefined;
}

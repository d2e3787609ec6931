/** The commands that open the composition graph of a window, and its restoration after a reload. */
import * as vscode from 'vscode';
import { SECTION } from '../../../../server/src/protocol.ts';
import { activeSkill } from '../../language-server/served-files.ts';
import type { SkillServer } from '../../language-server/skill-server.ts';
import { skillOf } from '../command-target.ts';
import { STATE_VERSIONS, savedState } from '../kit/saved-state.ts';
import { pageOptions, pageShell } from '../page-shell.ts';
import type { GraphState } from './messages.ts';
import { createGraphPanel, type GraphPanel } from './panel.ts';

const viewType = `${SECTION}.graph`;

export function serveGraphs(
  context: vscode.ExtensionContext,
  server: SkillServer,
  log: vscode.LogOutputChannel,
): vscode.Disposable {
  let current: GraphPanel | undefined;

  const register = (panel: vscode.WebviewPanel, scope: string | null): void => {
    const created = createGraphPanel(panel, scope, server, log);
    current = created;
    panel.onDidDispose(() => {
      if (current === created) current = undefined;
    });
    created.setActive(activeSkill()?.uri.toString() ?? null);
    panel.webview.html = pageShell(panel.webview, context, 'graph');
  };
  const open = (scope: string | null): void => {
    if (current) {
      current.show(scope);
      current.panel.reveal();
      return;
    }
    const title = vscode.l10n.t('Composition Graph');
    register(vscode.window.createWebviewPanel(viewType, title, vscode.ViewColumn.Active, pageOptions(context)), scope);
  };

  return vscode.Disposable.from(
    vscode.window.registerWebviewPanelSerializer(viewType, {
      deserializeWebviewPanel: async (panel, state: unknown) => {
        panel.webview.options = pageOptions(context);
        const scope: unknown = savedState<GraphState>(state, STATE_VERSIONS.graph)?.scope;
        register(panel, typeof scope === 'string' ? scope : null);
      },
    }),
    vscode.commands.registerCommand(`${SECTION}.showGraph`, () => open(null)),
    vscode.commands.registerCommand(`${SECTION}.showSkillGraph`, (target?: unknown) =>
      open((skillOf(target) ?? activeSkill()?.uri)?.toString() ?? null),
    ),
    vscode.window.onDidChangeActiveTextEditor((editor) => {
      // While the panel has the focus, no editor is active; the last skill stays active.
      if (editor) current?.setActive(activeSkill()?.uri.toString() ?? null);
    }),
  );
}

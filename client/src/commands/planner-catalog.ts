/** “Skill: Show Planner Catalog”: a read-only document of what a planner is told, which follows what is typed. */
import * as vscode from 'vscode';
import { SECTION } from '../../../server/src/protocol.ts';
import { coalesce } from '../coalesce.ts';
import { errorMessage } from '../error-message.ts';
import type { SkillServer } from '../language-server/skill-server.ts';

const SCHEME = 'skill-catalog';

export function servePlannerCatalog(server: SkillServer): vscode.Disposable {
  const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${vscode.l10n.t('Planner catalog')}.md` });
  const changed = new vscode.EventEmitter<vscode.Uri>();
  let text = '';
  const load = async (): Promise<void> => {
    text = await server.plannerCatalog().then((reply) => reply?.text ?? text, errorMessage);
  };
  const isShown = (): boolean => vscode.workspace.textDocuments.some((document) => document.uri.scheme === SCHEME);
  const follow = coalesce(async () => {
    if (!isShown()) return;
    const before = text;
    await load();
    if (text !== before) changed.fire(uri);
  });
  return vscode.Disposable.from(
    changed,
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      onDidChange: changed.event,
      provideTextDocumentContent: () => text,
    }),
    server.onTextSent(follow),
    server.onComposableChanged(follow),
    vscode.commands.registerCommand(`${SECTION}.showPlannerCatalog`, async () => {
      await load();
      changed.fire(uri);
      await vscode.window.showTextDocument(uri, { preview: true, viewColumn: vscode.ViewColumn.Beside });
    }),
  );
}

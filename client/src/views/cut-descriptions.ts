/** Fades the part of a `SKILL.md` description that a target client does not show to its model. */
import * as vscode from 'vscode';
import type { ClientsReply } from '../../../server/src/protocol.ts';
import type { SkillServer } from '../language-server/skill-server.ts';
import { hasWorkspaceScheme, rangeOf } from '../locations.ts';
import { coalesce, debounce } from '../panels/kit/schedule.ts';
import { errorMessage } from '../plain-message.ts';
import { cutsOf } from './cuts.ts';

/** The pause in typing before the request, so that the server first handles other requests about an edit. */
const REST_MILLISECONDS = 400;

export function fadeCutDescriptions(server: SkillServer, log: vscode.LogOutputChannel): vscode.Disposable {
  const faded = vscode.window.createTextEditorDecorationType({
    opacity: '0.55',
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  const fade = async (editor: vscode.TextEditor): Promise<void> => {
    const { document } = editor;
    const { version } = document;
    // The request fails while no server runs.
    const reply = await server.clients(document.uri.toString()).catch(() => null);
    if (reply === undefined) updateSoon();
    else if (document.version === version) editor.setDecorations(faded, reply ? decorationsOf(reply) : []);
  };
  const fail = (error: unknown): void => log.debug(`cut descriptions: ${errorMessage(error)}`);
  const update = coalesce(async () => {
    await Promise.all(vscode.window.visibleTextEditors.filter(showsAgentSkill).map(fade));
  }, fail);
  const updateSoon = debounce(update, REST_MILLISECONDS);
  update();
  return vscode.Disposable.from(
    faded,
    vscode.window.onDidChangeVisibleTextEditors(update),
    server.onTextSent((uri) => {
      if (isAgentSkill(uri)) updateSoon();
    }),
    server.onComposableChanged(updateSoon),
  );
}

const isAgentSkill = (uri: vscode.Uri): boolean => uri.path.endsWith('/SKILL.md') && hasWorkspaceScheme(uri);

const showsAgentSkill = ({ document }: vscode.TextEditor): boolean => isAgentSkill(document.uri);

const decorationsOf = (reply: ClientsReply): vscode.DecorationOptions[] =>
  cutsOf(reply).map(({ range, names }) => ({
    range: rangeOf(range),
    hoverMessage: vscode.l10n.t('The models of these clients do not see this part: {0}', names.join(', ')),
  }));

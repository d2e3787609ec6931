/** What the page is told of a `SKILL.md` beside its prompt: what clients make of it, and what its folder is able to do. */
import * as vscode from 'vscode';
import type { AbilitiesReply, ClientsReply } from '../../../../server/src/protocol.ts';
import { coalesce } from '../../coalesce.ts';
import type { SkillServer } from '../../language-server/skill-server.ts';
import type { ToPage } from './messages.ts';

export interface Asides extends vscode.Disposable {
  readonly sendClients: () => void;
  readonly sendAbilities: () => void;
  /** All that the page was told of the shown skill. */
  readonly told: () => readonly unknown[];
  /** Another skill is shown. */
  readonly forget: () => void;
}

/** `shown` is the URI of the skill that is shown. */
export function createAsides(
  { clients: askClients, abilities: askAbilities }: Pick<SkillServer, 'clients' | 'abilities'>,
  shown: () => string | undefined,
  post: (message: ToPage) => void,
  fail: (error: unknown) => void,
): Asides {
  let clients: ClientsReply | undefined;
  let abilities: AbilitiesReply | undefined;
  const sending = (send: (uri: string) => Promise<void>) =>
    coalesce(async () => {
      const uri = shown();
      if (uri !== undefined) await send(uri).catch(fail);
    });
  const sendClients = sending(async (uri) => {
    let view: ClientsReply | null | undefined;
    // Undefined where something has changed since it was asked for.
    while (view === undefined && shown() === uri) view = await askClients({ uri });
    if (!view || shown() !== uri) return;
    clients = view;
    post({ type: 'clients', view });
  });
  const sendAbilities = sending(async (uri) => {
    const view = await askAbilities({ uri });
    if (!view || shown() !== uri) return;
    abilities = view;
    post({ type: 'abilities', view });
  });
  // The server watches no scripts.
  const saves = vscode.workspace.onDidSaveTextDocument(({ uri }) => {
    if (abilities && uri.toString().startsWith(abilities.uri.replace(/[^/]*$/, ''))) sendAbilities();
  });
  return {
    sendClients,
    sendAbilities,
    told: () => [clients, abilities],
    forget: () => {
      clients = undefined;
      abilities = undefined;
    },
    dispose: () => saves.dispose(),
  };
}

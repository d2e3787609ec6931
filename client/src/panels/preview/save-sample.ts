/** “Save as sample”: applies the server's edits to the open document as one undo step, without saving the document. */
import * as vscode from 'vscode';
import { type Invocation, SaveSampleRequest } from '../../../../server/src/protocol.ts';
import type { SkillServer } from '../../language-server/skill-server.ts';
import { rangeOf } from '../../locations.ts';
import { plainMessage } from '../../plain-message.ts';

/** The name of the sample, or the reason why it was refused; undefined if the user cancelled. */
export type Saved = { readonly name: string } | { readonly problem: string } | undefined;

/** Saves a sample. Asks for a name if `name` is empty. */
export async function saveSample(
  server: SkillServer,
  uri: string,
  name: string,
  invocation: Invocation,
): Promise<Saved> {
  const chosen = name.trim() === '' ? await askForName(server, uri, invocation) : name;
  if (chosen === undefined) return undefined;
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
  // If the edits are for an older version of the document, request them again.
  for (let attempt = 0; attempt < 5; attempt++) {
    const reply = await server.send(SaveSampleRequest, { uri, name: chosen, invocation });
    if ('problem' in reply) return reply;
    if (reply.version !== null && reply.version !== document.version) continue;
    const edit = new vscode.WorkspaceEdit();
    edit.set(
      document.uri,
      reply.edits.map(({ range, newText }) => new vscode.TextEdit(rangeOf(range), newText)),
    );
    if (await vscode.workspace.applyEdit(edit)) return { name: chosen };
  }
  return { problem: vscode.l10n.t('The file changed while the sample was being saved. Save the sample again.') };
}

function askForName(server: SkillServer, uri: string, invocation: Invocation): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: vscode.l10n.t('Save as Sample'),
    prompt: vscode.l10n.t(
      'Name of the sample, for example “siege at dusk”. An existing sample with this name is replaced.',
    ),
    ignoreFocusOut: true,
    validateInput: async (name) => {
      if (name === '') return undefined;
      const reply = await server.send(SaveSampleRequest, { uri, name, invocation });
      return 'problem' in reply ? plainMessage(reply.problem) : undefined;
    },
  });
}

// Saves the graph as an image.

/** Asks for a file, and saves the image there. `data` is the text of an SVG, or a PNG in base64. */
export async function saveImage(skill: string, format: 'svg' | 'png', data: string): Promise<void> {
  const target = await vscode.window.showSaveDialog({
    defaultUri: vscode.Uri.joinPath(vscode.Uri.parse(skill), '..', `${nameOf(skill)}.${format}`),
    filters: format === 'svg' ? { [vscode.l10n.t('SVG image')]: ['svg'] } : { [vscode.l10n.t('PNG image')]: ['png'] },
    title: vscode.l10n.t('Export the Graph'),
  });
  if (target === undefined) return;
  const bytes =
    format === 'svg'
      ? new TextEncoder().encode(data)
      : Uint8Array.from(atob(data.replace(/^data:image\/png;base64,/, '')), (letter) => letter.charCodeAt(0));
  await vscode.workspace.fs.writeFile(target, bytes);
}

const nameOf = (uri: string): string =>
  vscode.Uri.parse(uri)
    .path.replace(/^.*\//, '')
    .replace(/(\.skill)?\.(md|ya?ml)$/, '');

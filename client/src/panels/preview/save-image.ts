/** Saves the graph as an image. */
import * as vscode from 'vscode';

/** Asks where to save; `data` is the text of an SVG, or a PNG in base64. */
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

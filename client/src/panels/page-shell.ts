/** The HTML of a panel's page: its script, its style sheet and its content security policy. */
import * as vscode from 'vscode';
import { contentPolicy, textsBlock } from './kit/page-head.ts';

/** Returns options that allow a webview to load only files in `dist`, and do not allow its links to run commands. */
export const pageOptions = ({ extensionUri }: vscode.ExtensionContext): vscode.WebviewOptions => ({
  enableScripts: true,
  enableCommandUris: false,
  enableForms: false,
  localResourceRoots: [vscode.Uri.joinPath(extensionUri, 'dist')],
});

type Page = 'preview' | 'graph' | 'import';

/** Returns the HTML of a page. `page` is the name of the script and the style sheet in `dist`. */
export function pageShell(webview: vscode.Webview, { extensionUri }: vscode.ExtensionContext, page: Page): string {
  const address = (file: string) => webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', file)).toString();
  const nonce = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
  const policy = contentPolicy(nonce, webview.cspSource);
  return `<!DOCTYPE html>
<html lang="${vscode.l10n.bundle ? vscode.env.language : 'en'}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${address(`${page}.css`)}">
<title>${titleOf(page)}</title>
</head>
<body>
${textsBlock(vscode.l10n.bundle)}<script nonce="${nonce}" src="${address(`${page}.js`)}"></script>
</body>
</html>`;
}

function titleOf(page: Page): string {
  if (page === 'import') return vscode.l10n.t('Import Skills');
  return page === 'graph' ? vscode.l10n.t('Composition Graph') : vscode.l10n.t('Preview');
}

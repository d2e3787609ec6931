/**
 * Serves a VS Code that consists only of files on a web server, like vscode.dev: without a remote machine, and with
 * extensions in a worker of the browser. The files come from code-server and are patched so that they do not connect to
 * a server.
 */
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, extname, join, normalize, resolve, sep } from 'node:path';
import { Plain } from './say.mjs';

const types = /** @type {Readonly<Record<string, string>>} */ ({
  '.cjs': 'text/javascript',
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
});

const WORKBENCH = 'out/vs/code/browser/workbench/workbench';

/**
 * @typedef {object} Serverless
 * @property {(folder: string) => string} address the page of a folder, which is the URI of a workspace
 * @property {() => Promise<void>} stop
 */

/**
 * @param {{main: string}} host
 * @param {{extensions: readonly string[], texts?: Readonly<Record<string, string>>, settings?: object}} options
 *   `extensions` are folders, served as `/extension-N/`; `texts` are files in memory, by their served path
 * @returns {Promise<Serverless>}
 */
export async function serveWithoutServer(host, options) {
  const program = join(dirname(host.main), '..');
  const workbench = withoutRemote(readFileSync(join(program, `${WORKBENCH}.js`), 'utf8'));
  /** @type {readonly (readonly [string, string])[]} path prefixes, and the folders that they refer to */
  const folders = [
    ['/program/', program],
    ...options.extensions.map((folder, at) => /** @type {const} */ ([`/extension-${at}/`, folder])),
  ];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname);
    const port = /** @type {import('node:net').AddressInfo} */ (server.address()).port;
    const send = (/** @type {string} */ type, /** @type {string} */ text) =>
      response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(text);
    if (path === '/') return send('text/html', pageOf(port, options));
    if (path === `/program/${WORKBENCH}.js`) return send('text/javascript', workbench);
    const text = options.texts?.[path];
    if (text !== undefined) return send(types[extname(path)] ?? 'text/plain', text);
    const [beginning, folder] = folders.find(([start]) => path.startsWith(start)) ?? [];
    const file = folder && join(folder, normalize(path.slice(beginning?.length)));
    if (!file?.startsWith(`${resolve(folder ?? '')}${sep}`) || !statSync(file, { throwIfNoEntry: false })?.isFile()) {
      return response.writeHead(404).end();
    }
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' });
    return createReadStream(file).pipe(response);
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', () => ready(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    address: (folder) => `http://127.0.0.1:${port}/?${new URLSearchParams({ folder })}`,
    stop: () =>
      new Promise((done) => {
        server.close(() => done(undefined));
        server.closeAllConnections();
      }),
  };
}

/**
 * Returns the page's script, changed so that it does not connect to a remote machine.
 *
 * @param {string} script
 */
function withoutRemote(script) {
  const changed = script
    .replace('remoteAuthority:location.host', 'remoteAuthority:void 0')
    .replace(/(\(this\.userDataPath\)\.with\(\{scheme:)\w+\.vscodeRemote/, '$1"vscode-userdata"');
  if (!changed.includes('remoteAuthority:void 0') || !changed.includes('scheme:"vscode-userdata"}')) {
    throw new Plain("VS Code's page is another one than expected: it cannot be kept from looking for a server.");
  }
  return changed;
}

/**
 * @param {number} port
 * @param {{extensions: readonly string[], settings?: object}} options
 */
function pageOf(port, { extensions, settings }) {
  const authority = `127.0.0.1:${port}`;
  const configuration = {
    additionalBuiltinExtensions: extensions.map((_, at) => ({ scheme: 'http', authority, path: `/extension-${at}` })),
    configurationDefaults: settings ?? {},
    enableWorkspaceTrust: false,
    isEnabledCoderGettingStarted: false,
    isEnabledFileDownloads: true,
    isEnabledFileUploads: true,
    userDataPath: '/user',
    webviewEndpoint: `http://${authority}/program/out/vs/workbench/contrib/webview/browser/pre`,
  };
  const escaped = JSON.stringify(configuration).replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return `<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
<meta id="vscode-workbench-web-configuration" data-settings="${escaped}">
<link rel="stylesheet" href="/program/${WORKBENCH}.css">
</head>
<body aria-label="">
<script>globalThis._VSCODE_FILE_ROOT = new URL('/program/out/', location.href).href;</script>
<script type="module" src="/program/out/nls.messages.js"></script>
<script type="module" src="/program/${WORKBENCH}.js"></script>
</body>
</html>
`;
}

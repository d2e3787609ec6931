/** The built documentation site: its files, the text of its pages, and a server for a browser. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

/** The folder of the site. */
export const { SKILL_COMPOSER_SITE: FOLDER = '' } = process.env;

const { SKILL_COMPOSER_HOMEPAGE: address = '' } = process.env;

/** The address for which the site was built. */
export const HOMEPAGE = address;

/** The path below which the site is served, with a slash at both ends. */
export const BASE = `${new URL(HOMEPAGE).pathname}/`;

const filesOf = (folder: string, ending: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .map((file) => file.replaceAll('\\', '/'))
    .sort();

/** The HTML of each page, by its path below the folder of the site. */
export const html: ReadonlyMap<string, string> = new Map(
  filesOf(FOLDER, '.html').map((file) => [file, readFileSync(join(FOLDER, file), 'utf8')]),
);

export const styleSheets: readonly string[] = filesOf(FOLDER, '.css').map((file) =>
  readFileSync(join(FOLDER, file), 'utf8'),
);

/** The files of the manual that are pages of the site, relative to `docs`. */
export const sources: readonly string[] = filesOf('docs', '.md').filter((file) => !/^walkthrough\//.test(file));

/** Returns the file of the site that an address names, or undefined if it does not exist. */
export function fileAt(href: string): string | undefined {
  const { origin, pathname } = new URL(href, HOMEPAGE);
  if (origin !== new URL(HOMEPAGE).origin || !pathname.startsWith(BASE)) return undefined;
  const path = decodeURIComponent(pathname.slice(BASE.length));
  const file = path === '' || path.endsWith('/') ? `${path}index.html` : path;
  return existsSync(join(FOLDER, file)) ? file : undefined;
}

const ENTITIES = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['ZeroWidthSpace', ''],
]);

/** Returns the text of a piece of HTML. */
export const textOf = (piece: string): string =>
  piece
    .replace(/<!--[\s\S]*?-->|<[^>]*>/g, '')
    .replace(/&(\w+);/g, (all, name) => ENTITIES.get(name) ?? all)
    .replace(/&#(x?)([0-9a-f]+);/gi, (_, hex, digits) => String.fromCodePoint(Number.parseInt(digits, hex ? 16 : 10)));

/** Returns the values of an attribute in a page, in elements with one of these names. */
export const attributesIn = (page: string, elements: string, name: string): readonly string[] =>
  [...page.matchAll(new RegExp(`<(?:${elements})\\b[^>]*? ${name}="([^"]*)"`, 'g'))].map(([, value = '']) =>
    textOf(value),
  );

const TYPES = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript'],
  ['.css', 'text/css'],
  ['.png', 'image/png'],
]);

/** Serves the site on loopback, like a web server that serves only files. */
export async function serve(): Promise<{ readonly origin: string; readonly stop: () => void }> {
  const server = createServer(({ url = '' }, response) => {
    const file = fileAt(new URL(url, HOMEPAGE).href);
    if (file === undefined) return response.writeHead(404).end();
    const type = TYPES.get(extname(file)) ?? 'application/octet-stream';
    return response.writeHead(200, { 'content-type': type }).end(readFileSync(join(FOLDER, file)));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}

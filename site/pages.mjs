/** The pages of the manual as a site: their addresses, anchors and order. The tests use the same functions. */
import { posix } from 'node:path';

/**
 * Returns the anchor of a heading, as GitHub and the site generate it.
 *
 * @param {string} heading the text of the heading without Markdown
 */
export const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\s-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

/**
 * Returns the path of a page on the site.
 *
 * @param {string} file relative to `docs`, for example `rules/README.md`
 */
export const siteFileOf = (file) => file.replace(/(^|\/)README\.md$/, '$1index.md');

/** Returns whether the site also contains a file that is not a page, for other programs. */
export const isDownload = (/** @type {string} */ file) => /^[\w-]+\.json$/.test(file);

/**
 * Returns the target of a link on the site, or undefined if the site does not contain it.
 *
 * @param {string} href as written in the page
 * @param {string} page relative to `docs`
 * @param {string | undefined} files the start of the addresses of files in the repository
 */
export function targetOf(href, page, files) {
  if (/^[a-z][a-z+.-]*:|^#/i.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  const file = posix.join(posix.dirname(page), path);
  const suffix = anchor === undefined ? '' : `#${anchor}`;
  if (file.endsWith('.md') && !/^(?:\.\.\/|walkthrough\/)/.test(file)) return `/${siteFileOf(file)}${suffix}`;
  if (isDownload(file)) return `/${file}${suffix}`;
  return files ? `${files}/${posix.join('docs', file)}${suffix}` : undefined;
}

/**
 * Returns the groups of the sidebar: the sections of `docs/README.md`, with the pages that the tables link to.
 *
 * @param {string} manual the text of `docs/README.md`
 * @param {string} rules the text of `docs/rules/README.md`
 */
export function sidebarOf(manual, rules) {
  const pagesOfRules = [...rules.matchAll(/^\| \[`([\w-]+)`\]\(\1\.md\)/gm)].map(([, name = '']) => ({
    text: name,
    link: `/rules/${name}`,
  }));
  return manual
    .split(/^## /m)
    .slice(1)
    .flatMap((section) => {
      const links = [...section.matchAll(/^\|.*\| \[([^\]]+)\]\(([\w/-]+)\.md(?:#[\w-]*)?\) \|$/gm)];
      const items = new Map(
        links.map(([, text = '', page = '']) => {
          const item = { text: text.replaceAll('`', ''), link: `/${page.replace(/\bREADME$/, '')}` };
          return [page, page === 'rules/README' ? { ...item, collapsed: true, items: pagesOfRules } : item];
        }),
      );
      const text = section.split('\n', 1)[0]?.replaceAll('`', '') ?? '';
      return items.size === 0 ? [] : [{ text, items: [...items.values()] }];
    });
}

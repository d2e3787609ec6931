/** The documentation site. `npm run docs` builds it from the pages in `docs` (test/host/site.mjs). */
import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { anchorOf, isDownload, sidebarOf, siteFileOf, targetOf } from '../pages.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const read = (path) => readFileSync(join(root, path), 'utf8');
const grammar = (name, file, more) => ({ ...JSON.parse(read(`syntaxes/${file}.tmLanguage.json`)), name, ...more });

const { displayName } = JSON.parse(read('package.json'));
const { description } = JSON.parse(read('package.nls.json'));
const base = process.env.SKILL_COMPOSER_BASE ?? '/';
const ICON = 'skill-composer.png';
const { SKILL_COMPOSER_REPOSITORY: repository, SKILL_COMPOSER_FILES: files } = process.env;

/** The languages of the files in rule pages that are not languages of the highlighter. */
const LANGUAGES = new Map([
  ['baseline', 'json'],
  ['unreadable', 'text'],
]);

/** The containers of VitePress, such as `:::tip`. */
const CONTAINERS = ['tip', 'info', 'warning', 'danger', 'details', 'v-pre', 'raw', 'code-group'];

/** A line that marks a finding in the line above it. It is not part of the file. */
const MARKER = /^\s*\^+ [a-z]/;

/** Highlights files without their markers, and adds the markers again as lines that the copy button leaves out. */
const markers = {
  name: 'markers of findings',
  preprocess(code) {
    const lines = code.split('\n');
    this.meta.markers = lines.flatMap((text, at) => (MARKER.test(text) ? [{ at, text }] : []));
    return lines.filter((line) => !MARKER.test(line)).join('\n');
  },
  code(node) {
    const lines = node.children.filter(({ type }) => type === 'element');
    for (const { at, text } of this.meta.markers) {
      const properties = { class: 'line finding vp-copy-ignore' };
      lines.splice(at, 0, { type: 'element', tagName: 'span', properties, children: [{ type: 'text', value: text }] });
    }
    node.children = lines.flatMap((line, at) => (at === 0 ? [line] : [{ type: 'text', value: '\n' }, line]));
  },
};

/** An anchor in a row of a table, which is the only HTML in pages. */
const ANCHOR = /^(?:<a id="([\w-]+)">|<\/a>)$/;

/**
 * Makes a page plain Markdown, as on GitHub: no templates, HTML, attributes, containers or emoji codes.
 *
 * @param {import('markdown-it').default} md
 */
function plainMarkdown(md) {
  const { escapeHtml } = md.utils;
  md.core.ruler.disable('emoji', true);
  md.block.ruler.disable([...CONTAINERS.map((name) => `container_${name}`), 'snippet', 'toc'], true);
  const html = (tokens, at) => {
    const { content, meta } = tokens[at];
    // The links of headings are HTML of the generator.
    if (meta?.isPermalinkSymbol) return content;
    const [tag, id] = ANCHOR.exec(content) ?? [];
    if (tag !== undefined) return id === undefined ? '' : `<span id="${id}"></span>`;
    return /^<!--[\s\S]*-->\s*$/.test(content) ? '' : escapeHtml(content);
  };
  Object.assign(md.renderer.rules, { html_block: html, html_inline: html });
  md.core.ruler.push('links', ({ tokens, env }) => {
    for (const { children } of tokens) {
      const open = [];
      for (const token of children ?? []) {
        if (token.type === 'link_open') open.push(targetOf(token.attrGet('href'), env.relativePath ?? '', files));
        const target = open.at(-1);
        if (token.type === 'link_open' && target !== undefined) token.attrSet('href', target);
        if (token.type === 'link_close') open.pop();
        if (/^link_/.test(token.type) && target === undefined)
          Object.assign(token, { type: 'text', tag: '', content: '' });
      }
    }
  });
  const fence = md.renderer.rules.fence;
  md.renderer.rules.fence = (tokens, at, ...rest) => {
    // An indented block has no info.
    const [language = '', path] = tokens[at].info.trim().split(/\s+/);
    tokens[at].info = LANGUAGES.get(language) ?? (/^[\w-]+$/.test(language) ? language : 'text');
    const block = fence(tokens, at, ...rest);
    // A word without a dot names the block for a test.
    return path === undefined || !path.includes('.') ? block : `<p class="file-name">${escapeHtml(path)}</p>${block}`;
  };
  md.renderer.rules.code_block = md.renderer.rules.fence;
  const render = md.render;
  md.render = (text, env) => `<div v-pre>${render.call(md, text, env)}</div>`;
}

export default {
  ...{ base, title: displayName, description, lang: 'en' },
  head: [['link', { rel: 'icon', type: 'image/png', href: `${base}${ICON}` }]],
  ...{ srcDir: '../docs', srcExclude: ['walkthrough/**'], cacheDir: join(root, 'out', 'docs-cache') },
  rewrites: siteFileOf,
  buildEnd({ outDir }) {
    copyFileSync(join(root, 'client', 'icons', ICON), join(outDir, ICON));
    const downloads = readdirSync(join(root, 'docs')).filter(isDownload);
    for (const file of downloads) copyFileSync(join(root, 'docs', file), join(outDir, file));
  },
  vite: { build: { chunkSizeWarningLimit: 4000 } },
  markdown: {
    config: plainMarkdown,
    anchor: { slugify: anchorOf },
    attrs: { disable: true },
    gfmAlerts: false,
    theme: { light: 'light-plus', dark: 'dark-plus' },
    languages: [
      'markdown',
      'yaml',
      'json',
      grammar('minijinja', 'minijinja'),
      grammar('skillmd', 'skillmd', { aliases: ['skill'], embeddedLangs: ['markdown', 'yaml', 'json', 'minijinja'] }),
    ],
    codeTransformers: [markers],
  },
  themeConfig: {
    sidebar: sidebarOf(read('docs/README.md'), read('docs/rules/README.md')),
    outline: [2, 3],
    notFound: {
      title: 'This page does not exist',
      quote: 'Search for its words, or find the page for your task in the manual.',
      linkLabel: 'Open the manual',
      linkText: 'Open the manual',
    },
    search: { provider: 'local' },
    ...(repository && {
      nav: [{ text: 'Repository', link: repository }],
      editLink: { pattern: `${files}/docs/:path`, text: 'Source of this page' },
    }),
  },
};

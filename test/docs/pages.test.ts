/** The files of the built documentation site: links, anchors, and the text of its pages. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Nodes } from 'mdast';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { webPageOf } from '../../server/src/reports/rule-page.ts';
import { rules } from '../../server/src/rules/engine/index.ts';
import { schemaTexts } from '../../server/src/vocabulary/published/schemas.ts';
import { siteFileOf } from '../../site/pages.mjs';
import { anchorsIn } from '../core/anchors.ts';
import { attributesIn, FOLDER, fileAt, HOMEPAGE, html, sources, styleSheets, textOf } from './site.ts';

const pageOf = (source: string): string => html.get(siteFileOf(source).replace(/\.md$/, '.html')) ?? '';

/** The part of a page that comes from the Markdown. */
const contentOf = (page: string): string =>
  /<div style="position:relative;"[^>]*><div>([\s\S]*)<\/div><\/div><\/main>/.exec(page)?.[1] ?? '';

const idsOf = (page: string): ReadonlySet<string> => new Set(attributesIn(page, '\\w+', 'id'));

test('the site has a page for each page of the manual, a start page, and a page for unknown addresses', () => {
  const pages = sources.map((source) => siteFileOf(source).replace(/\.md$/, '.html'));
  assert.deepEqual([...html.keys()].sort(), [...pages, '404.html'].sort());
  assert.ok(sources.every((source) => contentOf(pageOf(source)) !== ''));
});

test('every link leads to an existing page and heading', () => {
  const broken = [...html].flatMap(([file, page]) =>
    attributesIn(page, 'a|link', 'href').flatMap((href) => {
      const { href: target, hash, origin } = new URL(href, `${HOMEPAGE}/${file}`);
      if (origin !== new URL(HOMEPAGE).origin) return /^https?:/.test(target) ? [] : [`${file}: ${href}`];
      const found = fileAt(target);
      const heading = decodeURIComponent(hash.slice(1));
      const leads = found && (heading === '' || idsOf(html.get(found) ?? '').has(heading));
      return leads ? [] : [`${file}: ${href}`];
    }),
  );
  assert.deepEqual(broken, []);
});

test('every heading has the anchor that it has on GitHub', () => {
  for (const source of sources) {
    const ids = idsOf(contentOf(pageOf(source)));
    const missing = anchorsIn(readFileSync(`docs/${source}`, 'utf8')).filter((anchor) => !ids.has(anchor));
    assert.deepEqual([source, missing], [source, []]);
  }
});

test('the site has every schema, and `clients.json` refers to its own', () => {
  const at = (path: string): string => readFileSync(join(FOLDER, fileAt(`${HOMEPAGE}/${path}`) ?? path), 'utf8');
  for (const [file, text] of schemaTexts()) assert.equal(at(`schemas/${file}`), text, file);
  const { $schema } = JSON.parse(at('clients.json'));
  assert.equal(fileAt(new URL($schema, `${HOMEPAGE}/clients.json`).href), 'schemas/clients.schema.json');
});

test('findings link to the page of their rule', () => {
  for (const { name } of rules) {
    const file = fileAt(webPageOf(name, HOMEPAGE) ?? '');
    assert.equal(file, `rules/${name}.html`);
    assert.match(html.get(file) ?? '', new RegExp(`<h1 id="${name}"`));
  }
});

test('pages load nothing from another host', () => {
  const own = ([file, page]: readonly [string, string]) =>
    [
      ...attributesIn(page, 'link', 'href'),
      ...attributesIn(page, 'script|img|source|iframe|video|audio|embed', 'src'),
    ].filter((address) => !fileAt(new URL(address, `${HOMEPAGE}/${file}`).href));
  assert.deepEqual([...html].flatMap(own), []);
  const fromStyles = styleSheets.flatMap((text) => text.match(/url\((?!["']?data:)[^)]*\)|@import[^;]*/g) ?? []);
  assert.deepEqual(fromStyles, []);
});

/** Yields the text of a page in the order in which it is shown, with the path of each code block before its text. */
function* shownIn(node: Nodes): Iterable<string> {
  if (node.type === 'code') yield `${node.meta?.split(/\s/, 1)[0] ?? ''}\n${node.value}`;
  else if (node.type === 'html') yield node.value.replace(/<!--[\s\S]*?-->|<\/?a\b[^>]*>/g, '');
  else if ('value' in node) yield node.value;
  if ('children' in node) for (const child of node.children) yield* shownIn(child);
}

/** The words of a text, with the braces of templates. */
const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}]+|[{}$]+/gu) ?? [];

/** Returns the text of the code blocks of a page of the site. */
const codeIn = (page: string): readonly string[] =>
  [...page.matchAll(/<pre\b[^>]*><code[^>]*>([\s\S]*?)<\/code><\/pre>/g)].map(([, code = '']) => textOf(code));

test('pages have the same words and code as their Markdown', () => {
  for (const source of sources) {
    const tree = unified()
      .use(remarkParse)
      .parse(readFileSync(`docs/${source}`, 'utf8'));
    const code: string[] = [];
    const collect = (node: Nodes): void => {
      if (node.type === 'code') code.push(node.value.trimEnd());
      if ('children' in node) for (const child of node.children) collect(child);
    };
    collect(tree);
    const content = contentOf(pageOf(source));
    assert.deepEqual(codeIn(content), code, source);
    // Labels of code blocks are not part of the text. Adjacent cells and blocks have no space between their words.
    const shown = content
      .replace(/<span class="lang">[^<]*<\/span>/g, '')
      .replace(/<\/?(?:t[dhr]|p|li|h\d|div|pre)\b/g, ' $&');
    assert.deepEqual(wordsOf(textOf(shown)), wordsOf([...shownIn(tree)].join(' ')), source);
  }
});

/** The package for the store: the parts of its page, and its complete list of files. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { asReleased } from '../host/release.mjs';
import { addresses, brokenLinks, linksOf, nodesOf } from './page.ts';
import { bytes, listed, manifest, paths, text } from './vsix.ts';

/** The categories of the marketplace: "categories" in code.visualstudio.com/api/references/extension-manifest. */
const CATEGORIES = [
  ...['AI', 'Chat', 'Data Science', 'Debuggers', 'Education', 'Extension Packs', 'Formatters', 'Keymaps', 'Linters'],
  ...['Language Packs', 'Machine Learning', 'Notebooks', 'Other', 'Programming Languages', 'SCM Providers', 'Snippets'],
  ...['Testing', 'Themes', 'Visualization'],
];

/** Returns the width and height of a PNG. */
function sizeOf(png: Uint8Array): readonly [number, number] {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  assert.equal(view.getUint32(0), 0x89504e47, 'it is a PNG');
  return [view.getUint32(16), view.getUint32(20)];
}

test('the icon is a square PNG that is large enough for every store', () => {
  const [width, height] = sizeOf(bytes(manifest.icon));
  assert.equal(width, height);
  assert.ok(width >= 128, `${width} pixels`);
});

test('the page has a banner, known categories, and keywords for the search', () => {
  assert.match(manifest.galleryBanner.color, /^#[0-9a-f]{6}$/);
  assert.match(manifest.galleryBanner.theme, /^(dark|light)$/);
  assert.deepEqual(listed.categories, manifest.categories);
  assert.deepEqual(
    listed.categories.filter((category) => !CATEGORIES.includes(category)),
    [],
  );
  const { keywords } = manifest;
  assert.ok(keywords.includes('SKILL.md') && keywords.includes('agent skills'), keywords.join(', '));
  assert.equal(new Set(keywords.map((word: string) => word.toLowerCase())).size, keywords.length);
});

test('the tags, also those of the packager, are at most 30, which is the limit of both stores', () => {
  // Open VSX drops further tags (eclipse-openvsx/openvsx#2018), and the marketplace refuses the package
  // (microsoft/vscode-vsce#820). Neither counts tags that begin with two underscores.
  const counted = new Set(listed.tags.filter((tag) => !tag.startsWith('__')).map((tag) => tag.toLowerCase()));
  assert.ok(counted.size <= 30, [...counted].join(', '));
  assert.deepEqual(listed.tags.slice(0, manifest.keywords.length), manifest.keywords);
});

test('the page links to the repository, its issues, and a page for questions', () => {
  const { repository, homepage, bugs, qna } = addresses;
  assert.deepEqual([manifest.repository.url, manifest.bugs.url, manifest.qna], [repository, bugs, qna]);
  const { properties } = listed;
  const linked = (name: string): string | undefined => properties.get(`Services.Links.${name}`);
  // The packager adds `.git` for hosts that it knows.
  const clone = linked('Source') ?? '';
  assert.ok([repository, `${repository}.git`].includes(clone), clone);
  assert.deepEqual([linked('Getstarted'), linked('Support'), linked('Learn')], [clone, bugs, manifest.homepage]);
  assert.ok(manifest.homepage === homepage || manifest.homepage.startsWith('https://'), manifest.homepage);
  assert.equal(properties.get('Services.CustomerQnALink'), qna);
  assert.ok(properties.get('Services.Links.GitHub') ?? properties.get('Services.Links.Repository'));
});

test('the page has the texts, the price and the version of the manifest', () => {
  const { identity, displayName, description, properties } = listed;
  assert.deepEqual(identity, {
    Language: 'en-US',
    Id: manifest.name,
    Version: manifest.version,
    Publisher: manifest.publisher,
  });
  assert.equal(displayName, manifest.displayName);
  assert.match(description, /^Language support for skill files: .{40,140}\.$/);
  assert.equal(properties.get('Code.Engine'), manifest.engines.vscode);
  assert.equal(properties.get('Code.ExtensionKind'), 'workspace,web');
  assert.equal(properties.get('Services.Content.Pricing'), 'Free');
  assert.equal(properties.get('Services.Branding.Color'), manifest.galleryBanner.color);
});

test('the package names the readme, the change log, the licence and the icon', () => {
  const ends = ['Content.Details', 'Content.Changelog', 'Content.License', 'Icons.Default'];
  const files = ends.map((end) => listed.assets.get(`Services.${end}`) ?? '');
  for (const file of files) assert.ok(bytes(file).length > 0, file);
  assert.deepEqual(files, ['readme.md', 'changelog.md', 'LICENSE.txt', manifest.icon]);
  assert.deepEqual([listed.license, listed.icon], ['LICENSE.txt', manifest.icon]);
});

for (const page of ['readme.md', 'changelog.md']) {
  test(`every link and picture in ${page} works on a store page`, () => {
    assert.ok(linksOf(text(page)).length > 0);
    assert.deepEqual(brokenLinks(text(page)), []);
  });
}

test('the readme shows a picture with alternative text after its first commands', () => {
  const nodes = nodesOf(asReleased(text('readme.md')));
  assert.equal(linksOf(text('readme.md'))[0]?.kind, 'image');
  const before = nodes.slice(
    0,
    nodes.findIndex(({ type }) => type === 'image'),
  );
  const words = before.flatMap(({ value }) => value ?? []).join('');
  assert.ok(words.length < 600, `${words.length} characters stand before it`);
  for (const { kind, url, alt } of linksOf(text('readme.md'))) {
    if (kind === 'image') assert.ok(alt.length > 30, url);
  }
});

test('the readme contains no HTML, because some stores show HTML as text', () => {
  assert.deepEqual(
    nodesOf(text('readme.md')).filter(({ type }) => type === 'html'),
    [],
  );
});

test('the licence, the notices and the security policy are packaged', () => {
  assert.match(text('LICENSE.txt'), /^MIT License/);
  assert.match(text('SECURITY.md'), /^# Security/);
  const notices = text('dist/third-party-notices.txt');
  const bundled = Object.keys(manifest.dependencies);
  assert.deepEqual(
    bundled.filter((name) => !notices.includes(`\n${name} `)),
    [],
  );
});

test('the package contains every bundle and no development files', () => {
  // Only the package of the command line contains the runtime of exported projects, `*.mjs`, and all schemas.
  const built = readdirSync('dist').filter((name) => !/\.(map|mjs)$|^schemas$/.test(name));
  assert.deepEqual(
    built.filter((name) => !paths.includes(`dist/${name}`)),
    [],
  );
  const ofDevelopment = /\.(map|tsx?|mjs|vsix)$|(^|\/)(src|test|bench|node_modules|out|\.[^/]+)\//;
  assert.deepEqual(
    paths.filter((path) => ofDevelopment.test(path)),
    [],
  );
});

test('every file that the manifest names is packaged', () => {
  const named = (value: unknown): readonly string[] => {
    if (typeof value === 'string') return /^\.?\/?[\w-]+(\/[\w.-]+)+\.\w+$/.test(value) ? [value] : [];
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(named) : [];
  };
  const { icon, main, browser, bin, contributes, l10n } = manifest;
  const files = named([icon, main, browser, bin, contributes]).map((path) => path.replace(/^\.?\//, ''));
  assert.ok(files.length > 10, files.join(', '));
  assert.deepEqual(
    files.filter((path) => !paths.includes(path)),
    [],
  );
  assert.ok(paths.some((path) => path.startsWith(l10n.replace('./', ''))));
});

test('nothing is packaged twice', () => {
  const digest = (path: string): string => createHash('sha256').update(bytes(path)).digest('hex');
  const first = new Map(paths.map((path) => [digest(path), path]));
  assert.deepEqual(
    paths.filter((path) => first.get(digest(path)) !== path),
    [],
  );
  assert.equal(new Set(paths.map((path) => path.toLowerCase())).size, paths.length);
});

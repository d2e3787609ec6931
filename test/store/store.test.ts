/** The package for the store: the parts of its page, and its complete list of files. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { strFromU8, unzipSync } from 'fflate';
import remarkParse from 'remark-parse';
import { unified } from 'unified';

const vsix = unzipSync(readFileSync(process.env.SKILL_COMPOSER_VSIX ?? ''));
const repository = process.env.SKILL_COMPOSER_REPOSITORY ?? '';

const PREFIX = 'extension/';
const paths = Object.keys(vsix).flatMap((path) => (path.startsWith(PREFIX) ? [path.slice(PREFIX.length)] : []));
const bytes = (path: string): Uint8Array => {
  const found = vsix[PREFIX + path];
  assert.ok(found, `${path} is packaged`);
  return found;
};
const text = (path: string): string => strFromU8(bytes(path));
const manifest = JSON.parse(text('package.json'));
const tracked = new Set(
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' }).split('\n'),
);

/** The categories of the marketplace. */
const CATEGORIES = ['AI', 'Debuggers', 'Formatters', 'Linters', 'Programming Languages', 'Snippets', 'Testing'];

interface Link {
  readonly kind: 'link' | 'image';
  readonly url: string;
  readonly alt: string;
}

interface Node {
  readonly type: string;
  readonly url?: string;
  readonly alt?: string | null;
  readonly value?: string;
  readonly children?: readonly Node[];
}

const flat = (node: Node): readonly Node[] => [node, ...(node.children ?? []).flatMap(flat)];
const nodesOf = (page: string): readonly Node[] => flat(unified().use(remarkParse).parse(text(page)) as Node);
const linksOf = (page: string): readonly Link[] =>
  nodesOf(page).flatMap(({ type, url = '', alt }) =>
    type === 'link' || type === 'image' ? [{ kind: type, url, alt: alt ?? '' }] : [],
  );

/** Returns the path in the repository that a link of a page refers to. */
const inRepository = ({ kind, url }: Link): string | undefined => {
  const base = `${repository}/${kind === 'image' ? 'raw' : 'blob'}/HEAD/`;
  return url.startsWith(base) ? decodeURIComponent(url.slice(base.length).replace(/#.*$/, '')) : undefined;
};

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
  assert.deepEqual(
    manifest.categories.filter((category: string) => !CATEGORIES.includes(category)),
    [],
  );
  const { keywords } = manifest;
  assert.ok(keywords.includes('SKILL.md') && keywords.length <= 30, keywords.join(', '));
  assert.equal(new Set(keywords.map((word: string) => word.toLowerCase())).size, keywords.length);
});

test('the manifest names the readme, the change log, the licence and the icon', () => {
  const assets = strFromU8(vsix['extension.vsixmanifest'] ?? new Uint8Array());
  for (const name of ['Content.Details', 'Content.Changelog', 'Content.License', 'Icons.Default']) {
    const [, path = ''] = new RegExp(`Type="[^"]*${name}" Path="${PREFIX}([^"]+)"`).exec(assets) ?? [];
    assert.ok(bytes(path).length > 0, name);
  }
});

for (const page of ['readme.md', 'changelog.md']) {
  test(`every link and picture in ${page} works on a store page`, () => {
    const stray = linksOf(page).filter((link) => {
      const path = inRepository(link);
      return path === undefined ? !/^(https:\/\/|#)/.test(link.url) : !tracked.has(path);
    });
    assert.deepEqual(stray, []);
  });
}

test('the readme begins with a picture that has alternative text', () => {
  const nodes = nodesOf('readme.md');
  assert.equal(linksOf('readme.md')[0]?.kind, 'image');
  const before = nodes.slice(
    0,
    nodes.findIndex(({ type }) => type === 'image'),
  );
  const words = before.flatMap(({ value }) => value ?? []).join('');
  assert.ok(words.length < 400, `${words.length} characters stand before it`);
  for (const { kind, url, alt } of linksOf('readme.md')) {
    if (kind === 'image') assert.ok(alt.length > 30, url);
  }
});

test('the readme contains no HTML, because some stores show HTML as text', () => {
  assert.deepEqual(
    nodesOf('readme.md').filter(({ type }) => type === 'html'),
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
  // Only the package of the command line contains the runtime of exported projects, `*.mjs`.
  const built = readdirSync('dist').filter((name) => !/\.(map|mjs)$/.test(name));
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

/** The pages in docs/: links have targets, sections cited in the code exist, complete examples are valid. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { skillKeys } from '../../server/src/vocabulary/skill-keys.ts';
import { sidebarOf, siteFileOf, targetOf } from '../../site/pages.mjs';
import { anchorsIn, headingsIn } from './anchors.ts';
import { composeSamples, findingsIn, openFiles, type PageFile, ROOT } from './rules/page.ts';

const below = (folder: string, ending: RegExp): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => ending.test(file))
    .map((file) => join(folder, file));

const pages = [
  ...below('docs', /\.md$/),
  ...['README.md', 'CONTRIBUTING.md', 'RELEASING.md', 'SECURITY.md', 'CHANGELOG.md', 'client/pipelines/README.md'],
  ...['server', 'client', 'bench', 'lab', 'samples', 'samples/mistakes'].map((folder) => join(folder, 'README.md')),
];

/** Removes fences and code spans, in which a link is only text. */
const proseOf = (page: string): string =>
  page.replace(/^(`{3,}).*\n[\s\S]*?^\1$/gm, '').replace(/(`+)[^`](?:[\s\S]*?[^`])?\1(?!`)/g, '``');

const headingsOf = (path: string): readonly string[] => headingsIn(readFileSync(path, 'utf8'));

const anchorsOf = (path: string): readonly string[] => anchorsIn(readFileSync(path, 'utf8'));

test('every relative link leads to an existing file and heading', () => {
  const broken = pages.flatMap((page) => {
    const links = [...proseOf(readFileSync(page, 'utf8')).matchAll(/\]\(([^()\s]+)\)/g)].map(([, url = '']) => url);
    return links.flatMap((url) => {
      if (/^[a-z]+:/.test(url)) return [];
      const [path = '', anchor] = url.split('#');
      const target = path === '' ? page : normalize(join(dirname(page), decodeURIComponent(path)));
      const leads = existsSync(target) && (anchor === undefined || anchorsOf(target).includes(anchor));
      return leads ? [] : [`${page}: ${url}`];
    });
  });
  assert.deepEqual(broken, []);
});

test('the sidebar of the site lists every page of the manual once, in the order of docs/README.md', () => {
  const [manual, rules] = ['docs/README.md', 'docs/rules/README.md'].map((path) => readFileSync(path, 'utf8'));
  const groups = sidebarOf(manual ?? '', rules ?? '');
  assert.deepEqual(groups[0]?.items[0], { text: 'A first skill', link: '/first-skill' });
  const items = groups.flatMap(({ items }) => items);
  const links = items.flatMap((item) => [item.link, ...('items' in item ? item.items.map(({ link }) => link) : [])]);
  const sitePages = below('docs', /\.md$/)
    .map((path) => siteFileOf(path.replaceAll('\\', '/').replace('docs/', '')))
    .filter((path) => path !== 'index.md' && !/^walkthrough\//.test(path));
  assert.deepEqual([...links].sort(), sitePages.map((path) => `/${path.replace(/(?:index)?\.md$/, '')}`).sort());
});

test('links on the site lead to its pages, to the repository if its address is known, or are plain text', () => {
  const [page, files] = ['rules/unknown-tool.md', 'https://example.com/r/blob/HEAD'];
  for (const [href, target] of [
    ['../format.md#references', '/format.md#references'],
    ['README.md', '/rules/index.md'],
    ['../clients.json', '/clients.json'],
    ['#failing', '#failing'],
    ['https://agentskills.io', 'https://agentskills.io'],
    ['../../SECURITY.md', `${files}/SECURITY.md`],
    ['../walkthrough/new.svg', `${files}/docs/walkthrough/new.svg`],
  ] as const) {
    assert.equal(targetOf(href, page, files), target);
    const withoutRepository = target.startsWith(files) ? undefined : target;
    assert.equal(targetOf(href, page, undefined), withoutRepository);
  }
});

/** A citation such as `docs/format.md`, with the sections, steps or part names that follow it. */
const CITATION =
  /\bdocs\/((?:rules\/)?[a-z-]+)\.md(?:, (?:section|step)s? (\d+(?:(?:,? and |, | to )\d+)*))?(?:, "([^"]+)")?/g;

/** Returns whether a page has a heading or a passage that begins with this name. */
function hasPart(path: string, name: string): boolean {
  const bold = [...readFileSync(path, 'utf8').matchAll(/\*\*([^*]+?)\.?\*\*/g)].map(([, text = '']) => text);
  return [...headingsOf(path), ...bold].some((part) => part.toLowerCase() === name.toLowerCase());
}

test('every page and section that the code cites exists', () => {
  const sources = [...below('server/src', /\.tsx?$/), ...below('client/src', /\.tsx?$/)];
  const stray = sources.flatMap((source) => {
    // A citation may continue on the next line of a comment.
    const text = readFileSync(source, 'utf8').replace(/\n\s*(?:\*|\/\/) ?/g, ' ');
    return [...text.matchAll(CITATION)].flatMap(([cited, page = '', numbers = '', name]) => {
      const path = `docs/${page}.md`;
      if (!existsSync(path)) return [`${source}: ${cited}`];
      const headings = headingsOf(path);
      const isMissing = (number: string) => !headings.some((heading) => heading.startsWith(`${number}. `));
      const isStray = (numbers.match(/\d+/g) ?? []).some(isMissing) || (name !== undefined && !hasPart(path, name));
      return isStray ? [`${source}: ${cited}`] : [];
    });
  });
  assert.deepEqual(stray, []);
});

test('the table in section 2 of docs/format.md lists every key in the order that the formatter uses', () => {
  const [, section = ''] = /^## 2\. [\s\S]*?(^\| key[\s\S]*?)^$/m.exec(readFileSync('docs/format.md', 'utf8')) ?? [];
  const cells = section.split('\n').map((row) => row.split('|')[1] ?? '');
  const keys = cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, key]) => key));
  assert.deepEqual(
    keys,
    skillKeys.map(({ name }) => name),
  );
});

for (const page of ['docs/format.md', 'docs/composer.md']) {
  test(`the complete examples in ${page} have no findings`, () => {
    const text = readFileSync(page, 'utf8');
    const files = [...text.matchAll(/^````(\w+) (\S+)\n([\s\S]*?)^````$/gm)].map(
      ([, language = '', path = '', content = '']): PageFile => ({
        language,
        path,
        content,
        start: 0,
        end: 0,
      }),
    );
    assert.ok(files.length > 0);
    const workspace = openFiles(files);
    for (const { path } of files) composeSamples(workspace, `${ROOT}/${path}`);
    const findings = files.flatMap(({ path }) =>
      findingsIn(workspace, path).map(({ message }) => `${path}: ${message}`),
    );
    assert.deepEqual(findings, []);
  });
}

/** Packages the command line: one folder with bundles, schemas, rule pages and licences, without dependencies. */
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { linksOfManifest } from './addresses.mjs';
import { npm } from './process.mjs';
import { Plain } from './say.mjs';

/** The files that only an editor's extension loads. */
const OF_EDITORS = /^(client|preview|graph|import)\b|\.map$/;

/** The files that turn a repository with the unpacked tarball into a GitHub action and into hooks for pre-commit. */
const FOR_PIPELINES = [
  'action.yml',
  '.pre-commit-hooks.yaml',
  'client/pipelines/action.mjs',
  'client/pipelines/gitlab.yml',
];

/** The page of the package. Its links are relative to its file, and absolute in the package. */
const PAGE = 'client/pipelines/README.md';

/** A keyword that means something only in a store of extensions. */
const OF_STORES = 'multi-root ready';

/**
 * Returns the path of the tarball.
 *
 * @param {string} root the checkout
 * @param {string} [output] the folder of the tarball
 */
export function tarballOf(root, output = join(root, 'out')) {
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return join(output, `${name}-${version}.tgz`);
}

/**
 * Packages the built files.
 *
 * @param {string} root the checkout
 * @param {{output: string, addresses: import('./addresses.mjs').Addresses | undefined}} place `output`: the folder of the tarball
 * @param {import('./jobs.mjs').Print} print
 */
export async function packageCommandLine(root, { output, addresses }, print) {
  const folder = join(output, 'cli-package');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'dist'), { recursive: true });
  for (const file of readdirSync(join(root, 'dist'))) {
    if (OF_EDITORS.test(file)) continue;
    cpSync(join(root, 'dist', file), join(folder, 'dist', file), { recursive: true });
  }
  chmodSync(join(folder, 'dist', 'cli.cjs'), 0o755);
  cpSync(join(root, 'docs', 'rules'), join(folder, 'docs', 'rules'), { recursive: true });
  cpSync(join(root, 'client', 'editors'), join(folder, 'client', 'editors'), { recursive: true });
  for (const file of ['LICENSE', ...FOR_PIPELINES]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    copyFileSync(join(root, file), join(folder, file));
  }
  writeFileSync(join(folder, 'README.md'), await withAddresses(readFileSync(join(root, PAGE), 'utf8'), addresses));
  const manifest = manifestOf(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')), addresses);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  await npm(['pack', '--ignore-scripts', '--pack-destination', output], { cwd: folder });
  const tarball = tarballOf(root, output);
  print(`  ${tarball}, ${(statSync(tarball).size / 1024).toFixed(0)} KiB\n`);
  if (addresses === undefined) print('  Links on its page do not work: pass `--repository https://…`.\n');
}

/**
 * @param {{name: string, version: string, license: string, engines: {node?: string}, keywords: readonly string[]}} extension
 * @param {import('./addresses.mjs').Addresses | undefined} addresses
 */
function manifestOf({ name, version, license, engines, keywords }, addresses) {
  const { qna: _, ...links } = { qna: '', ...linksOfManifest(addresses) };
  // Without the prefix and the suffix, npm corrects the address and prints a warning.
  const repository = addresses && { type: 'git', url: `git+${addresses.repository}.git` };
  return {
    name,
    version,
    description: 'Checks, tests and composes skill files: SKILL.md of Agent Skills, and skills that compose skills.',
    keywords: keywords.filter((word) => word !== OF_STORES),
    ...{ license, author: 'Skill Composer contributors' },
    ...links,
    ...(repository && { repository }),
    engines: { node: engines.node ?? '>=20' },
    bin: { 'skill-composer': 'dist/cli.cjs' },
  };
}

/**
 * Replaces the relative links of the page with addresses. Throws an error for a link whose destination is not written as
 * it is read, such as `<a b>`.
 *
 * @param {string} page
 * @param {import('./addresses.mjs').Addresses | undefined} addresses
 */
export async function withAddresses(page, addresses) {
  if (addresses === undefined) return page;
  const { default: remarkParse } = await import('remark-parse');
  const { unified } = await import('unified');
  /** @type {(node: import('mdast').Nodes) => import('mdast').Nodes[]} */
  const flat = (node) => ['children' in node ? node.children.flatMap(flat) : [], node].flat();
  const nodes = flat(unified().use(remarkParse).parse(page));
  const ofPictures = new Set(nodes.flatMap((node) => (node.type === 'imageReference' ? node.identifier : [])));
  let text = page;
  // From the end, so that the positions before a replaced link stay valid.
  for (const node of nodes.reverse()) {
    if (node.type !== 'link' && node.type !== 'image' && node.type !== 'definition') continue;
    if (/^([a-z]+:|#)/.test(node.url)) continue;
    const isPicture = node.type === 'definition' ? ofPictures.has(node.identifier) : node.type === 'image';
    const before = node.type === 'definition' ? ']: ' : '](';
    const [start, end] = [node.position?.start.offset ?? 0, node.position?.end.offset ?? 0];
    // The last one, because the text of a link may contain a picture.
    const at = page.slice(start, end).lastIndexOf(before + node.url);
    if (at < 0) throw new Plain(`The link to \`${node.url}\` in ${PAGE} must have the form \`[text](path)\`.`);
    const from = start + at + before.length;
    const address = `${isPicture ? addresses.pictures : addresses.files}/${posix.join(posix.dirname(PAGE), node.url)}`;
    text = text.slice(0, from) + address + text.slice(from + node.url.length);
  }
  return text;
}

/** The documentation site: its address, and its build with VitePress (site/). */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readAddress } from './addresses.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { must, start } from './process.mjs';
import { Plain } from './say.mjs';

/**
 * Returns the address of the documentation site without a slash at its end; empty if it is not known.
 *
 * @param {{homepage?: string}} manifest
 * @param {string | undefined} [address] replaces the address in the manifest
 */
export function homepageOf({ homepage = '' }, address = process.env.SKILL_COMPOSER_HOMEPAGE) {
  const known = address || homepage;
  return known === '' ? '' : readAddress(known);
}

/**
 * @typedef {object} SiteOptions
 * @property {string | undefined} [base] the path below which the site is served; by default the path of the homepage
 * @property {import('./addresses.mjs').Addresses | undefined} [addresses] where the files outside `docs` are
 * @property {string | undefined} [homepage]
 */

/**
 * Builds the site in `folder`, which is replaced. It also contains the schemas, so that each has an address.
 *
 * @param {string} root the checkout
 * @param {string} folder
 * @param {SiteOptions} options
 * @param {import('./jobs.mjs').Print} print
 */
export async function buildSite(root, folder, options, print) {
  const env = environmentOf(root, options);
  await ensureDependencies(join(root, 'site'));
  rmSync(folder, { recursive: true, force: true });
  await must(process.execPath, [generatorOf(root), 'build', join(root, 'site'), '--outDir', folder], { env });
  await addSchemas(root, join(folder, 'schemas'));
  print(`  ${folder}\n`);
}

/**
 * @param {string} root the checkout
 * @param {string} folder
 */
async function addSchemas(root, folder) {
  const { schemasOf } = await import('../../client/schemas.mjs');
  const { texts } = await schemasOf(root);
  mkdirSync(folder);
  for (const [file, text] of texts) writeFileSync(join(folder, file), text);
}

/**
 * Serves the pages, and shows each change of a page at once, until the process is ended.
 *
 * @param {string} root the checkout
 * @param {SiteOptions} options
 */
export async function serveSite(root, options) {
  const env = environmentOf(root, options);
  await ensureDependencies(join(root, 'site'));
  const child = await start(process.execPath, [generatorOf(root), 'dev', join(root, 'site')], {
    env,
    stdio: 'inherit',
  });
  await new Promise((resolve) => child.on('close', resolve));
}

const generatorOf = (/** @type {string} */ root) =>
  join(root, 'site', 'node_modules', 'vitepress', 'bin', 'vitepress.js');

/**
 * @param {string} root
 * @param {SiteOptions} options
 */
function environmentOf(root, { base, addresses, homepage }) {
  const address = homepageOf(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')), homepage);
  const path = base ?? (address === '' ? '' : new URL(address).pathname);
  if (!/^[\w.~/-]*$/.test(path)) throw new Plain('--base is a path, such as `/skill-composer/`.');
  return {
    ...process.env,
    SKILL_COMPOSER_BASE: `/${path}/`.replace(/\/+/g, '/'),
    SKILL_COMPOSER_REPOSITORY: addresses?.repository ?? '',
    SKILL_COMPOSER_FILES: addresses?.files ?? '',
  };
}

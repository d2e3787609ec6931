/** The licences of the packages whose code is in the bundles. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import licenses from 'spdx-license-list/full.js';

export const NOTICES = 'dist/third-party-notices.txt';

const IS_LICENSE = /^(licen[cs]e|copying|notice)(\.\w+)?$/i;
const LINE = '='.repeat(80);

/**
 * Returns the text of the notices file.
 *
 * @param {string} root the checkout
 * @param {Iterable<string>} files the source files of the bundles, as esbuild names them
 * @returns {string} one section per package, sorted by name
 * @throws {Error} if no licence text is known for a package
 */
export function noticesOf(root, files) {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const folders = new Set([...files].flatMap((file) => packageFolder(file) ?? []));
  const sections = [...folders].sort().map((folder) => {
    const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const { version, license } = lock.packages[folder] ?? {};
    const texts = licenseTexts(root, folder, license);
    if (texts.length === 0) throw new Error(`The bundled package ${name} has no known licence: ${license}`);
    return `${name} ${version}, ${license}\n\n${texts.join('\n\n')}\n`;
  });
  return `The following packages are part of Skill Composer.\n\n${sections.map((section) => `${LINE}\n${section}`).join('\n')}`;
}

/** @param {string} file */
function packageFolder(file) {
  return /^.*node_modules\/(@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0];
}

/**
 * Returns the licence texts of a package. If the package has no licence file, returns the name of the author and the
 * SPDX text.
 *
 * @param {string} root
 * @param {string} folder
 * @param {string} license
 */
function licenseTexts(root, folder, license) {
  const own = readdirSync(join(root, folder)).filter((name) => IS_LICENSE.test(name));
  if (own.length > 0) return own.map((name) => readFileSync(join(root, folder, name), 'utf8').trim());
  const text = licenses[/** @type {keyof typeof licenses} */ (license)]?.licenseText;
  const { author } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  return text === undefined ? [] : [`By ${author?.name ?? author}`, text.trim()];
}

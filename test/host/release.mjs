/** The checks before a release, and the commands that publish it. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isPublic } from './addresses.mjs';
import { must } from './process.mjs';
import { Plain } from './say.mjs';

/** The files with the version of the project, and the pattern of each of its occurrences. */
const WITH_VERSION = /** @type {const} */ ([
  ['client/editors/emacs/skill-composer.el', /^;; Version: (.*)$/gm],
  ['client/editors/zed/extension.toml', /^version = "(.*)"$/gm],
  ['client/editors/zed/Cargo.toml', /^version = "(.*)"$/gm],
  ['package-lock.json', /^ {2}"version": "(.*)",$/gm],
  ['docs/ci.md', /^ {4}rev: v(.*)$/gm],
  // The command and the names of the packages.
  ['README.md', /\bskill-composer[@-](\d[\w.+-]*?)(?=\.tgz|\.vsix|\.?(?:[^\w.+-]|$))/gm],
]);

/**
 * Returns what is wrong with the checkout, one sentence each. Throws an error if the address is missing or not public,
 * because then packages cannot be made.
 *
 * @param {string} root
 * @param {string | undefined} repository
 */
export async function faultsOfRelease(root, repository) {
  const fault = faultOfAddress(repository);
  if (fault !== undefined) throw new Plain(fault);
  const read = (/** @type {string} */ path) => readFileSync(join(root, path), 'utf8');
  const { version } = JSON.parse(read('package.json'));
  const changes = await must('git', ['status', '--porcelain'], { cwd: root });
  const tags = await must('git', ['tag', '--list', `v${version}`], { cwd: root });
  return [
    ...faultsOfTree(changes),
    ...(tags.trim() === '' ? [] : [`The tag v${version} exists, so this version was released. Raise the version.`]),
    ...faultsOfVersion(read),
  ];
}

/**
 * Removes the paragraph of the README that says which commands work only after the first release.
 *
 * @param {string} readme
 */
export const asReleased = (readme) => readme.replace(/^\*\*Not released yet\.\*\*.*\n(?:.+\n)*\n/m, '');

/**
 * Writes the README as it is after a release, except in a dry run. Returns a fault if that differs from the README of
 * the commit, because the packages and the tag need the same text.
 *
 * @param {string} root
 * @param {boolean} isTrial
 */
export function faultsOfReadme(root, isTrial) {
  const path = join(root, 'README.md');
  const text = readFileSync(path, 'utf8');
  const released = asReleased(text);
  if (released === text) return [];
  if (!isTrial) writeFileSync(path, released);
  const done = isTrial ? 'Without `--dry-run`, this command removes that paragraph.' : 'That paragraph is removed.';
  return [`README.md says that nothing is released yet. ${done} Commit the change.`];
}

/** @param {string | undefined} repository */
export function faultOfAddress(repository) {
  if (repository === undefined) {
    return 'A release needs the address of the repository: pass `--repository https://HOST/OWNER/NAME`, or set `repository` in package.json.';
  }
  return isPublic(repository)
    ? undefined
    : `The address \`${repository}\` is not public. Pass the address that users can open.`;
}

/** @param {string} changes the output of `git status --porcelain` */
export function faultsOfTree(changes) {
  const lines = changes.split('\n').filter((line) => line !== '');
  return lines.length === 0 ? [] : [`The working tree has ${lines.length} uncommitted changes. Commit or remove them.`];
}

/**
 * Returns the files whose version differs, and faults of the entry in the change log.
 *
 * @param {(path: string) => string} read
 */
export function faultsOfVersion(read) {
  const { version } = JSON.parse(read('package.json'));
  if (!/^\d+\.\d+\.\d+$/.test(version))
    return [`The version \`${version}\` in package.json must be MAJOR.MINOR.PATCH.`];
  const faults = WITH_VERSION.flatMap(([path, pattern]) => {
    const found = new Set([...read(path).replaceAll('\r', '').matchAll(pattern)].map(([, one]) => one));
    if (found.size === 0) return [`${path} does not contain the version ${version}.`];
    found.delete(version);
    return [...found].map((other) => `${path} contains the version ${other}. Change it to ${version}.`);
  });
  const [, entry = ''] = read('CHANGELOG.md').split(/^## /m);
  const [heading = '', ...lines] = entry.split('\n');
  if (!heading.startsWith(`${version} (`)) faults.push(`The first entry of CHANGELOG.md is not ${version}.`);
  else if (!/\(\d{4}-\d\d-\d\d\)$/.test(heading)) {
    faults.push(`CHANGELOG.md has no date. Change its heading to \`## ${version} (YYYY-MM-DD)\`.`);
  }
  if (!lines.some((line) => line.startsWith('- '))) faults.push(`The entry in CHANGELOG.md for ${version} is empty.`);
  return faults;
}

/**
 * Returns the lines with the commands that publish the packages, and with the checksums of packages that are kept.
 *
 * @param {string} root
 * @param {{vsix: string, tarball: string, isKept: boolean}} packages
 */
export function nextSteps(root, { vsix, tarball, isKept }) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const inOut = (/** @type {string} */ path) => `./out/${basename(path)}`;
  const sumOf = (/** @type {string} */ path) => createHash('sha256').update(readFileSync(path)).digest('hex');
  return [
    ...(isKept ? ['\nThe packages, with SHA-256:'] : []),
    ...(isKept ? [vsix, tarball].map((path) => `  ${sumOf(path)}  ${inOut(path)}`) : []),
    '\nThese commands publish the packages of a release (RELEASING.md):',
    `  npx vsce publish --packagePath ${inOut(vsix)}`,
    `  npx ovsx publish ${inOut(vsix)}`,
    `  npm publish ${inOut(tarball)}`,
    `  git tag v${version} && git push origin v${version}`,
    ...(isKept ? [] : ['\nThis was a dry run: its packages are deleted.']),
  ];
}

/** The addresses of the project on the pages of registries, which all derive from the address of its repository. */
import { Plain } from './say.mjs';

/**
 * @typedef {object} Addresses
 * @property {string} repository without a slash at the end
 * @property {string} homepage
 * @property {string} bugs
 * @property {string} qna the page for questions
 * @property {string} files the start of the address of a file, for links
 * @property {string} pictures the same for pictures, which a page includes
 */

/** Names that are never public hosts (RFC 2606 and RFC 6761), and addresses without a name. */
const NOT_PUBLIC = /(^|\.)(example(\.(com|net|org))?|test|invalid|localhost|local|internal)$|^[\d.]+$|^\[|^[^.]+$/;

/** An address that has the same meaning in a manifest, on a page and in a shell. */
const PLAIN = /^https:\/\/[\w.-]+(:\d+)?(\/[\w.~-]*)*$/;

/**
 * Returns the address of a repository or of a site without `git+`, `.git` and slashes at its end, or throws an error
 * with a reason.
 *
 * @param {string} text
 */
export function readAddress(text) {
  const address = text
    .trim()
    .replace(/^git\+/, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '');
  if (!URL.canParse(address))
    throw new Plain(`\`${text}\` is not an address. Write for example https://HOST/OWNER/NAME.`);
  if (!address.startsWith('https://')) throw new Plain(`The address \`${text}\` must begin with \`https://\`.`);
  if (!PLAIN.test(address)) {
    throw new Plain(`The address \`${text}\` must not contain a user, a query, a fragment or special characters.`);
  }
  return new URL(address).href.replace(/\/+$/, '');
}

/**
 * Returns true if others can open the address of a repository: the name of its host is public, and it has a path.
 *
 * @param {string} repository
 */
export function isPublic(repository) {
  const { hostname, pathname } = new URL(repository);
  // A name with a period at its end is the same name.
  return !NOT_PUBLIC.test(hostname.replace(/\.+$/, '')) && pathname.length > 1;
}

/**
 * Returns the address of the repository that a manifest names, if any.
 *
 * @param {{repository?: string | {url?: string}}} manifest
 */
export function repositoryOf({ repository }) {
  const url = typeof repository === 'string' ? repository : repository?.url;
  return url === undefined ? undefined : readAddress(url);
}

/**
 * Derives all addresses from that of the repository. The paths are those of GitHub, which Gitea and Forgejo share; on
 * GitLab, they follow `/-/`.
 *
 * @param {string} repository
 * @param {string} [homepage] the address of the documentation, if it has its own site
 * @returns {Addresses}
 */
export function addressesOf(repository, homepage) {
  const pages = /(^|\.)gitlab\./.test(new URL(repository).hostname) ? `${repository}/-` : repository;
  return {
    repository,
    homepage: homepage ?? `${repository}#readme`,
    bugs: `${pages}/issues`,
    qna: `${pages}/issues`,
    files: `${pages}/blob/HEAD`,
    pictures: `${pages}/raw/HEAD`,
  };
}

/**
 * Returns the keys of a manifest that contain addresses.
 *
 * @param {Addresses | undefined} addresses
 */
export function linksOfManifest(addresses) {
  if (addresses === undefined) return {};
  const { repository, homepage, bugs, qna } = addresses;
  return { repository: { type: 'git', url: repository }, homepage, bugs: { url: bugs }, qna };
}

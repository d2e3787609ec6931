/** The documentation site: its address, and its build with VitePress (docs/.vitepress). */
import { Plain } from './say.mjs';

/**
 * Returns the address of the documentation site without a slash at its end; empty if it is not known.
 *
 * @param {{homepage?: string}} manifest
 * @param {string | undefined} [address] replaces the address in the manifest
 */
export function homepageOf({ homepage = '' }, address = process.env.SKILL_COMPOSER_HOMEPAGE) {
  const known = address || homepage;
  if (known === '') return '';
  if (!URL.canParse(known) || !/^https?:[^?#]*$/.test(known)) {
    throw new Plain('The homepage must be an address that begins with `https://`, without `?` and `#`.');
  }
  return new URL(known).href.replace(/\/+$/, '');
}

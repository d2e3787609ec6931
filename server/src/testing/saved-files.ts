/** The names of the files with saved prompts and recorded outputs, beside the skill (docs/testing.md, "Snapshots"). */
import { valid } from 'semver';
import { contentDigest } from '../skill/content-digest.ts';
import { isName } from '../skill/kebab-name.ts';

export const PROMPTS = '__prompts__';
export const OUTPUTS = '__outputs__';

/**
 * Converts a name to a form that is suitable for a file name. Adds digits from the digest of the name if the name has
 * characters other than `a-z`, `0-9` and `-`.
 */
export function slugOf(name: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '');
  if (slug === name) return slug;
  const [, digest = ''] = contentDigest(name).split(':');
  return `${slug}${slug === '' ? '' : '-'}${digest.slice(0, 6)}`;
}

/**
 * Returns the file name without folder and extension. `version` is given if the folder has several versions of the
 * skill.
 */
export const savedName = (skill: string, version: string | undefined, sample: string): string =>
  `${isName(skill) ? skill : slugOf(skill)}${version !== undefined && valid(version) ? `@${version}` : ''}.${slugOf(sample)}`;

/** Returns the text of a saved prompt, with `\n` line breaks and an additional `\n` at the end. */
export const savedText = (prompt: string): string => `${prompt.replaceAll('\r\n', '\n')}\n`;

/** Returns whether a prompt equals the saved text, except for CRLF line breaks. */
export const isSavedPrompt = (prompt: string, kept: string): boolean =>
  savedText(prompt) === kept.replaceAll('\r\n', '\n');

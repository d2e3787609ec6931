/** Where the prompts and outputs that a test is held against are kept, beside the skill (docs/testing.md, "Snapshots"). */
import { valid } from 'semver';
import { contentDigest } from '../skill/content-digest.ts';
import { isName } from '../skill/kebab-name.ts';

export const PROMPTS = '__prompts__';
export const OUTPUTS = '__outputs__';

/** A name as a part of a file's name: one that has more than `a-z`, digits and hyphens gets a part of its digest. */
export function slugOf(name: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '');
  if (slug === name) return slug;
  const [, digest = ''] = contentDigest(name).split(':');
  return `${slug}${slug === '' ? '' : '-'}${digest.slice(0, 6)}`;
}

/** Without folder and ending; `version` where several versions of the skill stand side by side. */
export const keptName = (skill: string, version: string | undefined, sample: string): string =>
  `${isName(skill) ? skill : slugOf(skill)}${version !== undefined && valid(version) ? `@${version}` : ''}.${slugOf(sample)}`;

/** A prompt as it is kept: with one line break at its end. */
export const asKept = (prompt: string): string => `${prompt.replaceAll('\r\n', '\n')}\n`;

/** Whether a prompt is the kept one. */
export const isKept = (prompt: string, kept: string): boolean => asKept(prompt) === kept.replaceAll('\r\n', '\n');

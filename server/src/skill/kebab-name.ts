/** Checks and creates skill names, which are lower-case words joined by single hyphens (docs/format.md, section 2). */
import { NAME_PATTERN } from '../vocabulary/skill-keys.ts';

const MAX_NAME = 64;

/** Returns whether a string is a valid name of a skill (docs/format.md, section 2). */
export const isName = (text: string): boolean => text.length <= MAX_NAME && NAME_PATTERN.test(text);

/**
 * Converts a string to a valid name: `Draft Scene_2` to `draft-scene-2`, `draftScene2` to `draft-scene2`. Returns
 * undefined if the text has no letters or digits that a name can have.
 */
export function kebabName(text: string): string | undefined {
  const words = text
    .slice(0, 1000)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  return words.join('-').slice(0, MAX_NAME).replace(/-$/, '') || undefined;
}

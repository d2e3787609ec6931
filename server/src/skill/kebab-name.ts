/** Names as the format wants them: lower-case words joined by single hyphens (docs/format.md, section 2). */
import { NAME_PATTERN } from '../vocabulary/skill-keys.ts';

const MAX_NAME = 64;

export const isName = (text: string): boolean => text.length <= MAX_NAME && NAME_PATTERN.test(text);

/** `Draft Scene_2` and `draftScene2` as a name: `draft-scene-2`, `draft-scene2`. Undefined where nothing is left of it. */
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

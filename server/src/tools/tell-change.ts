/** A change of a tool in words. */
import { inWords, listed } from '../nearest.ts';
import type { ToolChange } from './compare.ts';

/** How many skills are named. */
const MAX_NAMED = 10;

/** A sentence, and who is concerned; `skills` are names with the places of their files. */
export function tellChange(
  change: ToolChange,
  skills: readonly { readonly name: string; readonly file: string }[],
): string {
  const tool = change.server === undefined ? `\`${change.tool}\`` : `\`${change.tool}\` of \`${change.server}\``;
  return `${sentence(change, tool)}${users(skills)}`;
}

function sentence(change: ToolChange, tool: string): string {
  switch (change.kind) {
    case 'gone':
      return change.renamedTo === undefined
        ? `${tool} is gone.`
        : `${tool} is gone; \`${change.renamedTo}\` seems to be its new name.`;
    case 'required':
      return `${tool} requires ${inWords(change.inputs, 'and')} now: calls without fail.`;
    case 'input-gone':
      return `${tool} has no ${inWords(change.inputs, 'and')} any more.`;
    case 'writes':
      return `${tool} writes now, and only read before.`;
    case 'described':
      return `The description of ${tool} has changed: read it, since models act on it.`;
    case 'added':
      return `${tool} is new.`;
  }
}

function users(skills: readonly { readonly name: string; readonly file: string }[]): string {
  if (skills.length === 0) return '';
  const named = skills.slice(0, MAX_NAMED).map(({ name, file }) => `\`${name}\` (${file})`);
  const more = skills.length > MAX_NAMED ? [`${skills.length - MAX_NAMED} more`] : [];
  return ` Used by ${listed([...named, ...more])}.`;
}

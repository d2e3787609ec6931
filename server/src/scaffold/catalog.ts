/** The first text of a catalog: what the skills name already, and the rest of its vocabulary as comments. */
import { formatScalar } from '../languages/yaml/edit.ts';
import { renderOwn } from './scaffold.ts';
import source from './templates/skills.config.yaml.njk';

interface CatalogStart {
  /** Tools, each with the skills that name it. */
  readonly tools: readonly { readonly name: string; readonly skills: readonly string[] }[];
  readonly scopes: readonly string[];
}

const SHOWN_SKILLS = 3;

/** The text is a valid catalog without findings. */
export function scaffoldCatalog({ tools, scopes }: CatalogStart): string {
  return renderOwn(source, {
    tools: tools.map(({ name, skills }) => ({ name: formatScalar(name), users: usersOf(skills) })),
    scopes: scopes.map((scope) => formatScalar(scope)),
  });
}

/** The names of a tool's skills, for a comment: without line breaks, whatever they contain. */
function usersOf(skills: readonly string[]): string {
  const shown = skills.slice(0, SHOWN_SKILLS).map((name) => name.replace(/[\s\p{C}]+/gu, ' ').slice(0, 64));
  const others = skills.length - shown.length;
  return `${shown.join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
}

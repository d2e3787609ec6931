/**
 * The first text of a new skill, rendered from the project's own templates by nunjucks. Templates are executed, so what a
 * user gives (a name, a description, tools) is checked and passed as plain values only.
 */
import nunjucks from 'nunjucks';
import { formatScalar } from '../languages/yaml/edit.ts';
import { isName, kebabName } from '../skill/kebab-name.ts';
import { type Span, span } from '../text.ts';
import contract from './templates/contract.skill.yaml.njk';
import literal from './templates/literal.skill.md.njk';
import agentSkill from './templates/SKILL.md.njk';
import source from './templates/skills.config.yaml.njk';
import staged from './templates/staged.skill.md.njk';
import template from './templates/template.skill.md.njk';

/** Without composites, which are made of other skills (`composite.ts`). */
export const KINDS = ['literal', 'template', 'staged', 'contract', 'agent-skill'] as const;
export type Kind = (typeof KINDS)[number];

export interface ScaffoldRequest {
  readonly kind: Kind;
  /** The skill's name (docs/format.md, section 2). */
  readonly name: string;
  /** The default is a sentence made from the name. */
  readonly description?: string | undefined;
  /** Names of tools; a contract has none. */
  readonly tools?: readonly string[] | undefined;
}

export interface Scaffold {
  /** Relative to the folder that is to hold the skill, with `/`. */
  readonly fileName: string;
  readonly text: string;
  /** Where the description stands in the text, as written. */
  readonly description: Span;
}

/** What is wrong with a request, in a sentence or two. */
export interface ScaffoldProblem {
  readonly problem: string;
}

const files: Readonly<Record<Kind, { readonly source: string; readonly fileName: (name: string) => string }>> = {
  literal: { source: literal, fileName: (name) => `${name}.skill.md` },
  template: { source: template, fileName: (name) => `${name}.skill.md` },
  staged: { source: staged, fileName: (name) => `${name}.skill.md` },
  contract: { source: contract, fileName: (name) => `${name}.skill.yaml` },
  'agent-skill': { source: agentSkill, fileName: (name) => `${name}/SKILL.md` },
};

// Without loaders a template cannot read another file.
const environment = new nunjucks.Environment([], {
  autoescape: false,
  throwOnUndefined: true,
  trimBlocks: true,
  lstripBlocks: true,
});

/** `source` is one of the project's templates; what a user gives is in `context`, as plain values. */
export const renderOwn = (source: string, context: object): string => environment.renderString(source, context);

const MAX_DESCRIPTION = 1024;

/** What may follow `#tool:` and stand unquoted in a list. */
const TOOL = /^[A-Za-z_][\w./-]*$/;

export function scaffold(request: ScaffoldRequest): Scaffold | ScaffoldProblem {
  const { kind, name, tools = [] } = request;
  const { source, fileName } = files[kind];
  const title = name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ');
  return renderSkill(request, fileName(name), source, { title, tools });
}

/** A skill from one of the project's templates; `context` is what the template needs beyond name and description. */
export function renderSkill(
  request: Pick<ScaffoldRequest, 'name' | 'description' | 'tools'>,
  fileName: string,
  source: string,
  context: object,
): Scaffold | ScaffoldProblem {
  const problem = problemOf(request);
  if (problem !== undefined) return { problem };
  const description = formatScalar(descriptionOf(request));
  const text = renderOwn(source, { ...context, name: formatScalar(request.name), description });
  // Only the name comes before the key, and a name has no blank.
  const start = text.indexOf(DESCRIPTION_KEY) + DESCRIPTION_KEY.length;
  return { fileName, text, description: span(start, start + description.length) };
}

const DESCRIPTION_KEY = 'description: ';

/** A description is one paragraph; YAML folds line breaks to a blank as well. */
const descriptionOf = ({ name, description }: Pick<ScaffoldRequest, 'name' | 'description'>): string =>
  description?.trim().replace(/\s*[\r\n]+\s*/g, ' ') ??
  `Handles requests such as "${name.replaceAll('-', ' ')}". Use it whenever someone asks for that.`;

function problemOf(request: Pick<ScaffoldRequest, 'name' | 'description' | 'tools'>): string | undefined {
  const { name, tools = [] } = request;
  if (!isName(name)) {
    const better = kebabName(name);
    const advice = better === undefined ? '' : ` Try \`${better}\`.`;
    return `${quote(name)} is no name for a skill: a name has lower-case letters, digits and single hyphens between them, at most 64 characters.${advice}`;
  }
  const { length } = descriptionOf(request);
  if (length === 0) return 'The description is empty: say what the skill does and when to use it.';
  if (length > MAX_DESCRIPTION) {
    return `The description has ${length} characters, and at most ${MAX_DESCRIPTION} are allowed: shorten it.`;
  }
  const tool = tools.find((candidate) => !TOOL.test(candidate));
  return tool === undefined
    ? undefined
    : `${quote(tool)} is no name for a tool: it has letters, digits, \`_\`, \`-\`, \`.\` and \`/\` only.`;
}

const quote = (text: string): string => {
  if (text.trim() === '') return 'A blank text';
  return `\`${text.length > 80 ? `${text.slice(0, 80)}…` : text}\``;
};

// The first text of a catalog: what the skills name already, and the rest of its vocabulary as comments.

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

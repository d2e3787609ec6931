/**
 * Creates the initial text of a new skill from the project's own templates with nunjucks. Templates are executed, so
 * values from the user (name, description, tools) are checked and passed only as plain values.
 */
import nunjucks from 'nunjucks';
import { formatNumber } from '../format-amounts.ts';
import { formatScalar } from '../languages/yaml/edit.ts';
import { descriptionOfNew } from '../skill/insert-key.ts';
import { isName, kebabName, namesProblem } from '../skill/kebab-name.ts';
import { type Span, span } from '../text.ts';
import contract from './templates/contract.skill.yaml.njk';
import literal from './templates/literal.skill.md.njk';
import agentSkill from './templates/SKILL.md.njk';
import source from './templates/skills.config.yaml.njk';
import staged from './templates/staged.skill.md.njk';
import template from './templates/template.skill.md.njk';

/** The kinds of new skills, without composites (see `composite.ts`). */
export const KINDS = ['literal', 'template', 'staged', 'contract', 'agent-skill'] as const;
export type Kind = (typeof KINDS)[number];

export interface ScaffoldRequest {
  readonly kind: Kind;
  /** The skill's name (docs/format.md, section 2). */
  readonly name: string;
  /** The text from which the name was made, such as `PDF Forms`; by default the words of the name. */
  readonly title?: string | undefined;
  /** The description; by default a sentence made from the name. */
  readonly description?: string | undefined;
  /** The names of the tools; a contract has no tools. */
  readonly tools?: readonly string[] | undefined;
}

export interface Scaffold {
  /** The path relative to the target folder, with `/` separators. */
  readonly fileName: string;
  readonly text: string;
  /** The span of the description in the text. */
  readonly description: Span;
}

/** The message about an invalid request. */
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

/** Renders one of the project's templates. Values from the user are plain values in `context`. */
export const renderOwn = (source: string, context: object): string => environment.renderString(source, context);

const MAX_DESCRIPTION = 1024;

/** The tool names that are valid after `#tool:` and without quotes in a list. */
const TOOL = /^[A-Za-z_][\w./-]*$/;

export function scaffold(request: ScaffoldRequest): Scaffold | ScaffoldProblem {
  const { kind, name, tools = [] } = request;
  const { source, fileName } = files[kind];
  const subject = subjectOf(request);
  // A first word with capitals inside, such as `iOS`, is kept.
  const title = subject.replace(/^\p{Ll}+(?!\p{L})/u, (word) => word.charAt(0).toUpperCase() + word.slice(1));
  return renderSkill(request, fileName(name), source, { title, subject: formatScalar(subject), tools });
}

/** Creates a skill from one of the project's templates. `context` contains the values besides name and description. */
export function renderSkill(
  request: Omit<ScaffoldRequest, 'kind'>,
  fileName: string,
  source: string,
  context: object,
): Scaffold | ScaffoldProblem {
  const problem = problemOf(request) ?? fileProblem(fileName);
  if (problem !== undefined) return { problem };
  const description = formatScalar(descriptionOf(request));
  const text = renderOwn(source, { ...context, name: formatScalar(request.name), description });
  // The only value before this key is the name, and a name cannot contain the key, because it has no spaces.
  const start = text.indexOf(DESCRIPTION_KEY) + DESCRIPTION_KEY.length;
  return { fileName, text, description: span(start, start + description.length) };
}

const DESCRIPTION_KEY = 'description: ';

/** Returns the description as one paragraph, because YAML also replaces line breaks with spaces. */
const descriptionOf = (request: Omit<ScaffoldRequest, 'kind'>): string =>
  request.description?.trim().replace(/\s*[\r\n]+\s*/g, ' ') ?? descriptionOfNew(subjectOf(request));

const MAX_TITLE = 100;

/** Returns what the skill is about: its title without characters that have a meaning in Markdown, or the words of its name. */
function subjectOf({ name, title = name }: Pick<ScaffoldRequest, 'name' | 'title'>): string {
  const words = name.replaceAll('-', ' ');
  if (isName(title)) return words;
  const plain = title
    .slice(0, MAX_TITLE)
    .replace(/[^\p{L}\p{M}\p{N}'’.,&+()/#-]+|(?<![\p{L}\p{N}])#+/gu, ' ')
    .replace(/^[^\p{L}\p{N}]+|\s+[^\p{L}\p{N}]*$/gu, '');
  return plain === '' ? words : plain;
}

function problemOf(request: Omit<ScaffoldRequest, 'kind'>): string | undefined {
  const { name, tools = [] } = request;
  if (!isName(name)) {
    const better = kebabName(name);
    const advice = better === undefined ? '' : ` Try \`${better}\`.`;
    return `${quote(name)} is not a valid skill name. Use at most 64 lower-case letters, digits and single hyphens.${advice}`;
  }
  const { length } = descriptionOf(request);
  if (length === 0) return 'The description is empty. Write what the skill does and when to use it.';
  if (length > MAX_DESCRIPTION) {
    return `The description has ${formatNumber(length)} characters; the limit is ${formatNumber(MAX_DESCRIPTION)}. Shorten it.`;
  }
  const tool = tools.find((candidate) => !TOOL.test(candidate));
  return tool === undefined
    ? undefined
    : `${quote(tool)} is not a valid tool name. Use only letters, digits, \`_\`, \`-\`, \`.\` and \`/\`.`;
}

function fileProblem(fileName: string): string | undefined {
  const problem = namesProblem(fileName);
  return problem === undefined ? undefined : `${quote(fileName)} ${problem}. Choose another name.`;
}

const quote = (text: string): string => {
  if (text.trim() === '') return 'An empty string';
  return `\`${text.length > 80 ? `${text.slice(0, 80)}…` : text}\``;
};

// The initial text of a catalog, with the names that the skills use, and examples of the other keys as comments.

interface CatalogStart {
  /** The tools, each with the skills that name it. */
  readonly tools: readonly { readonly name: string; readonly skills: readonly string[] }[];
  readonly scopes: readonly string[];
  readonly models: readonly string[];
}

const SHOWN_SKILLS = 3;

/** Returns the text of a valid catalog without findings, also after its commented-out examples are uncommented. */
export function scaffoldCatalog({ tools, scopes, models }: CatalogStart): string {
  const isTool = (name: string): boolean => tools.some((tool) => tool.name === name);
  let example = 'read_page';
  for (let at = 2; isTool(example); at++) example = `read_page_${at}`;
  const inFlow = (names: readonly string[]): readonly string[] => names.map((name) => formatScalar(name, true));
  return renderOwn(source, {
    tools: tools.map(({ name, skills }) => ({ name: formatScalar(name), users: usersOf(skills) })),
    scopes: scopes.map((scope) => formatScalar(scope)),
    example,
    exampleScopes: scopes.length > 0 ? inFlow(scopes.slice(0, 2)) : ['read:pages', 'write:pages'],
    models: models.length > 0 ? inFlow(models) : ['anthropic', 'openai'],
  });
}

/** Returns the names of the skills that use a tool, shortened and without line breaks, for a comment. */
function usersOf(skills: readonly string[]): string {
  const shown = skills.slice(0, SHOWN_SKILLS).map((name) => name.replace(/[\s\p{C}]+/gu, ' ').slice(0, 64));
  const others = skills.length - shown.length;
  return `${shown.join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
}

/** Skill files and their dialects (docs/format.md, section 1). */

/**
 * `catalog` is `skills.config.yaml` (section 6), which is read, checked and completed like a skill. `plugin` is the
 * manifest of a plugin, an extension or a marketplace, or the hooks of a plugin, `client-file` an agent, a command or
 * a file with instructions, `evals` a file with cases for a skill, `openai` the settings of a skill for Codex (section 9),
 * and `workflow` a file with commands for a build service.
 */
export type Dialect =
  | 'composer'
  | 'contract'
  | 'agent-skill'
  | 'catalog'
  | 'package'
  | 'plugin'
  | 'client-file'
  | 'evals'
  | 'openai'
  | 'workflow';

/** The dialects that can be composed. A package (section 8) can be composed only after conversion. */
export type SkillDialect = 'composer' | 'contract' | 'agent-skill';

export const isSkillDialect = (dialect: Dialect): dialect is SkillDialect =>
  dialect === 'composer' || dialect === 'contract' || dialect === 'agent-skill';

/** Returns whether a dialect belongs to a client and is not a skill: its files are read only for the names in them. */
export const isOfClient = (dialect: Dialect): boolean =>
  ['plugin', 'client-file', 'evals', 'openai', 'workflow'].includes(dialect);

/** Returns whether the files of a dialect are JSON. JSON has no comments, so nothing in these files can be suppressed. */
export const isJsonDialect = (dialect: Dialect): boolean =>
  dialect === 'package' || dialect === 'plugin' || dialect === 'evals';

/**
 * Returns the lines that close a frontmatter in a dialect (docs/format.md, sections 2 and 9). No observed client ends the
 * frontmatter of a `SKILL.md` or of an agent at `...`.
 */
export const closingLinesOf = (dialect: Dialect): 'hyphens' | 'hyphens-or-dots' =>
  dialect === 'agent-skill' || dialect === 'client-file' ? 'hyphens' : 'hyphens-or-dots';

export const CATALOG_NAME = 'skills.config.yaml';

/** The last part of a URI or path, still percent-encoded. */
export const fileNameOf = (uri: string): string => uri.slice(uri.lastIndexOf('/') + 1);

/** The URI of the folder of a file, without a trailing slash. */
export const folderOf = (uri: string): string => uri.slice(0, uri.lastIndexOf('/'));

/**
 * Returns the parent of the folder that contains a `SKILL.md`. The parent folder contains one folder for each skill.
 */
export const skillsFolderOf = (uri: string): string => folderOf(folderOf(uri));

/**
 * Returns whether a Markdown file is directly in the folder of skills of a client, where clients look for folders with
 * a `SKILL.md`. Few clients also read such files (`isReadFlat`).
 */
export const isFlatSkill = (uri: string): boolean =>
  /\/\.[\w-]+\/(?:[\w.-]+\/)?skills\/[^/]+\.md$/i.test(uri) &&
  !isAgentSkillName(fileNameOf(uri)) &&
  !/\.skill\.md$/.test(uri);

/** Accepts `SKILL.md` in any case; most clients read only the upper-case form. */
export const isAgentSkillName = (name: string): boolean => name.toLowerCase() === 'skill.md';

/**
 * Returns the dialect for a file name, or undefined for files that are not skills. Other Markdown is a skill only if
 * its frontmatter says so. Settings select the Markdown files to read.
 */
export function dialectOf(uri: string): Dialect | undefined {
  const name = fileNameOf(uri);
  if (name === CATALOG_NAME) return 'catalog';
  if (/^(?:plugin|marketplace)\.json$/.test(name) || isPluginManifest(uri) || HOOKS.test(uri)) return 'plugin';
  if (isAgentSkillName(name)) return 'agent-skill';
  if (name.endsWith('.skill.md')) return 'composer';
  if (/\.skill\.ya?ml$/.test(name)) return 'contract';
  if (name.endsWith('.skill.json')) return 'package';
  if (isInstructions(uri) || clientFileOf(uri) || agentAt(uri)) return 'client-file';
  if (EVALS.test(uri)) return 'evals';
  if (isOpenAiFile(uri) || folderOfMisnamed(uri) !== undefined) return 'openai';
  if (WORKFLOW.test(uri)) return 'workflow';
  if (OTHER_CLIENT_FILE.test(uri)) return undefined;
  if (name.endsWith('.md') || uri.startsWith('untitled:')) return 'composer';
  return undefined;
}

/** A file in the folder `evals` beside a `SKILL.md`. */
const EVALS = /\/evals\/[^/]+\.json$/;

/** Returns whether a file has the path of the settings of a skill for Codex, below the folder of the skill. */
export const isOpenAiFile = (uri: string): boolean => uri.endsWith('/agents/openai.yaml');

const OPENAI_NAMES = [
  'openai.yml',
  ...['OpenAI', 'Openai', 'OPENAI'].flatMap((name) => [`${name}.yaml`, `${name}.yml`]),
];

/** Paths below the folder of a skill that look like its settings for Codex, which does not read them. */
export const MISNAMED_OPENAI: readonly string[] = [
  ...OPENAI_NAMES.map((name) => `agents/${name}`),
  ...['openai.yaml', ...OPENAI_NAMES],
];

/** Returns the URI of the folder of a skill in which a file looks like its settings for Codex, but has another path. */
export function folderOfMisnamed(uri: string): string | undefined {
  const path = MISNAMED_OPENAI.find((one) => uri.endsWith(`/${one}`));
  if (path === undefined || isOpenAiFile(uri)) return undefined;
  const folder = uri.slice(0, -path.length - 1);
  // In other folders, a file with this name may be a description of OpenAI's service.
  return path.includes('/') || folderOf(folder).endsWith('/skills') ? folder : undefined;
}

/** The workflows of GitHub Actions and GitLab. */
const WORKFLOW = /\/\.github\/workflows\/[^/]+\.ya?ml$|\/\.gitlab-ci\.ya?ml$/;

const INSTRUCTIONS = /(?:^|\/)(?:CLAUDE(?:\.local)?|AGENTS|GEMINI)\.md$|\/\.github\/copilot-instructions\.md$/;

/** Returns whether a file contains the instructions of a project for an agent, such as `CLAUDE.md` (section 9). */
export const isInstructions = (uri: string): boolean => INSTRUCTIONS.test(uri);

/** Returns whether only an agent of a client reads a file, so that the file needs no frontmatter. */
export const isOfAgent = (uri: string): boolean =>
  isInstructions(uri) || clientFileOf(uri)?.root.endsWith('/.claude') === true || agentAt(uri)?.folder !== undefined;

/** An agent or a command of Claude Code. */
export interface ClientFile {
  readonly kind: 'agent' | 'command';
  /** The name of the file without its suffix. */
  readonly name: string;
  /** The URI of the folder that contains `agents` or `commands`: a folder `.claude`, or the folder of a plugin. */
  readonly root: string;
  /** The folders between `agents` or `commands` and the file, with `/` between them. */
  readonly below: string;
}

/** The path of an agent or a command of another client, which is not a skill. */
const OTHER_CLIENT_FILE = /\/\.[^/]+\/(?:agents|commands)\/.*\.md$|\.agent\.md$/;

/** Returns whether a file is a skill by its name, also in a folder of agents. */
const isSkillFile = (uri: string): boolean => isAgentSkillName(fileNameOf(uri)) || uri.endsWith('.skill.md');

/** The maximum number of folders below `agents` or `commands` of a plugin. Folders of clients have none. */
const DEEPEST_IN_PLUGINS = 2;

/** A path in a folder of agents or commands. */
interface PathBelow {
  readonly root: string;
  readonly folder: string;
  readonly below: readonly string[];
}

/**
 * Returns the last folder of agents or commands above a file that `isFolder` accepts by its parent, its name and the depth
 * of the file; undefined for a file below a folder `skills` there. Claude Code reads hidden folders, too.
 */
function pathBelow(
  uri: string,
  isFolder: (parent: string, name: string, depth: number) => boolean,
): PathBelow | undefined {
  const parts = uri.split('/');
  for (let at = parts.length - 2; at > 1; at--) {
    const folder = parts[at] ?? '';
    if (folder === 'skills') return undefined;
    if (isFolder(parts[at - 1] ?? '', folder, parts.length - 2 - at))
      return { root: parts.slice(0, at).join('/'), folder, below: parts.slice(at + 1, -1) };
  }
  return undefined;
}

const isFolderOfClaude = (parent: string, name: string, depth: number): boolean =>
  (name === 'agents' || name === 'commands') &&
  (parent === '.claude' || (depth <= DEEPEST_IN_PLUGINS && /^[^.]/.test(parent)));

const isFolderOfOther = (parent: string, name: string): boolean =>
  (parent === '.github' && name === 'agents') || (parent === '.opencode' && /^(?:agent|command)s?$/.test(name));

/** Returns the agent or the command that a file defines by its path (docs/format.md, section 9, "Agents and commands"). */
export function clientFileOf(uri: string): ClientFile | undefined {
  const file = uri.endsWith('.md') && !isSkillFile(uri) ? pathBelow(uri, isFolderOfClaude) : undefined;
  if (!file) return undefined;
  const { root, folder, below } = file;
  const kind = folder === 'agents' ? 'agent' : 'command';
  // Such a file is an agent of Copilot CLI, which Claude Code reads in its own folder.
  const isOfCopilot = uri.endsWith('.agent.md');
  if (isOfCopilot && !(kind === 'agent' && root.endsWith('/.claude'))) return undefined;
  const name = fileNameOf(uri).replace(/(?:\.agent)?\.md$/, '');
  return name === '' ? undefined : { kind, name: decoded(name), root, below: decoded(below.join('/')) };
}

/** A file that defines an agent, or a command of OpenCode. */
export interface AgentFile {
  readonly kind: 'agent' | 'command';
  /** The name that the client uses if the file has none: that of the file, without its suffix. */
  readonly name: string;
  /** The folder of agents that contains the file, relative to a project; undefined for an agent of a plugin. */
  readonly folder: string | undefined;
  /** The URI of the folder that contains `agents`. */
  readonly root: string;
  /** The folders between `agents` and the file, with `/` between them. */
  readonly below: string;
}

/**
 * Returns the agent, or the command of OpenCode, that a file defines by its path: in the folder of a client, or in a
 * folder `agents` that may belong to a plugin (docs/format.md, section 9, "Agents and commands").
 */
export function agentFileOf(uri: string): AgentFile | undefined {
  return dialectOf(uri) === 'client-file' ? agentAt(uri) : undefined;
}

/** Returns the agent at a path, which may also be that of a skill. */
function agentAt(uri: string): AgentFile | undefined {
  const own = clientFileOf(uri);
  if (own?.kind === 'agent') {
    const { name, root, below } = own;
    return { kind: 'agent', name, root, below, folder: root.endsWith('/.claude') ? '.claude/agents' : undefined };
  }
  const file = uri.endsWith('.md') && !isSkillFile(uri) ? pathBelow(uri, isFolderOfOther) : undefined;
  const name = fileNameOf(uri).replace(/(?:\.agent)?\.md$/, '');
  if (!file || name === '') return undefined;
  const { root, folder, below } = file;
  const kind = folder.startsWith('agent') ? 'agent' : 'command';
  return { kind, name: decoded(name), root, below: decoded(below.join('/')), folder: `${fileNameOf(root)}/${kind}s` };
}

/** A file that may contain the hooks of a plugin. */
const HOOKS = /\/hooks\/hooks\.json$/;

/** Returns whether a file may contain the hooks of a plugin, by its name and its folder. */
export const isHooksFile = (uri: string): boolean => HOOKS.test(uri);

const MANIFEST =
  /\/(?:\.(?:claude|codex|cursor)-plugin\/(?:plugin|marketplace)|\.github\/plugin\/(?:plugin|marketplace)|\.agents\/plugins\/marketplace|\.plugin\/plugin|(?:gemini|qwen)-extension)\.json$/;

/** Returns whether a file is the manifest of a plugin, an extension or a marketplace, by its name and its folder. */
export const isPluginManifest = (uri: string): boolean => MANIFEST.test(uri);

/** Returns whether a file may be the manifest of a marketplace in a folder in which few clients look for one. */
export const isMisplacedMarketplace = (uri: string): boolean =>
  fileNameOf(uri) === 'marketplace.json' && !MANIFEST.test(uri);

/** Returns whether a file is the manifest of an extension of Gemini CLI or Qwen Code, by its name. */
export const isExtensionManifest = (uri: string): boolean => /\/(?:gemini|qwen)-extension\.json$/.test(uri);

/**
 * Returns the URI of the folder to which the paths of a manifest are relative; undefined for a `plugin.json` in another
 * folder than those of clients, which is a manifest only if it names the schema of Agent Plugins.
 */
export function manifestFolderOf(uri: string): string | undefined {
  const at = MANIFEST.exec(uri)?.index;
  return at === undefined ? undefined : uri.slice(0, at);
}

/** Returns true if a file is a skill only if its frontmatter has `name` and `description`. */
export const isPlainMarkdown = (uri: string): boolean =>
  !/(\.skill\.md|\.skill\.json|\.ya?ml|(^|\/)SKILL\.md)$|^untitled:/.test(uri);

const SUFFIX = /(\.skill)?\.(md|ya?ml)$|\.skill\.json$/;

/** Returns the name of the file, or of the folder for `SKILL.md`; `Untitled-1` for a file that was never saved. The name may be an invalid skill name. */
export const nameFromUri = (uri: string): string =>
  decoded(fileNameOf(isAgentSkillName(fileNameOf(uri)) ? folderOf(uri) : uri))
    .replace(/^untitled:/, '')
    .replace(SUFFIX, '');

/** Returns the decoded path, or the unchanged path if a `%` in it is invalid. */
export function decoded(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * Returns the URI of a relative path in the folder with the URI `folder`, in the form of VS Code, like the URIs of the
 * index. A `..` at the root has no effect. Never throws.
 */
export function resolvePath(folder: string, path: string): string {
  const root = /^[a-z][a-z0-9+.-]*:\/\/[^/]*/i.exec(folder)?.[0] ?? '';
  const parts = folder.slice(root.length).split('/');
  for (const part of path.replaceAll('\\', '/').split('/')) {
    if (part === '..') parts.length = Math.max(1, parts.length - 1);
    else if (part !== '.' && part !== '') parts.push(encoded(part));
  }
  return root + parts.join('/');
}

/** Percent-encodes a path segment as VS Code does. A lone surrogate, which has no encoding, becomes U+FFFD. */
const encoded = (part: string): string =>
  encodeURIComponent(part.replace(/\p{Surrogate}/gu, '\uFFFD')).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/**
 * The files with the name of a skill: skills of the workspace, of the user's account and of plugins, and commands
 * (docs/clients.md, "Equal names").
 */
import { skillsFolderOf } from '../clients/matrix/client-folders.ts';
import { folderName, pathOf, type Subject, textOf } from '../clients/matrix/subject.ts';
import { folderOf } from '../vocabulary/dialect.ts';
import { isOfAccount } from '../workspace/workspace-index.ts';
import type { Analysis } from './analysis.ts';
import { isRootOfClaude, pluginIn } from './client-tools.ts';

/** A skill or a command with the name of a skill. */
export interface SameName {
  readonly uri: string;
  readonly scope: 'project' | 'user' | 'plugin' | 'command';
  /** The names of the plugins that ship the file. Their clients call it `plugin:name`. */
  readonly plugins: readonly string[];
}

/**
 * Returns the file and the others with its name, or with the name of its folder; empty if no other file has them. A link
 * and its target count as one file. Never throws.
 */
export function sameNames(analysis: Analysis, uri: string): readonly SameName[] {
  const subject = analysis.agentSkills.find(uri);
  if (!subject) return [];
  const namesIn = (one: Subject) => [folderName(one), textOf(one, 'name')?.text.trim()].filter(Boolean);
  const names = namesIn(subject);
  const realOf = (one: string): string => analysis.findLink(one)?.target ?? one;
  const isOfUser = (one: Subject): boolean => isOfAccount(analysis.index.graph, one.uri);
  const project = isOfUser(subject) ? undefined : skillsFolderOf(subject)?.base;
  const isBeside = (base: string | undefined): boolean => areRelated(project, base);
  const skills = analysis.agentSkills
    .withSimilarName(subject)
    .filter((other) => realOf(other.uri) !== realOf(uri) && namesIn(other).some((name) => names.includes(name)))
    .filter((other) => isOfUser(other) || isBeside(skillsFolderOf(other)?.base));
  const commands = analysis.clientFiles.filter(
    ({ kind, name, root, uri: command }) =>
      kind === 'command' &&
      names.includes(name) &&
      isRootOfClaude(analysis, root) &&
      isBeside(projectOf(root)) &&
      // A manifest may replace the folder of commands.
      (pluginIn(analysis, root)?.commands.some(({ path }) => path === pathOf(command)) ?? true),
  );
  if (skills.length + commands.length === 0) return [];
  return [
    ...[subject, ...skills].map((one): SameName => {
      const plugins = analysis.plugins.shipping(one.uri).map(({ name }) => name);
      const around = analysis
        .pluginsAround(one.uri)
        .find(({ commands }) => commands.some(({ path }) => path === one.file.path));
      const isCommand = around !== undefined && plugins.length === 0;
      const scope = isOfUser(one) ? 'user' : isCommand ? 'command' : plugins.length > 0 ? 'plugin' : 'project';
      const owners = analysis.plugins.all.filter(({ root }) => isCommand && pathOf(root) === around.path);
      return { uri: one.uri, scope, plugins: isCommand ? owners.map(({ name }) => name) : plugins };
    }),
    ...commands.map(({ uri: command, root }): SameName => {
      const plugins = analysis.plugins.all.flatMap((plugin) => (plugin.root === root ? [plugin.name] : []));
      return { uri: command, scope: 'command', plugins };
    }),
  ];
}

/** Returns the project of a folder `.claude`; undefined for the folder of a plugin. */
const projectOf = (root: string): string | undefined => (root.endsWith('/.claude') ? folderOf(root) : undefined);

/**
 * Returns whether a client that is started in one of two projects may read the other one, too: not for two packages of one
 * repository. An unknown project may be any.
 */
const areRelated = (one: string | undefined, other: string | undefined): boolean =>
  one === undefined || other === undefined || `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);

/**
 * The files with the name of a skill: skills of the workspace, of the user's account and of plugins, and commands
 * (docs/clients.md, "Equal names").
 */
import { folderName, type Subject, textOf } from '../clients/matrix/subject.ts';
import { isOfAccount } from '../workspace/workspace-index.ts';
import type { Analysis } from './analysis.ts';
import { clientFiles, isRootOfClaude } from './client-tools.ts';

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
  const skills = analysis.agentSkills
    .withSimilarName(subject)
    .filter((other) => realOf(other.uri) !== realOf(uri) && namesIn(other).some((name) => names.includes(name)));
  const commands = clientFiles(analysis).filter(
    ({ kind, name, root }) => kind === 'command' && names.includes(name) && isRootOfClaude(analysis, root),
  );
  if (skills.length + commands.length === 0) return [];
  return [
    ...[subject, ...skills].map((one): SameName => {
      const plugins = analysis.plugins.shipping(one.uri).map(({ name }) => name);
      const isOfUser = isOfAccount(analysis.index.graph, one.uri);
      return { uri: one.uri, scope: isOfUser ? 'user' : plugins.length > 0 ? 'plugin' : 'project', plugins };
    }),
    ...commands.map(({ uri: command, root }): SameName => {
      const plugins = analysis.plugins.all.flatMap((plugin) => (plugin.root === root ? [plugin.name] : []));
      return { uri: command, scope: 'command', plugins };
    }),
  ];
}

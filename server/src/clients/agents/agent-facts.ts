/** The facts of an agent file on which findings in other files depend (docs/clients.md, "Agents"). */
import { findValue, stringOf } from '../../languages/yaml/node.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { agentFileOf } from '../../vocabulary/dialect.ts';
import { FileReader } from '../pipeline/read.ts';
import { agentFaults } from './agent-faults.ts';
import { agentClients } from './agent-rules.ts';
import { skillsOfAgent } from './preloaded.ts';

export interface AgentFacts {
  /** The name by which the client calls the agent, without the names of a plugin and of its folders. */
  readonly name: string;
  /** The folders between `agents` and the file in a plugin, each with `:` after it, which Claude Code writes before the name. */
  readonly prefix?: string;
  /** The folder of agents that contains the file, relative to a project; undefined for an agent of a plugin. */
  readonly folder: string | undefined;
  /** The URI of the folder that contains `agents`. */
  readonly root: string;
  /** False if the client to which the folder belongs does not load the agent. */
  readonly isLoaded: boolean;
  /** The names of skills that the agent asks for. */
  readonly skills: readonly string[];
}

/** Returns the facts of an agent file; undefined for other files. Never throws. */
export function agentFactsOf(file: SkillFile): AgentFacts | undefined {
  const own = agentFileOf(file.uri);
  if (own?.kind !== 'agent') return undefined;
  const { folder, root } = own;
  const client = agentClients.find(({ folders }) => folder !== undefined && folders.includes(folder));
  const faults = client ? agentFaults(new FileReader(file.text), client, false) : [];
  const written = stringOf(findValue(file.frontmatter.tree.root, 'name'));
  return {
    name: written !== undefined && written !== '' ? written : own.name,
    folder,
    root,
    ...(folder === undefined && own.below !== '' && { prefix: `${own.below.replaceAll('/', ':')}:` }),
    isLoaded: faults.every(({ effect }) => effect === 'ignored' || effect === 'no-tools'),
    skills: skillsOfAgent(file).flatMap(({ name }) => (name === undefined ? [] : [name])),
  };
}

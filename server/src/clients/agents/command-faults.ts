/** The faults because of which Copilot CLI does not load a command in `.claude/commands` (docs/clients.md, "Agents"). */
import { FileReader } from '../pipeline/read.ts';
import { type AgentFault, agentFaults } from './agent-faults.ts';
import { agentClients } from './agent-rules.ts';

const COPILOT = agentClients.find(({ client, kind }) => client === 'copilot-cli' && kind === 'command');

/**
 * Returns the faults of a command in Copilot CLI. A command that begins with text needs no frontmatter. Never throws.
 *
 * @param text the text of the command
 */
export function commandFaults(text: string): readonly AgentFault[] {
  const hasFrontmatter = /^\uFEFF?\s*---/.test(text);
  return COPILOT && hasFrontmatter ? agentFaults(new FileReader(text), COPILOT, false) : [];
}

/** Returns the definition of a key of commands in Copilot CLI. */
export const commandKey = (name: string | undefined) => COPILOT?.keys.find((key) => key.name === name);

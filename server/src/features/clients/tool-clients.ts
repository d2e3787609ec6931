/** The clients whose tools are in a key of a `SKILL.md`. */

import type { AllowedTool } from '../../abilities/permissions.ts';
import { subjectOf } from '../../agent-skills/subject.ts';
import type { Analysis } from '../../analysis/analysis.ts';
import { targetsOf } from '../../analysis/targets.ts';
import { listed } from '../../nearest.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Client } from '../../vocabulary/client.ts';
import { clients, hasTool } from '../../vocabulary/clients.ts';
import { code, factLine, type Markdown, md, paragraphs, trusted } from '../markdown.ts';

export const STANDARD_KEY = 'allowed-tools';

/**
 * Returns the clients that define a client-specific key; for the standard key the targets, or all clients that grant
 * tools.
 */
export function clientsFor(analysis: Analysis, file: SkillFile, key: string): readonly Client[] {
  const { agentSkill } = file.summary;
  const targets = agentSkill ? targetsOf(analysis, subjectOf(file.uri, agentSkill)).clients : [];
  const known = (targets.length > 0 ? targets : clients.filter(grants)).filter(({ tools }) => tools);
  return key === STANDARD_KEY
    ? [...known.filter(grants), ...known.filter((client) => !grants(client))]
    : clients.filter(({ keys, tools }) => tools && keys.some(({ name }) => name === key));
}

export const grants = ({ allowedTools }: Client): boolean => allowedTools.value === 'grants';

/** Describes a tool in `allowed-tools`: its function in each client, and the effect of the key. */
export function describeToolWord(analysis: Analysis, file: SkillFile, { name, pattern }: AllowedTool): Markdown {
  const asked = clientsFor(analysis, file, STANDARD_KEY);
  const knows = asked.flatMap((client) => {
    const tool = client.tools?.value.names.find((one) => one.name === name);
    return tool ? [{ client, docs: tool.docs }] : [];
  });
  const namesFor = (docs: string) => knows.filter((one) => one.docs === docs).map(({ client }) => client.name);
  const does = [...new Set(knows.map(({ docs }) => docs))].map((docs) =>
    trusted(`${docs} (${listed(namesFor(docs))})`),
  );
  const others = asked.filter((client) => !hasTool(client, name)).map(({ name: own }) => own);
  const idle = knows.filter(({ client }) => !grants(client)).map(({ client }) => client.name);
  return paragraphs(
    factLine(md`**${name}** · tool`, pattern !== undefined && md`only ${code(pattern)}`),
    ...does,
    others.length > 0 && trusted(`${listed(others)} ${others.length === 1 ? 'has' : 'have'} no tool with this name.`),
    idle.length > 0 && trusted(`The key has no known effect in ${listed(idle)}.`),
  );
}

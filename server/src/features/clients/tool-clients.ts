/** The clients whose tools a key of a `SKILL.md` names. */
import { subjectOf } from '../../agent-skills/subject.ts';
import type { Analysis } from '../../analysis/analysis.ts';
import { targetsOf } from '../../analysis/targets.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Client } from '../../vocabulary/client.ts';
import { clients } from '../../vocabulary/clients.ts';

export const STANDARD_KEY = 'allowed-tools';

/** Where a client has a key of its own, that client; else the targets, or whoever grants tools. */
export function clientsFor(analysis: Analysis, file: SkillFile, key: string): readonly Client[] {
  const { agentSkill } = file.summary;
  const targets = agentSkill ? targetsOf(analysis, subjectOf(file.uri, agentSkill)).clients : [];
  const known = (targets.length > 0 ? targets : clients.filter(grants)).filter(({ tools }) => tools);
  return key === STANDARD_KEY
    ? [...known.filter(grants), ...known.filter((client) => !grants(client))]
    : clients.filter(({ keys, tools }) => tools && keys.some(({ name }) => name === key));
}

export const grants = ({ allowedTools }: Client): boolean => allowedTools.value === 'grants';

/** What the user's settings change in the index. */
import type { Change } from '../../analysis/workspace.ts';
import type { Settings } from '../../protocol.ts';

/** An empty list of clients is what editors show where nobody has set one. */
export const changesOf = ({ rules, agentSkills }: Settings): readonly Change[] => [
  { kind: 'severities', severities: rules ?? {} },
  { kind: 'clients', clients: agentSkills?.clients?.length ? agentSkills.clients : undefined },
];

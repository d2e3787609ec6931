/** The list of folders equals the facts about clients. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentClients } from '../../../server/src/clients/agents/agent-rules.ts';
import { clients } from '../../../server/src/clients/facts/clients.ts';
import { pathsOfClient } from '../../../server/src/clients/matrix/client-folders.ts';
import { CLIENT_PATHS } from '../../../server/src/vocabulary/client-paths.ts';

test('the folders that a search never leaves out are those of all clients', () => {
  const ofSkills = clients.flatMap((client) => [...pathsOfClient(client)]);
  const ofAgents = agentClients.flatMap(({ folders }) => folders);
  assert.deepEqual(
    CLIENT_PATHS.map((path) => path.join('/')),
    [...new Set([...ofSkills, ...ofAgents, '.claude/commands'])].sort(),
  );
});

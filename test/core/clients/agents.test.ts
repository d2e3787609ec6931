/** Agent files: the predictions are compared with runs of the clients (`npm run lab -- --agents`). */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AGENT_FORMS } from '../../../lab/agents/forms.ts';
import observations from '../../../lab/agents/observed.json';
import { agentFaults } from '../../../server/src/clients/agents/agent-faults.ts';
import { agentClients } from '../../../server/src/clients/agents/agent-rules.ts';
import { FileReader } from '../../../server/src/clients/pipeline/read.ts';

describe('agent files', () => {
  for (const { client: id, version, loaded } of observations) {
    it(`are loaded as ${id} ${version} did`, () => {
      const client = agentClients.find((one) => one.client === id && one.kind === undefined);
      assert.ok(client);
      const wrong = AGENT_FORMS.flatMap(({ id: form, question, text }) => {
        const faults = agentFaults(new FileReader(text), client, false);
        const isLoaded = faults.every(({ effect }) => effect === 'ignored' || effect === 'no-tools');
        const seen = (loaded as Readonly<Record<string, boolean>>)[form];
        return seen === isLoaded ? [] : [`${form} ${question}: seen ${seen}, predicted ${isLoaded}`];
      });
      assert.deepEqual(wrong, []);
    });
  }

  it('have observations of all clients whose agents are described, except those that were only read', () => {
    assert.deepEqual(
      agentClients.filter(({ kind, isRead }) => kind === undefined && !isRead).map(({ client }) => client),
      observations.map(({ client }) => client),
    );
  });
});

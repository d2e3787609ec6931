/** `skill/new`: what the editor asks for when a person makes a skill. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { NewSkillRequest, type NewSkillResult } from '../../server/src/protocol.ts';
import { withServer } from './server.ts';

test('the server answers with a file to be, and writes nothing', async () => {
  await withServer({}, async ({ connection }) => {
    const ask = (params: object) => connection.sendRequest<NewSkillResult>(NewSkillRequest, params);
    const made = await ask({ kind: 'contract', name: 'find-page', description: 'Finds: a page' });
    assert.ok('text' in made);
    assert.equal(made.fileName, 'find-page.skill.yaml');
    assert.equal(made.text.slice(made.description.start, made.description.end), '"Finds: a page"');
    const refused = await ask({ kind: 'literal', name: 'Find Page' });
    assert.ok('problem' in refused);
    assert.match(refused.problem, /Try `find-page`/);
    assert.match(JSON.stringify(await ask({ kind: 'composite', name: 'a' })), /no kind `composite`/);
  });
});

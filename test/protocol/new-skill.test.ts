/** `skill/new`: the request of the editor to create a skill. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { type NewSkillReply, NewSkillRequest } from '../../server/src/protocol.ts';
import { withServer } from './server.ts';

test('returns the new file, and writes nothing', async () => {
  await withServer({}, async ({ connection }) => {
    const ask = (params: object) => connection.sendRequest<NewSkillReply>(NewSkillRequest.method, params);
    const made = await ask({ kind: 'contract', name: 'find-page', description: 'Finds: a page' });
    assert.ok('text' in made);
    assert.equal(made.fileName, 'find-page.skill.yaml');
    assert.equal(made.text.slice(made.description.start, made.description.end), '"Finds: a page"');
    const titled = await ask({ kind: 'agent-skill', name: 'PDF Forms' });
    assert.ok('text' in titled);
    assert.deepEqual([titled.name, titled.fileName], ['pdf-forms', 'pdf-forms/SKILL.md']);
    assert.match(titled.text, /^---\nname: pdf-forms\ndescription: .*"PDF Forms".*\n---\n\n# PDF Forms\n/);
    assert.match(JSON.stringify(await ask({ kind: 'literal', name: '龍' })), /is not a valid skill name/);
    await assert.rejects(ask({ kind: 'orchestra', name: 'a' }), /params\.kind.*"agent-skill".*orchestra/);
    assert.match(
      JSON.stringify(await ask({ kind: 'workflow', name: 'a', composes: [] })),
      /must compose at least one skill/,
    );
  });
});

const part = (name: string, ...lines: readonly string[]): string =>
  ['---', `name: ${name}`, 'description: What it is.', 'version: 1.0.0', ...lines, '---', 'Do it.', ''].join('\n');

const parts = {
  'skills.config.yaml': 'scopes: [read:pages, read:maps]\ntools: []\n',
  'tell.skill.md': part('tell', 'input_schema: {doors: "string[]", tone: string?}', 'output_schema: {note: string}'),
  'find.skill.md': part(
    'find',
    'required_scopes: [read:pages]',
    'input_schema: {address: "string, where it stands", floor: {type: integer, min: 0}}',
    'output_schema: {building: string}',
  ),
  'count.skill.md': part(
    'count',
    'input_schema: {building: string, floor: integer}',
    'output_schema: {doors: "string[]"}',
  ),
};

test('a new composite has the inputs of its composed skills, composes them in order, and has no findings', async () => {
  await withServer(parts, async (server) => {
    const make = (kind: string, name: string, ...paths: readonly string[]) =>
      server.connection.sendRequest<NewSkillReply>(NewSkillRequest.method, {
        kind,
        name,
        composes: paths.map(server.uri),
      });
    await server.connection.sendRequest('skill/skills', {});
    const made = await make('composite', 'Plan Visit', 'tell.skill.md', 'find.skill.md', 'count.skill.md');
    assert.ok('text' in made, JSON.stringify(made));
    const [head] = made.text.split('level: 2\n');
    assert.equal(
      made.text.slice(head?.length),
      `level: 2
composes:
  - find
  - count
  - tell
---

Run the composed skills in order, and return the output of the last one.

If a question stays open, report it. Do not guess the answer.
`,
    );
    assert.match(
      made.text,
      /^required_scopes: \["read:pages"\]\ninput_schema:\n {2}address: "string, where it stands"$/m,
    );
    assert.match(made.text, /^output_schema:\n {2}note: string$/m);
    await server.open('plan-visit.skill.md', made.text);
    assert.deepEqual(
      (await server.published('plan-visit.skill.md')).map(({ message }) => message),
      [],
    );
    await server.connection.sendRequest('skill/skills', {});
    const workflow = await make('workflow', 'plan-all', 'plan-visit.skill.md');
    assert.ok('text' in workflow);
    await server.open('plan-all.skill.md', workflow.text);
    assert.deepEqual(
      (await server.published('plan-all.skill.md')).map(({ message }) => message),
      [],
    );
    assert.match(workflow.text, /^required_scopes: \["read:pages"\]$/m);
  });
});

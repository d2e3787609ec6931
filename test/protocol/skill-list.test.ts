/** The list of skills: one complete list, and then its changes. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import {
  type SetEnabledReply,
  SetEnabledRequest,
  type SkillDetailsReply,
  SkillDetailsRequest,
  SkillsChangedNotification,
  type SkillsChangedParams,
  type SkillsReply,
  SkillsRequest,
} from '../../server/src/protocol.ts';
import { type Server, withServer } from './server.ts';
import { until } from './until.ts';

const skill = (name: string, ...lines: readonly string[]): string =>
  ['---', `name: ${name}`, 'description: What it is.', 'version: 1.0.0', 'input_schema: {}', ...lines, '---', ''].join(
    '\n',
  );

const files = {
  'skills/whole.skill.md': skill('whole', 'output_schema: {}', 'composes: [middle]'),
  'skills/middle.skill.md': skill('middle', 'output_schema: {}', 'composes: [part]'),
  'skills/part.skill.md': `${skill('part')}\nSay hello to everybody who comes in.\n`,
  'agent/greet/SKILL.md': '---\nname: greet\ndescription: Greets.\n---\n\nSay hello.\n',
  'call.skill.yaml': 'name: call\ndescription: Calls.\nversion: 2.0.0\ninput_schema: {}\n',
  'skills.config.yaml': 'tools: []\n',
};

const list = async ({ connection }: Server): Promise<SkillsReply['skills']> =>
  (await connection.sendRequest<SkillsReply>(SkillsRequest.method, {})).skills;

/** Collects, for each change, the names and levels of changed skills, and the paths of removed skills after `-`. */
function changes({ connection, uri }: Server): string[][] {
  const seen: string[][] = [];
  connection.onNotification(SkillsChangedNotification.method, ({ changed, gone }: SkillsChangedParams) => {
    const names = [...changed.map(({ name, level }) => `${name} ${level}`), ...gone.map((one) => `-${one}`)];
    seen.push(names.map((name) => name.replace(uri(''), '')).sort());
  });
  return seen;
}

test('the list contains every skill with version, level and approximate tokens, but no catalog', async () => {
  await withServer(files, async (server) => {
    const rows = (await list(server)).map(
      ({ name, dialect, version, level, tokens }) => `${name} ${dialect} ${version} ${level} ${tokens}`,
    );
    assert.deepEqual(rows.sort(), [
      'call contract 2.0.0 1 null',
      'greet agent-skill null null 3',
      'middle composer 1.0.0 2 0',
      'part composer 1.0.0 1 9',
      'whole composer 1.0.0 3 0',
    ]);
  });
});

test('sends only the changes to the list after an edit', async () => {
  await withServer(files, async (server) => {
    await list(server);
    const seen = changes(server);
    // The text is the same as on disk, so there is no change.
    await server.open('skills/whole.skill.md');
    await server.open('skills/part.skill.md', skill('part').replace('1.0.0', '1.1.0'));
    await until('the edited skill', () => seen.length > 0);
    assert.deepEqual(seen, [['part 1']]);
    await server.open('skills/middle.skill.md', skill('middle', 'output_schema: {}'));
    await until('the levels above it', () => seen.length > 1);
    assert.deepEqual(seen.slice(1), [['middle 1', 'whole 2']]);
    await server.open('new.skill.md', skill('new'));
    await until('the new skill', () => seen.length > 2);
    await server.connection.sendNotification('textDocument/didClose', {
      textDocument: { uri: server.uri('new.skill.md') },
    });
    await until('its end', () => seen.length > 3);
    assert.deepEqual(seen.slice(2), [['new 1'], ['-/new.skill.md']]);
  });
});

test('a new request for the list includes all changes', async () => {
  await withServer(files, async (server) => {
    await list(server);
    const seen = changes(server);
    await server.open('skills/part.skill.md', skill('part').replace('1.0.0', '1.1.0'));
    await list(server);
    assert.deepEqual(seen, [['part 1']]);
  });
});

test('sends no changes to a client that has not requested the list', async () => {
  await withServer(files, async (server) => {
    const seen = changes(server);
    let statuses = 0;
    server.connection.onNotification('skill/status', () => void statuses++);
    await server.connection.sendRequest('skill/about', {});
    await server.open('new.skill.md', skill('new'));
    await until('the announcement', () => statuses > 0);
    assert.deepEqual(seen, []);
  });
});

test('the details of a skill are Markdown with escaped text, and contain the location of its name', async () => {
  const hostile = skill('part').replace('What it is.', '"[click](command:evil) <img src=x>"');
  await withServer({ 'part.skill.md': hostile }, async (server) => {
    await list(server);
    const details = (path: string) =>
      server.connection.sendRequest<SkillDetailsReply | null>(SkillDetailsRequest.method, { uri: server.uri(path) });
    const found = await details('part.skill.md');
    assert.match(found?.description.value ?? '', /\*\*part\*\* · skill · 1\.0\.0/);
    assert.match(found?.description.value ?? '', /\\\[click\\\]\(command:evil\) \\<img src=x>/);
    assert.deepEqual(found?.nameRange, { start: { line: 1, character: 6 }, end: { line: 1, character: 10 } });
    assert.equal(await details('nowhere.skill.md'), null);
  });
});

test('an edit to the catalog disables a skill, and the list marks the skill as disabled', async () => {
  await withServer(files, async (server) => {
    const skills = await list(server);
    assert.ok(skills.every(({ isDisabled }) => !isDisabled));
    const told: SkillsChangedParams['changed'][number][] = [];
    server.connection.onNotification(SkillsChangedNotification.method, ({ changed }: SkillsChangedParams) => {
      told.push(...changed);
    });
    const uri = server.uri('skills/part.skill.md');
    const ask = (enabled: boolean) =>
      server.connection.sendRequest<SetEnabledReply>(SetEnabledRequest.method, { uri, enabled });
    const catalog = server.uri('skills.config.yaml');
    const end = { line: 0, character: 9 };
    assert.deepEqual(await ask(false), {
      kind: 'edits',
      uri: catalog,
      edits: [{ range: { start: end, end }, newText: '\npermissions:\n  part: {enabled: false}' }],
    });
    assert.deepEqual(await ask(true), { kind: 'nothing', catalog });
    await server.open('skills.config.yaml', 'tools: []\npermissions:\n  part: {enabled: false}\n');
    await until('the disabled skill', () => told.length > 0);
    assert.deepEqual(
      told.map(({ name, isDisabled }) => `${name} ${isDisabled}`),
      ['part true'],
    );
  });
});

test('returns no edit to disable a skill without a catalog', async () => {
  await withServer({ 'part.skill.md': skill('part') }, async (server) => {
    const params = { uri: server.uri('part.skill.md'), enabled: false };
    assert.deepEqual(await server.connection.sendRequest(SetEnabledRequest.method, params), { kind: 'no-catalog' });
  });
});

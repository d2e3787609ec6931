/** A panel requests its content again after a change outside of the text of its skill. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import {
  type AboutReply,
  AboutRequest,
  ComposableChangedNotification,
  type ComposableChangedParams,
  type ComposeReply,
  NewCatalogRequest,
  type RunTestsReply,
  RunTestsRequest,
  type Status,
  StatusNotification,
} from '../../server/src/protocol.ts';
import { change, compose, files, PATH, skill } from './draft-scene.ts';
import { type Server, withServer } from './server.ts';

/**
 * Waits until the server has sent all notifications for panels, at most 300 ms after an edit. The server reports a new
 * skill 200 ms after the file was opened, so twice that time is sufficient.
 */
async function allNewsTold({ connection, open, uri }: Server): Promise<void> {
  // The server responds when it has read and checked all files.
  await connection.sendRequest(NewCatalogRequest.method, { folder: uri('') });
  const { skills } = await connection.sendRequest<AboutReply>(AboutRequest.method, { uri: uri(PATH) });
  for (const more of [1, 2]) {
    const told = new Promise<void>((resolve) => {
      connection.onNotification(StatusNotification.method, (status: Status) => {
        if (status.skills === skills + more) resolve();
      });
    });
    const name = `one-more-${skills + more}`;
    await open(`${name}.skill.md`, `---\nname: ${name}\ndescription: One more.\ninput_schema: {}\n---\n`);
    await told;
  }
}

test("notifies panels of changes outside of the skill's text", async () => {
  const catalog = 'tools:\n  - {name: read_page, description: Reads a page.}\n';
  await withServer({ ...files, 'skills.config.yaml': catalog }, async (server) => {
    let told = 0;
    let tell = (): void => {};
    const next = (): Promise<void> =>
      new Promise((resolve) => {
        tell = resolve;
      });
    server.connection.onNotification('skill/composableChanged', () => {
      told++;
      tell();
    });
    await server.open(PATH);
    // The server may notify a client of a composition once while it reads the catalog and the workspace.
    await compose(server);
    await allNewsTold(server);
    const before = told;
    await change(server, 2, skill('Draft another at {{ place }}.'));
    await compose(server);
    await allNewsTold(server);
    assert.equal(told, before, 'an edit of its own text is not reported');
    const heard = next();
    await server.open('skills.config.yaml', `${catalog}  - {name: search_pages, description: Searches.}\n`);
    await heard;
  });
});

test('notifies the panels of composites after the user has finished typing in a composed skill', async () => {
  const scene = (stages: string): string =>
    ['---', 'name: scene', 'description: Makes a scene.', 'version: 1.0.0', 'input_schema: {}', '---', stages].join(
      '\n',
    );
  const whole = [
    '---',
    'name: chapter',
    'description: Makes a chapter.',
    'version: 1.0.0',
    'level: 2',
    'input_schema: {}',
    'composes: [scene]',
    '---',
    'Write.',
  ].join('\n');
  const ofScene = 'scene.skill.md';
  const stages = (name: string): string => `Do it.\n\n## Approach: main\n\n1. ${name}: do it.\n`;
  await withServer({ 'chapter.skill.md': whole, [ofScene]: scene(stages('Plan')) }, async (server) => {
    const shown = async (): Promise<string> => {
      const reply = await server.connection.sendRequest<ComposeReply | null>('skill/compose', {
        uri: server.uri('chapter.skill.md'),
      });
      return JSON.stringify(reply?.result);
    };
    await server.open('chapter.skill.md');
    await server.open(ofScene);
    assert.match(await shown(), /"Plan"/);
    await allNewsTold(server);
    const told = new Promise<void>((resolve) => {
      server.connection.onNotification('skill/composableChanged', () => resolve());
    });
    await server.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri: server.uri(ofScene), version: 2 },
      contentChanges: [{ text: scene(stages('Dream')) }],
    });
    await told;
    assert.match(await shown(), /"Dream"/);
  });
});

test('notifies the panel of a skill with routing cases when any description changes', async () => {
  const routed = `---\nname: greet\ndescription: Greets guests.\nrouting: {should: [greet a guest]}\n---\n`;
  const other = (description: string) => `---\nname: wave\ndescription: ${description}\n---\n`;
  const both = { 'greet.skill.md': routed, 'wave.skill.md': other('Waves.') };
  await withServer(both, async (server) => {
    const { connection, open, uri } = server;
    const run = () => connection.sendRequest<RunTestsReply>(RunTestsRequest.method, { uri: uri('greet.skill.md') });
    assert.deepEqual(
      (await run()).results?.map(({ status }) => status),
      ['passed'],
    );
    await allNewsTold(server);
    const told = new Promise<readonly string[] | null>((resolve) => {
      connection.onNotification(ComposableChangedNotification.method, ({ uris }: ComposableChangedParams) =>
        resolve(uris),
      );
    });
    await open('wave.skill.md', other('Greet a guest, greet guests, greet.'));
    assert.ok((await told)?.includes(uri('greet.skill.md')));
  });
});

test('notifies the panel of a SKILL.md with requests in its evals when any description changes', async () => {
  const other = (description: string) => `---\nname: wave\ndescription: ${description}\n---\n`;
  const files = {
    'greet/SKILL.md': '---\nname: greet\ndescription: Greets guests.\n---\nGreet.\n',
    'greet/evals/triggers.json': '[{"query": "greet a guest", "should_trigger": true}]',
    'plain/SKILL.md': '---\nname: plain\ndescription: Cleans windows.\n---\nClean.\n',
    'wave.skill.md': other('Waves.'),
  };
  await withServer(files, async (server) => {
    const { connection, open, uri } = server;
    for (const path of ['greet/SKILL.md', 'plain/SKILL.md']) {
      await connection.sendRequest<RunTestsReply>(RunTestsRequest.method, { uri: uri(path) });
    }
    await allNewsTold(server);
    const told = new Promise<readonly string[] | null>((resolve) => {
      connection.onNotification(ComposableChangedNotification.method, ({ uris }: ComposableChangedParams) =>
        resolve(uris),
      );
    });
    await open('wave.skill.md', other('Greet a guest, greet guests, greet.'));
    const concerned = (await told) ?? [];
    assert.ok(concerned.includes(uri('greet/SKILL.md')));
    assert.ok(!concerned.includes(uri('plain/SKILL.md')));
  });
});

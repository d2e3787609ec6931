/** The composition graph over the wire: the graph itself, the call hierarchy, inlay hints. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type { CallHierarchyIncomingCall, CallHierarchyItem, InlayHint } from 'vscode-languageserver-protocol';
import { type GraphPage, requestGraph } from '../../server/src/protocol.ts';
import { type Server, withServer } from './server.ts';

const skill = (name: string, ...lines: readonly string[]): string =>
  ['---', `name: ${name}`, 'description: What it is.', 'version: 1.0.0', 'input_schema: {}', ...lines, '---', ''].join(
    '\n',
  );

const WHOLE = skill('whole', 'level: 2', 'composes: [part, gone]', 'requires: [{skill: part, version: ^1.0.0}]');
const files = {
  'whole.skill.md': WHOLE,
  'part.skill.md': skill('part', 'level: 1', 'effects: [Query]'),
  'alone.skill.md': skill('alone', 'level: 1'),
};

/** Waits until the server has read all files, because names are not resolved until then. */
async function ready(server: Server): Promise<void> {
  await server.published('whole.skill.md', (all) => all.some(({ code }) => code === 'skill-not-found'));
}

const graph = ({ connection }: Server, params: object = {}) =>
  connection.sendRequest<GraphPage | null>('skill/graph', params);

test('the graph of the workspace contains ranges and the number of findings', async () => {
  await withServer(files, async (server) => {
    await ready(server);
    const reply = await graph(server);
    assert.deepEqual(
      reply?.nodes.map(({ name }) => name),
      ['alone', 'whole', 'gone', 'part'],
    );
    const whole = reply?.nodes.find(({ name }) => name === 'whole');
    assert.ok(whole?.kind === 'skill');
    assert.equal(whole.uri, server.uri('whole.skill.md'));
    assert.deepEqual(whole.range, { start: { line: 1, character: 6 }, end: { line: 1, character: 11 } });
    const shown = await server.published('whole.skill.md');
    assert.equal(whole.findings.errors, shown.filter(({ severity }) => severity === 1).length);
    assert.equal('span' in whole, false);
    assert.equal(reply?.edges[0]?.requires, '^1.0.0');
    assert.deepEqual(reply?.edges[0]?.range.start, { line: 6, character: 11 });
  });
});

test('the graph includes the skill list of each target client', async () => {
  const listed = {
    'skills.config.yaml': 'agent_skills: {clients: [claude-code]}\n',
    '.claude/skills/tidy/SKILL.md': '---\nname: tidy\ndescription: Tidies notes.\n---\n\nTidy them.\n',
  };
  await withServer(listed, async (server) => {
    const reply = await graph(server);
    assert.deepEqual(
      reply?.lists.map(({ folder, client, fill }) => [folder, client, fill.skills, fill.limit]),
      [[server.uri('').replace(/\/$/, ''), 'Claude Code', 1, 23_924]],
    );
  });
});

test('the graph for an editor counts all findings, not only findings about composition', async () => {
  const wrong = skill('alone', 'level: 1', 'operation: GUESS', 'effects: [Wish]');
  await withServer({ ...files, 'alone.skill.md': wrong }, async (server) => {
    const shown = await server.published('alone.skill.md', (all) => all.length > 1);
    const reply = await graph(server);
    const alone = reply?.nodes.find(({ name }) => name === 'alone');
    assert.ok(alone?.kind === 'skill');
    assert.equal(alone.findings.errors, shown.filter(({ severity }) => severity === 1).length);
    assert.ok(alone.findings.errors > 0);
  });
});

test('the graph of one skill contains the skills that its buffer reaches', async () => {
  await withServer(files, async (server) => {
    await ready(server);
    const uri = server.uri('whole.skill.md');
    const names = async () => (await graph(server, { uri }))?.nodes.map(({ name }) => name);
    assert.deepEqual(await names(), ['whole', 'gone', 'part']);
    await server.open('whole.skill.md', WHOLE.replace('gone', 'alone'));
    assert.deepEqual(await names(), ['whole', 'alone', 'part']);
    assert.equal(await graph(server, { uri: server.uri('nowhere.skill.md') }), null);
  });
});

test('notifies a client of changes after it has requested a graph', async () => {
  await withServer(files, async (server) => {
    await ready(server);
    const told = new Promise<void>((resolve) => {
      server.connection.onNotification('skill/graphChanged', () => resolve());
    });
    await graph(server);
    await server.open('whole.skill.md', WHOLE.replace('gone', 'alone'));
    await told;
  });
});

test('reports that compositions now exist, even without a request for a graph', async () => {
  const { 'part.skill.md': part, 'alone.skill.md': alone } = files;
  await withServer({ 'part.skill.md': part, 'alone.skill.md': alone }, async (server) => {
    const has = () => server.connection.sendRequest<boolean>('skill/hasCompositions', {});
    assert.equal(await has(), false);
    const told = new Promise<void>((resolve) => {
      server.connection.onNotification('skill/graphChanged', () => resolve());
    });
    await server.open('alone.skill.md', alone.replace('level: 1', 'level: 2\ncomposes: [part]'));
    await told;
    assert.equal(await has(), true);
  });
});

test('reports a changed severity as a change to the graph', async () => {
  await withServer(files, async (server) => {
    await ready(server);
    const errors = async () =>
      (await graph(server))?.nodes.flatMap((one) => (one.kind === 'skill' ? one.findings.errors : 0));
    const before = await errors();
    const told = new Promise<void>((resolve) => {
      server.connection.onNotification('skill/graphChanged', () => resolve());
    });
    await server.connection.sendNotification('workspace/didChangeConfiguration', {
      settings: { skillComposer: { rules: { 'skill-not-found': 'warning' } } },
    });
    await told;
    // The unknown name in `whole`, which is the second file.
    assert.deepEqual(
      await errors(),
      before?.map((count, at) => (at === 1 ? count - 1 : count)),
    );
  });
});

test('the call hierarchy lists the composites that use a composed skill', async () => {
  await withServer(files, async (server) => {
    assert.equal(server.initialized.capabilities.callHierarchyProvider, true);
    await ready(server);
    await server.open('whole.skill.md');
    const items = await server.connection.sendRequest<CallHierarchyItem[]>('textDocument/prepareCallHierarchy', {
      textDocument: { uri: server.uri('whole.skill.md') },
      position: { line: 6, character: 12 },
    });
    assert.equal(items[0]?.name, 'part');
    const calls = await server.connection.sendRequest<CallHierarchyIncomingCall[]>('callHierarchy/incomingCalls', {
      item: items[0],
    });
    assert.deepEqual(
      calls.map(({ from }) => from.name),
      ['whole'],
    );
  });
});

const hints = ({ connection, uri }: Server) =>
  connection.sendRequest<InlayHint[]>('textDocument/inlayHint', {
    textDocument: { uri: uri('whole.skill.md') },
    range: { start: { line: 0, character: 0 }, end: { line: 20, character: 0 } },
  });

test('inlay hints follow the settings', async () => {
  await withServer(
    files,
    async (server) => {
      await ready(server);
      await server.open('whole.skill.md');
      const labels = async () => (await hints(server)).map(({ label }) => label);
      assert.deepEqual(await labels(), ['→ 1.0.0']);
      await server.connection.sendNotification('workspace/didChangeConfiguration', {
        settings: { skillComposer: { inlayHints: ['effects'] } },
      });
      assert.deepEqual(await labels(), ['effects: Query']);
    },
    { initializationOptions: { inlayHints: ['versions'] } },
  );
});

test('requests a refresh of inlay hints when another file changes the graph', async () => {
  await withServer(
    files,
    async (server) => {
      let asked = 0;
      let next = (): void => {};
      server.connection.onRequest('workspace/inlayHint/refresh', () => {
        asked++;
        next();
        return null;
      });
      const refreshed = (count: number) =>
        new Promise<void>((resolve) => {
          next = () => asked >= count && resolve();
          next();
        });
      await ready(server);
      // The server sends one notification after it has read all files.
      await refreshed(1);
      await server.open('part.skill.md', files['part.skill.md'].replace('Query', 'Network'));
      await refreshed(2);
      await server.open('whole.skill.md');
      assert.deepEqual((await hints(server))[0]?.label, 'effects: Network');
    },
    { capabilities: { workspace: { inlayHint: { refreshSupport: true } } } },
  );
});

test('a large graph arrives in pages, between which the server answers other requests', async () => {
  const parts = Array.from({ length: 90 }, (_, at) => `part-${at}`);
  const wholes = Array.from({ length: 50 }, (_, at) => `whole-${at}`);
  const many = Object.fromEntries([
    ...parts.map((name) => [`${name}.skill.md`, skill(name)]),
    ...wholes.map((name) => [`${name}.skill.md`, skill(name, `composes: [${parts.join(', ')}]`)]),
  ]);
  await withServer(many, async (server) => {
    const pages: GraphPage[] = [];
    const whole = await requestGraph(async (params) => {
      const page = await graph(server, params);
      if (page) pages.push(page);
      return page;
    }, {});
    assert.deepEqual(
      pages.map(({ nodes, edges }) => [nodes.length, edges.length]),
      [
        [140, 4000],
        [0, 500],
      ],
    );
    assert.equal(whole?.edges.length, 4500);
    assert.equal(new Set(whole?.edges.map(({ from, to }) => `${from} ${to}`)).size, 4500);
    assert.equal(await graph(server, { next: pages[0]?.next ?? '' }), null, 'a complete graph is not kept');
  });
});

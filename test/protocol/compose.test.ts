/** The preview's requests, and the samples that the server composes when nobody types. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type { Diagnostic, WorkspaceDiagnosticReport } from 'vscode-languageserver-protocol';
import {
  type AboutReply,
  AboutRequest,
  type ComposeParams,
  type ComposeReply,
  NewCatalogRequest,
  type SamplesReply,
  type SaveSampleReply,
  StatusNotification,
  type StatusParams,
} from '../../server/src/protocol.ts';
import { type Server, withServer } from './server.ts';

const skill = (template: string, ...lines: string[]): string =>
  [
    '---',
    'name: draft-scene',
    'description: Drafts a scene.',
    'version: 1.2.0',
    'input_schema: {place: string, tone: "string?"}',
    'framing: main',
    ...lines,
    'samples:',
    '  storm: {request: Draft it, parameters: {place: the pass}}',
    '---',
    '',
    '## PromptTemplate: main',
    '',
    template,
    '',
  ].join('\n');

const PATH = 'draft-scene.skill.md';
const files = { [PATH]: skill('Draft a scene at {{ place }}.') };

const compose = ({ connection, uri }: Server, params: Partial<ComposeParams> = {}): Promise<ComposeReply | null> =>
  connection.sendRequest('skill/compose', { uri: uri(PATH), sample: 'storm', ...params });

const change = ({ connection, uri }: Server, version: number, text: string) =>
  connection.sendNotification('textDocument/didChange', {
    textDocument: { uri: uri(PATH), version },
    contentChanges: [{ text }],
  });

const promptOf = (reply: ComposeReply | null): string => (reply?.result.ok ? reply.result.composition.prompt : '');
const failing = (all: readonly Diagnostic[]) => all.some(({ code }) => code === 'sample-fails');

test('a skill is composed as it stands in the buffer', async () => {
  await withServer(files, async (server) => {
    await server.open(PATH);
    const reply = await compose(server);
    assert.match(promptOf(reply), /^Draft a scene at the pass\./);
    assert.deepEqual(
      [reply?.version, reply?.name, reply?.skillVersion, reply?.toolsKnown],
      [1, 'draft-scene', '1.2.0', false],
    );
    assert.deepEqual(reply?.invocation, { request: 'Draft it', parameters: { place: 'the pass' }, source: 'explicit' });
    await change(server, 2, skill('Tell of {{ place }}.'));
    const next = await compose(server, { invocation: { parameters: { place: 'the sea' } } });
    assert.match(promptOf(next), /^Tell of the sea\./);
    assert.equal(next?.version, 2);
  });
});

test('places are ranges in the buffer', async () => {
  await withServer(files, async (server) => {
    await server.open(PATH, skill('🐉 龙 {{ place | nope }}.'));
    const reply = await compose(server);
    assert.ok(reply && !reply.result.ok);
    const [error] = reply.result.errors;
    assert.deepEqual(error?.range, { start: { line: 12, character: 16 }, end: { line: 12, character: 20 } });
    assert.equal('span' in (error ?? {}), false);
  });
});

test('of requests for one key the newest wins, while somebody types', async () => {
  await withServer(files, async (server) => {
    await server.open(PATH);
    const replies = [];
    for (let version = 2; version < 12; version++) {
      await change(server, version, skill(`Draft number ${version}.`));
      replies.push(compose(server, { key: 'panel' }));
    }
    const other = compose(server, { key: 'another' });
    const answered = await Promise.all(replies);
    assert.match(promptOf(answered.at(-1) ?? null), /^Draft number 11\./);
    assert.ok(answered.slice(0, -1).some((reply) => reply === null));
    assert.match(promptOf(await other), /^Draft number 11\./);
  });
});

test('what is no skill composes to nothing', async () => {
  await withServer({ ...files, 'skills.config.yaml': 'tools: []\n' }, async (server) => {
    assert.equal(await compose(server, { uri: server.uri('skills.config.yaml') }), null);
    assert.equal(await compose(server, { uri: server.uri('nowhere.skill.md') }), null);
  });
});

test('samples, examples and the words of an invocation are told', async () => {
  const example = '\n## Example: calm\n\n### Input\n\n```yaml\nplace: the bay\n```\n\n### Output\n\nIt is calm.\n';
  const text = skill('Draft {{ place }}.', 'model_preference: large') + example;
  const catalog = 'profiles:\n  - {name: reader, tools: []}\n';
  await withServer({ [PATH]: text, 'skills.config.yaml': catalog }, async ({ connection, uri, open }) => {
    await open(PATH);
    const reply = (await connection.sendRequest('skill/samples', { uri: uri(PATH) })) as SamplesReply;
    assert.deepEqual(reply.samples, [
      {
        name: 'storm',
        range: { start: { line: 8, character: 2 }, end: { line: 8, character: 7 } },
        invocation: { request: 'Draft it', parameters: { place: 'the pass' } },
      },
    ]);
    assert.deepEqual(
      reply.examples.map(({ name, invocation }) => [name, invocation]),
      [['calm', { parameters: { place: 'the bay' } }]],
    );
    assert.deepEqual([reply.profiles, reply.models], [['reader'], ['large']]);
    assert.deepEqual(Object.keys((reply.schema as { properties: object }).properties), ['place', 'tone']);
  });
});

test('a sample is saved by an edit of the buffer', async () => {
  await withServer(files, async ({ connection, uri, open }) => {
    await open(PATH);
    const params = { uri: uri(PATH), name: 'calm', invocation: { request: 'Draft it' } };
    const reply = (await connection.sendRequest('skill/saveSample', params)) as SaveSampleReply;
    assert.deepEqual(reply, {
      version: 1,
      edits: [
        {
          range: { start: { line: 8, character: 0 }, end: { line: 8, character: 0 } },
          newText: '  calm: {request: Draft it}\n',
        },
      ],
    });
  });
});

test('samples that fail are diagnostics of open and of closed files, and go when they are mended', async () => {
  const bad = skill('Draft {{ place }}, {{ tone }}.');
  await withServer({ [PATH]: bad, 'other.skill.md': bad.replace('draft-scene', 'other') }, async (server) => {
    await server.published('other.skill.md', failing);
    await server.open(PATH);
    const found = await server.published(PATH, failing);
    assert.match(String(found[0]?.message), /^The sample `storm` does not compose: `tone` is undefined/);
    await change(server, 2, skill('Draft {{ place }}, {{ tone | default("") }}.'));
    await server.published(PATH, (all) => all.length === 0);
    await change(server, 3, bad);
    await server.published(PATH, failing);
  });
});

test('a client that pulls is told to ask again', async () => {
  const capabilities = {
    textDocument: { diagnostic: {} },
    workspace: { diagnostics: { refreshSupport: true } },
  };
  await withServer(
    { [PATH]: skill('Draft {{ place }}, {{ tone }}.') },
    async (server) => {
      const pull = async (): Promise<readonly Diagnostic[]> => {
        const params = { textDocument: { uri: server.uri(PATH) } };
        const report = (await server.connection.sendRequest('textDocument/diagnostic', params)) as {
          items?: Diagnostic[];
        };
        return report.items ?? [];
      };
      const refreshed = new Promise<void>((resolve) => {
        server.connection.onRequest('workspace/diagnostic/refresh', async () => {
          if (failing(await pull())) resolve();
          return null;
        });
      });
      await server.open(PATH);
      await pull();
      await refreshed;
    },
    { capabilities },
  );
});

test('a client that asks for every file is told of the samples of those that are not open', async () => {
  const isToldOf = (report: WorkspaceDiagnosticReport): boolean =>
    report.items.some((item) => item.uri.endsWith(PATH) && item.kind === 'full' && failing(item.items));
  await withServer(
    { [PATH]: skill('Draft {{ place }}, {{ tone }}.') },
    async ({ connection }) => {
      const ask = () =>
        connection.sendRequest<WorkspaceDiagnosticReport>('workspace/diagnostic', { previousResultIds: [] });
      while (!isToldOf(await ask()));
    },
    { capabilities: { textDocument: { diagnostic: {} } } },
  );
});

/**
 * Waits until all has been told that the server had to tell panels, which is 300 ms after an edit at the latest. That there
 * is one more skill it tells 200 ms after it was opened, so twice that is later.
 */
async function allNewsTold({ connection, open, uri }: Server): Promise<void> {
  // It is answered when all is read and judged.
  await connection.sendRequest(NewCatalogRequest, { folder: uri('') });
  const { skills } = await connection.sendRequest<AboutReply>(AboutRequest, { uri: uri(PATH) });
  for (const more of [1, 2]) {
    const told = new Promise<void>((resolve) => {
      connection.onNotification(StatusNotification, (status: StatusParams) => {
        if (status.skills === skills + more) resolve();
      });
    });
    const name = `one-more-${skills + more}`;
    await open(`${name}.skill.md`, `---\nname: ${name}\ndescription: One more.\ninput_schema: {}\n---\n`);
    await told;
  }
}

test('panels hear of what changed beside the text of the skill', async () => {
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
    // Who has asked for a composition is told, maybe once for the catalog and the workspace as they are read.
    await compose(server);
    await allNewsTold(server);
    const before = told;
    await change(server, 2, skill('Draft another at {{ place }}.'));
    await compose(server);
    await allNewsTold(server);
    assert.equal(told, before, 'its own text is no news');
    const heard = next();
    await server.open('skills.config.yaml', `${catalog}  - {name: search_pages, description: Searches.}\n`);
    await heard;
  });
});

test('the body of a composed skill counts for whoever composes it, once the typing has ended', async () => {
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

test('a template that would never end is an error over the protocol too, and the next one composes', async () => {
  const endless: Readonly<Record<string, string>> = {
    loops: '{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}',
    doubling: '{% set n = namespace(t="ab") %}{% for i in range(90) %}{% set n.t = n.t ~ n.t %}{% endfor %}{{ n.t }}',
    panic: '{% import place as x %}{% import x as 1 %}',
  };
  await withServer(files, async (server) => {
    await server.open(PATH);
    for (const [what, template] of Object.entries(endless)) {
      const reply = await compose(server, { text: skill(template) });
      assert.ok(reply && !reply.result.ok, what);
      assert.equal(reply.result.errors[0]?.kind, 'MalformedTemplate');
      assert.match(promptOf(await compose(server)), /^Draft a scene at the pass\./);
    }
  });
});

/** No request writes outside the workspace folders (docs/security.md, "What is kept and written"). */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type * as v from 'valibot';
import * as requests from '../../server/src/protocol/requests.ts';
import type { EmitReply } from '../../server/src/protocol.ts';
import { folderWith, skill } from './cli.ts';
import { type Server, withServer } from './server.ts';
import { stdio } from './tools-pull.ts';

const FILES = {
  'skills/foo.skill.md': `${skill('foo')}\nDo it.\n`,
  'skills.config.yaml': 'agent_skills: {clients: [claude-code]}\ntools: [{from: .vscode/mcp.json}]\n',
  '.vscode/mcp.json': JSON.stringify({ servers: { wiki: stdio('good') } }),
  'new/tidy/SKILL.md': '---\nname: tidy\ndescription: Tidies.\n---\n\nTidy.\n',
};
const TRUSTED = { initializationOptions: { trusted: true } };

/** The requests that take a workspace folder, with other parameters with which they reach their work. */
const PARAMS: Readonly<Record<string, (server: Server) => object>> = {
  'skill/emit': ({ uri }) => ({ uri: uri('skills/foo.skill.md'), again: false, overwrite: [] }),
  'skill/emitPreview': ({ uri }) => ({
    uri: uri('skills/foo.skill.md'),
    target: uri('.claude/skills/foo/SKILL.md'),
  }),
  'skill/installPreview': ({ uri }) => ({ source: fileURLToPath(uri('new')) }),
  'skill/install': ({ uri }) => ({ source: fileURLToPath(uri('new')), digest: '', force: true }),
  'skill/installed': () => ({}),
  'skill/pack': ({ uri }) => ({ uris: [uri('skills')], out: fileURLToPath(uri('packed.skill')) }),
  'skill/observable': () => ({}),
  'skill/planObserving': () => ({ client: 'claude-code', others: [] }),
  'skill/toolServers': () => ({}),
  'skill/editorTools': () => ({ tools: [] }),
};

/** The requests that only return text for a folder, which the client writes after the user has selected the folder. */
const ONLY_TEXT: ReadonlySet<string> = new Set(['skill/newCatalog']);

type Schema = v.GenericSchema & {
  readonly entries?: Readonly<Record<string, Schema>>;
  readonly item?: Schema;
  readonly options?: readonly unknown[];
  readonly wrapped?: Schema;
};

const declared = Object.values(requests).flatMap((one) =>
  'method' in one && one.params ? [{ method: one.method, schema: one.params as Schema }] : [],
);

/** Returns all files and links below a folder, with their content. */
const treeOf = (folder: string): readonly (readonly string[])[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(folder.length), entry.isFile() ? readFileSync(path, 'latin1') : 'other'] as const;
    })
    .sort(([a], [b]) => (a < b ? -1 : 1));

const problemIn = (reply: unknown): string => (reply as { readonly problem?: string } | null)?.problem ?? '';

const pathOf = ({ uri }: Server, path = ''): string => fileURLToPath(uri(path)).replace(/[\\/]$/, '');

const send = (server: Server, method: string, folder: string): Promise<unknown> =>
  server.connection.sendRequest(method, { ...PARAMS[method]?.(server), folder });

describe('a request for a folder outside the workspace', () => {
  const methods = declared.flatMap(({ method, schema }) =>
    schema.entries?.folder && !ONLY_TEXT.has(method) ? [method] : [],
  );
  for (const method of methods) {
    it(`is refused (${method})`, async () => {
      assert.ok(PARAMS[method], `Add the parameters of ${method} to this test.`);
      const outside = folderWith(FILES);
      const before = treeOf(outside);
      await withServer(
        FILES,
        async (server) => {
          const root = pathOf(server);
          symlinkSync(outside, join(root, 'link'));
          symlinkSync(join(outside, 'absent'), join(root, 'dangling'));
          const own = pathToFileURL(root).href;
          const other = pathToFileURL(outside).href;
          const folders = [
            ...[
              other,
              `${other}/`,
              `${other}/absent`,
              `${own}/..`,
              `${own}/../`,
              `${own}/%2e%2e`,
              `${own}/skills/../..`,
            ],
            ...[
              `${own}/..%2f${basename(outside)}`,
              `${own}-more`,
              `${own}/link`,
              `${own}/link/`,
              `${own}/link/absent/x`,
            ],
            ...[`${own}/dangling`, `${own}/dangling/x`, 'file:///', 'file://', 'file:/', 'file:////tmp', 'file:///%2F'],
            ...[`file://host${root}`, `file://localhost${root}`, `FILE://host${root}`, `vscode-vfs://x${root}`],
            ...[root, 'untitled:x', '', '.', '..', `${own}%00`, `memfs:${root}`, '\\\\host\\share', 'file:\\\\host\\x'],
            ...(process.platform === 'linux' ? [own.toUpperCase().replace('FILE:', 'file:')] : []),
          ];
          for (const folder of folders) {
            const problem = problemIn(await send(server, method, folder));
            assert.match(problem, /is outside the workspace|is not a (?:folder|file) on this computer/, folder);
          }
          assert.deepEqual(readdirSync(root).sort(), [
            ...['.vscode', 'dangling', 'link', 'new', 'skills', 'skills.config.yaml'],
          ]);
        },
        TRUSTED,
      );
      assert.deepEqual(treeOf(outside), before);
    });
  }

  it('is accepted below a workspace folder, in each spelling', async () => {
    const { 'skills/foo.skill.md': text } = FILES;
    await withServer(
      { ...FILES, 'a b/skills/foo.skill.md': text, 'a b/skills.config.yaml': FILES['skills.config.yaml'] },
      async (server) => {
        const own = pathToFileURL(pathOf(server)).href;
        for (const folder of [own, `${own}/`, `${own}/skills/..`, `${own}//`, own.replace('file://', 'file:')]) {
          assert.ok('targets' in ((await send(server, 'skill/emit', folder)) as EmitReply), folder);
        }
        for (const folder of [`${own}/a%20b`, `${own}/a b`]) {
          const reply = await server.connection.sendRequest<EmitReply>('skill/emit', {
            ...{ folder, uri: server.uri('a b/skills/foo.skill.md'), again: false, overwrite: [] },
          });
          assert.ok('targets' in reply, JSON.stringify(reply));
        }
        assert.ok(readdirSync(pathOf(server, 'a b')).includes('.claude'));
      },
      TRUSTED,
    );
  });

  it('is accepted in a workspace folder that is a link', async () => {
    const real = folderWith(FILES);
    const link = join(folderWith({ 'a.md': '' }), 'link');
    symlinkSync(real, link);
    const folder = pathToFileURL(link).href;
    await withServer(
      {},
      async (server) => {
        const reply = await server.connection.sendRequest<EmitReply>('skill/emit', {
          ...{ folder, uri: `${folder}/skills/foo.skill.md`, again: false, overwrite: [] },
        });
        assert.deepEqual(reply, {
          ...{ targets: [`${folder}/.claude/skills/foo/SKILL.md`], isChanged: true, problems: [] },
        });
      },
      { ...TRUSTED, workspaceFolders: [{ uri: folder, name: 'link' }] },
    );
    assert.deepEqual(readdirSync(join(real, '.claude/skills/foo')), ['SKILL.md']);
  });

  it('is refused after the folder was removed from the workspace', async () => {
    await withServer(
      FILES,
      async (server) => {
        const uri = server.uri('').replace(/\/$/, '');
        assert.equal(problemIn(await send(server, 'skill/installed', uri)), '');
        await server.connection.sendNotification('workspace/didChangeWorkspaceFolders', {
          event: { added: [], removed: [{ uri, name: 'workspace' }] },
        });
        assert.match(problemIn(await send(server, 'skill/installed', uri)), /is outside the workspace/);
      },
      { ...TRUSTED, capabilities: { workspace: { workspaceFolders: true } } },
    );
  });

  it('is refused for an open catalog in a linked folder, whose snapshot would be outside', async () => {
    const outside = folderWith(FILES);
    const before = treeOf(outside);
    await withServer(
      { 'a.md': '' },
      async (server) => {
        symlinkSync(outside, pathOf(server, 'link'));
        await server.open('link/skills.config.yaml', FILES['skills.config.yaml']);
        const reply = await send(server, 'skill/toolServers', server.uri('').replace(/\/$/, ''));
        assert.match(problemIn(reply), /link` is outside the workspace/);
      },
      TRUSTED,
    );
    assert.deepEqual(treeOf(outside), before);
  });
});

/** Returns parameters that match a schema. Every string is `text`. */
function paramsFor(schema: Schema, text: string): unknown {
  if (schema.wrapped) return paramsFor(schema.wrapped, text);
  switch (schema.type) {
    case 'string':
      return text;
    case 'number':
      return 1;
    case 'boolean':
      return true;
    case 'array':
      return [paramsFor(schema.item as Schema, text)];
    case 'picklist':
      return schema.options?.[0];
    case 'union':
      return paramsFor(schema.options?.[0] as Schema, text);
    case 'object':
      return Object.fromEntries(Object.entries(schema.entries ?? {}).map(([key, one]) => [key, paramsFor(one, text)]));
    default:
      return {};
  }
}

it('no request writes a file if all its parameters name a file outside the workspace', async () => {
  const outside = folderWith(FILES);
  const before = treeOf(outside);
  await withServer(
    FILES,
    async (server) => {
      const inside = treeOf(pathOf(server));
      for (const { method, schema } of declared) {
        const params = paramsFor(schema, pathToFileURL(join(outside, 'skills/foo.skill.md')).href);
        // Some messages are notifications, or refuse these parameters.
        await server.connection.sendRequest(method, params).catch(() => undefined);
      }
      assert.deepEqual(treeOf(pathOf(server)), inside);
    },
    TRUSTED,
  );
  assert.deepEqual(treeOf(outside), before);
});

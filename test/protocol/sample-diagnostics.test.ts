/** Diagnostics of samples that do not compose, which the server computes while it is idle. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type { Diagnostic, WorkspaceDiagnosticReport } from 'vscode-languageserver-protocol';
import { change, PATH, skill } from './draft-scene.ts';
import { withServer } from './server.ts';

/** A template that fails for the values of the sample. */
const BAD = 'Draft {{ place[99] }}, {{ tone | default("") }}.';

const failing = (all: readonly Diagnostic[]) => all.some(({ code }) => code === 'sample-fails');

test('reports failing samples in open and closed files until the samples are fixed', async () => {
  const bad = skill(BAD);
  await withServer({ [PATH]: bad, 'other.skill.md': bad.replace('draft-scene', 'other') }, async (server) => {
    await server.published('other.skill.md', failing);
    await server.open(PATH);
    const found = await server.published(PATH, failing);
    assert.match(String(found[0]?.message), /^The sample `storm` does not compose: `place\[99\]` is undefined/);
    await change(server, 2, skill('Draft {{ place }}, {{ tone | default("") }}.'));
    await server.published(PATH, (all) => all.length === 0);
    await change(server, 3, bad);
    await server.published(PATH, failing);
  });
});

test('requests a refresh from a client that pulls', async () => {
  const capabilities = {
    textDocument: { diagnostic: {} },
    workspace: { diagnostics: { refreshSupport: true } },
  };
  await withServer(
    { [PATH]: skill(BAD) },
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

test('returns failing samples in closed files with the workspace diagnostics', async () => {
  const isToldOf = (report: WorkspaceDiagnosticReport): boolean =>
    report.items.some((item) => item.uri.endsWith(PATH) && item.kind === 'full' && failing(item.items));
  await withServer(
    { [PATH]: skill(BAD) },
    async ({ connection }) => {
      const ask = () =>
        connection.sendRequest<WorkspaceDiagnosticReport>('workspace/diagnostic', { previousResultIds: [] });
      while (!isToldOf(await ask()));
    },
    { capabilities: { textDocument: { diagnostic: {} }, workspace: { diagnostics: { refreshSupport: true } } } },
  );
});

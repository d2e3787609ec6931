/** A disk with read errors, and a disk that changes while the user types. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Diagnostic, DocumentDiagnosticReport, WorkspaceDiagnosticReport } from 'vscode-languageserver-protocol';
import { type Disk, type StreamServer, startServer } from './server.ts';

const FOLDER = 'file:///w';
const CATALOG = 'tools:\n  - {name: read_page, description: Reads a page.}\n';
const uriOf = (path: string): string => `${FOLDER}/${path}`;

const skill = (name: string, tool: string): string =>
  `---\nname: ${name}\ndescription: Reads a page.\nversion: 1.0.0\ninput_schema: {}\ntools: [${tool}]\n---\n\nRead the page.\n`;

const diskOf = (texts: Readonly<Record<string, string>>): Disk =>
  new Map(Object.entries(texts).map(([path, text]) => [uriOf(path), text]));

/** Listed files whose reading fails: with a device error, or without permission. */
class Failing extends Map<string, string> {
  override get(uri: string): string | undefined {
    return uri.includes('/shut') ? undefined : super.get(uri);
  }
}

const codesOf = (items: readonly Diagnostic[]): readonly unknown[] =>
  items.filter(({ severity }) => severity === 1).map(({ code }) => code);

async function errorsIn({ client }: StreamServer, path: string): Promise<readonly unknown[]> {
  const params = { textDocument: { uri: uriOf(path) } };
  const report = await client.sendRequest<DocumentDiagnosticReport>('textDocument/diagnostic', params);
  return report.kind === 'full' ? codesOf(report.items) : [];
}

async function allErrors({ client }: StreamServer): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const params = { previousResultIds: [] };
  const { items } = await client.sendRequest<WorkspaceDiagnosticReport>('workspace/diagnostic', params);
  const errors = items.map((item) => [item.uri, item.kind === 'full' ? codesOf(item.items) : []] as const);
  return Object.fromEntries(errors.filter(([, codes]) => codes.length > 0));
}

const open = ({ client }: StreamServer, path: string, text: string) =>
  client.sendNotification('textDocument/didOpen', {
    textDocument: { uri: uriOf(path), languageId: 'skillmd', version: 1, text },
  });

const change = ({ client }: StreamServer, path: string, version: number, text: string) =>
  client.sendNotification('textDocument/didChange', {
    textDocument: { uri: uriOf(path), version },
    contentChanges: [{ text }],
  });

const changedOnDisk = ({ client }: StreamServer, path: string, type = 2) =>
  client.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri: uriOf(path), type }] });

test('unreadable files do not prevent checks of other files', async () => {
  const disk = new Failing(
    diskOf({
      'skills.config.yaml': CATALOG,
      'a.skill.md': skill('a', 'reed_page'),
      'shut.skill.md': skill('shut', 'reed_page'),
      'shut/skills.config.yaml': 'tools: [',
      'shut/b.skill.md': skill('b', 'reed_page'),
    }),
  );
  const server = await startServer(disk, [FOLDER]);
  assert.deepEqual(await allErrors(server), { [uriOf('a.skill.md')]: ['unknown-tool'] });
  await changedOnDisk(server, 'shut.skill.md');
  // The buffers of the editor are checked nevertheless.
  await open(server, 'shut.skill.md', skill('shut', 'reed_page'));
  assert.deepEqual(await errorsIn(server, 'shut.skill.md'), ['unknown-tool']);
  assert.deepEqual(server.faults, []);
  server.end();
});

test('checks an unsaved buffer after its file changes on disk', async () => {
  const disk = diskOf({ 'skills.config.yaml': CATALOG, 'a.skill.md': skill('a', 'read_page') });
  const server = await startServer(disk, [FOLDER]);
  // Before all files are read, no tool is reported as unknown.
  assert.deepEqual(await allErrors(server), {});
  await open(server, 'a.skill.md', skill('a', 'read_page'));
  await change(server, 'a.skill.md', 2, skill('a', 'reed_page'));
  disk.set(uriOf('a.skill.md'), skill('a', 'read_page'));
  await changedOnDisk(server, 'a.skill.md');
  assert.deepEqual(await errorsIn(server, 'a.skill.md'), ['unknown-tool'], 'changed');
  disk.delete(uriOf('a.skill.md'));
  await changedOnDisk(server, 'a.skill.md', 3);
  assert.deepEqual(await allErrors(server), { [uriOf('a.skill.md')]: ['unknown-tool'] }, 'deleted');
  await server.client.sendNotification('textDocument/didClose', { textDocument: { uri: uriOf('a.skill.md') } });
  assert.deepEqual(await allErrors(server), {}, 'closed, and gone');
  server.end();
});

test('an edited catalog that is temporarily invalid causes no errors in skills', async () => {
  const whole = `${CATALOG}interrupts:\n  - {name: halt-now, node: call_tools, description: Halts.}\n`;
  const text = skill('a', 'read_page').replace('tools:', 'interrupts: [halt-now]\ntools:');
  const server = await startServer(diskOf({ 'skills.config.yaml': whole, 'a.skill.md': text }), [FOLDER]);
  await open(server, 'a.skill.md', text);
  await open(server, 'skills.config.yaml', whole);
  const typed = '\n  - {name: "write_page", description: Writes a page.}';
  const at = whole.indexOf('\ninterrupts:');
  for (let count = 0; count <= typed.length; count++) {
    await change(server, 'skills.config.yaml', 2 + count, whole.slice(0, at) + typed.slice(0, count) + whole.slice(at));
    assert.deepEqual(await errorsIn(server, 'a.skill.md'), [], typed.slice(0, count));
  }
  await change(server, 'a.skill.md', 2, text.replace('read_page', 'write_page'));
  assert.deepEqual(await errorsIn(server, 'a.skill.md'), [], 'the new tool is known');
  await change(server, 'skills.config.yaml', 99, whole);
  assert.deepEqual(await errorsIn(server, 'a.skill.md'), ['unknown-tool'], 'and gone with its entry');
  assert.deepEqual(server.faults, []);
  server.end();
});

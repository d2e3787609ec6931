/** Data outside of the workspace: the skills of the account, and former versions of open skills. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Diagnostic } from 'vscode-languageserver-protocol';
import { temporaryFolder } from '../temporary.mjs';
import { checkJson, folderWith, rulesOf } from './cli.ts';
import { withServer } from './server.ts';

const contract = (name: string, ...lines: readonly string[]): string =>
  [`name: ${name}`, 'description: What it is.', 'input_schema: {}', 'output_schema: {}', ...lines, ''].join('\n');

const WHOLE = contract('whole', 'version: 1.0.0', 'level: 2', 'composes: [part]');

const codes = (all: readonly Diagnostic[]) => all.map(({ code }) => code);
const has = (code: string) => (all: readonly Diagnostic[]) => codes(all).includes(code);

const TRUSTED = { initializationOptions: { trusted: true } };

/** Runs `body` with a folder outside of any workspace. */
async function withAccount(body: (folder: string) => Promise<void>): Promise<void> {
  // This file would have a finding if it were in the workspace.
  await body(temporaryFolder({ 'part.skill.yaml': contract('part', 'version: 1.0.0', 'operation: RAED') }));
}

test('resolves skills of the account, and reports no findings in them', async () => {
  await withAccount(async (folder) => {
    const files = { 'skills.config.yaml': `account_skills: ${folder}\n`, 'whole.skill.yaml': WHOLE };
    await withServer(
      files,
      async ({ open, published, connection, uri }) => {
        await open('whole.skill.yaml', WHOLE.replace('[part]', '[part, prat]'));
        const found = await published('whole.skill.yaml', has('skill-not-found'));
        assert.match(String(found[0]?.message), /`prat`.*Did you mean `part`/s);
        const definition = (await connection.sendRequest('textDocument/definition', {
          textDocument: { uri: uri('whole.skill.yaml') },
          position: { line: 6, character: 12 },
        })) as readonly { targetUri?: string; uri?: string }[] | { uri: string };
        const [first] = Array.isArray(definition) ? definition : [definition];
        assert.equal(first.targetUri ?? first.uri, pathToFileURL(join(folder, 'part.skill.yaml')).href);
      },
      TRUSTED,
    );
  });
});

test('reads the account’s folder when a trusted catalog names it', async () => {
  await withAccount(async (folder) => {
    const files = { 'skills.config.yaml': '{}\n', 'whole.skill.yaml': WHOLE };
    await withServer(
      files,
      async ({ open, published }) => {
        await open('whole.skill.yaml');
        assert.deepEqual(codes(await published('whole.skill.yaml', has('skill-not-found'))), ['skill-not-found']);
        await open('skills.config.yaml', `account_skills: ${folder}\n`);
        await published('whole.skill.yaml', (all) => all.length === 0);
      },
      TRUSTED,
    );
    const catalog = { ...files, 'skills.config.yaml': `account_skills: ${folder}\n` };
    for (const initializationOptions of [{ trusted: false }, { trusted: 'true' }, undefined]) {
      await withServer(
        catalog,
        async ({ open, published }) => {
          await open('whole.skill.yaml');
          await published('whole.skill.yaml', has('skill-not-found'));
        },
        { initializationOptions },
      );
    }
  });
});

test('the command line reads the account’s skills, and reports no findings in them', async () => {
  await withAccount(async (folder) => {
    const workspace = folderWith({
      'skills.config.yaml': `account_skills: ${folder}\n`,
      'skills/whole.skill.yaml': WHOLE,
    });
    const found = await checkJson(workspace);
    assert.deepEqual([found.findings, found.summary.files], [[], 2]);
    // A path in a catalog is relative to the folder of the catalog.
    writeFileSync(join(workspace, 'other.yaml'), `account_skills: ${folder}\n`);
    assert.deepEqual((await checkJson(workspace, 'skills', '--config', 'other.yaml')).findings, []);
    writeFileSync(join(workspace, 'other.yaml'), '{}\n');
    const without = await checkJson(workspace, 'skills', '--config', 'other.yaml');
    assert.deepEqual(rulesOf(without, 'skill-not-found'), ['skills/whole.skill.yaml skill-not-found']);
  });
});

test('compares an open contract with its released text until the contract is closed', async () => {
  const now = contract('part', 'version: 1.0.1').replace('output_schema: {}', 'output_schema: {page: string}');
  await withServer({ 'part.skill.yaml': now }, async ({ connection, open, published, uri }) => {
    const tell = (text: string | null) =>
      connection.sendNotification('skill/releasedText', { uri: uri('part.skill.yaml'), text });
    await open('part.skill.yaml');
    await published('part.skill.yaml', (all) => all.length === 0);
    await tell(contract('part', 'version: 1.0.0'));
    const [finding] = await published('part.skill.yaml', has('breaking-change'));
    assert.match(String(finding?.message), /the output `page` is new.*`1\.1\.0`/);
    await tell(now);
    await published('part.skill.yaml', (all) => all.length === 0);
    await tell(contract('part', 'version: 1.0.0'));
    await published('part.skill.yaml', has('breaking-change'));
    await connection.sendNotification('textDocument/didClose', { textDocument: { uri: uri('part.skill.yaml') } });
    await published('part.skill.yaml', (all) => all.length === 0);
  });
});

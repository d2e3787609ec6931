import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { test } from '../index.ts';
import { eventually, extensionId, findingsOf, open } from './support.ts';

test('the extension activates when a skill opens', async () => {
  await open('summarize-page.skill.md');
  const extension = vscode.extensions.getExtension(extensionId);
  assert.ok(extension, 'the extension is installed');
  await eventually('the extension to be active', () => extension.isActive || undefined);
});

for (const [path, languageId] of [
  ['summarize-page.skill.md', 'skillmd'],
  ['fetch-page.skill.yaml', 'skillmd'],
  ['skills.config.yaml', 'yaml'],
] as const) {
  test.extended(`${path} is a document of language ${languageId}`, async () => {
    const { document } = await open(path);
    assert.equal(document.languageId, languageId);
  });
}

test('a finding links to its rule', async () => {
  await open('unknown-tool.skill.md');
  const [finding] = await findingsOf('unknown-tool.skill.md');
  assert.ok(typeof finding?.code === 'object', 'its code is a link');
  assert.equal(finding.code.target.toString(true), 'skill-rule:/unknown-tool.md');
});

test.extended('the page of a rule opens', async () => {
  const page = await vscode.workspace.openTextDocument(vscode.Uri.parse('skill-rule:/unknown-tool.md'));
  assert.match(page.getText(), /unknown-tool/);
});

test('every contributed command exists', async () => {
  const extension = vscode.extensions.getExtension(extensionId);
  await extension?.activate();
  const known = new Set(await vscode.commands.getCommands(true));
  const manifest = extension?.packageJSON as {
    readonly contributes: { readonly commands: readonly { readonly command: string }[] };
  };
  const missing = manifest.contributes.commands.map(({ command }) => command).filter((command) => !known.has(command));
  assert.deepEqual(missing, []);
});

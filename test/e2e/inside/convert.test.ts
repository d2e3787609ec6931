import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { test } from '../index.ts';
import { eventually, open, workspaceFile } from './support.ts';

test('a conversion opens beside its source as an unsaved document', async () => {
  await open('summarize-page.skill.md');
  try {
    void vscode.commands.executeCommand('skillComposer.convert');
    const document = await eventually('the result', async () => {
      // The first item of the list is the folder of the open standard.
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      const editor = vscode.window.visibleTextEditors.find((one) => one.document.uri.scheme === 'skill-converted');
      return editor?.document;
    });
    assert.equal(document.uri.path, '/summarize-page/SKILL.md');
    assert.match(document.getText(), /^name: summarize-page$/m);
    assert.equal(vscode.workspace.fs.isWritableFileSystem('skill-converted'), undefined);
  } finally {
    await vscode.commands.executeCommand('notifications.clearAll');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  }
});

const OUTPUT = 'output_schema: {}\n---\n\n';

test('a skill is converted for its clients, and again after a save', async () => {
  const { fs } = vscode.workspace;
  const source = workspaceFile('sharing/name-ship.skill.md');
  const target = workspaceFile('.claude/skills/name-ship/SKILL.md');
  const skill =
    '---\nname: name-ship\ndescription: Names a ship. Use it for a new ship.\nversion: 1.0.0\ninput_schema: {}\n---\n\nChoose a short name.\n';
  const textAt = async (uri: vscode.Uri) => new TextDecoder().decode(await fs.readFile(uri));
  /** A skill folder is exchanged by two renames, so that its files are absent for a moment (docs/installing.md). */
  const isWritten = async (uri: vscode.Uri, text: string): Promise<true | undefined> => {
    const written = await textAt(uri).catch((error: unknown) => {
      if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return '';
      throw error;
    });
    return written.includes(text) || undefined;
  };
  const settings = vscode.workspace.getConfiguration('skillComposer');
  const set = (name: string, value: unknown) => settings.update(name, value, vscode.ConfigurationTarget.Global);
  const replace = async (document: vscode.TextDocument, from: string, to: string): Promise<void> => {
    const edit = new vscode.WorkspaceEdit();
    const at = document.getText().indexOf(from);
    edit.replace(document.uri, new vscode.Range(document.positionAt(at), document.positionAt(at + from.length)), to);
    assert.ok(await vscode.workspace.applyEdit(edit));
    assert.ok(await document.save());
  };
  await fs.writeFile(source, Buffer.from(skill));
  const part = workspaceFile('sharing/ship-style.skill.md');
  await fs.writeFile(
    part,
    Buffer.from(skill.replaceAll('name-ship', 'ship-style').replace('---\n\n', `level: 1\n${OUTPUT}`)),
  );
  try {
    await set('agentSkills.clients', ['claude-code']);
    const { document } = await open('sharing/name-ship.skill.md');
    void vscode.commands.executeCommand('skillComposer.convertForClients');
    const written = await eventually('the converted skill', () => textAt(target).catch(() => undefined));
    assert.match(written, /^ {2}generated-from: \.\.\/\.\.\/\.\.\/sharing\/name-ship\.skill\.md$/m);
    // Without the setting, a save converts nothing, and the finding offers to convert again.
    await replace(document, 'a short name', 'a long name');
    const outdated = await eventually('the finding', () =>
      vscode.languages.getDiagnostics(target).find(({ message }) => message.includes('has changed since')),
    );
    await vscode.workspace.openTextDocument(target);
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      target,
      outdated.range,
    );
    const titles = actions.map(({ title }) => title);
    assert.ok(titles.includes('Convert the source again') && titles.includes('Open the source'), titles.join());
    assert.match(await textAt(target), /a short name/);
    const compare = actions.find(({ title }) => title === 'Compare with the next conversion')?.command;
    await vscode.commands.executeCommand(compare?.command ?? '', ...(compare?.arguments ?? []));
    const { input } = await eventually('the comparison', () => vscode.window.tabGroups.activeTabGroup.activeTab);
    assert.ok(input instanceof vscode.TabInputTextDiff, String(input));
    assert.equal(input.original.toString(), target.toString());
    assert.match((await vscode.workspace.openTextDocument(input.modified)).getText(), /a long name/);
    assert.match(await textAt(target), /a short name/);
    await set('convert.onSave', true);
    await replace(document, 'a long name', 'two words');
    await eventually('the next result', () => isWritten(target, 'two words'));
    // The question offers to save a composed skill with unsaved changes.
    await replace(document, '---\n\n', `level: 2\ncomposes: [ship-style]\n${OUTPUT}`);
    const page = workspaceFile('.claude/skills/name-ship/references/ship-style.md');
    await eventually('the page', () => textAt(page).catch(() => undefined));
    const other = await vscode.workspace.openTextDocument(part);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(part, other.lineAt(other.lineCount - 1).range.end, 'Unsaved.\n');
    assert.ok(await vscode.workspace.applyEdit(edit));
    await set('convert.onSave', undefined);
    void vscode.commands.executeCommand('skillComposer.convertForClients', source);
    await eventually('the saved part', async () => {
      await vscode.commands.executeCommand('notification.acceptPrimaryAction');
      return !other.isDirty || undefined;
    });
    await eventually('its text', () => isWritten(page, 'Unsaved.'));
  } finally {
    await set('convert.onSave', undefined);
    await set('agentSkills.clients', undefined);
    await vscode.commands.executeCommand('notifications.clearAll');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const folder of ['sharing', '.claude']) await fs.delete(workspaceFile(folder), { recursive: true });
  }
});

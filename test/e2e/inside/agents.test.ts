import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { test } from '../index.ts';
import { eventually, extensionId, open } from './support.ts';

test("an agent's tool reads the unsaved text of a skill", async () => {
  const { document } = await open('tested/welcome-guest.skill.md');
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, document.positionAt(document.getText().length), '\nSay #tool:no_such_tool.\n');
  await vscode.workspace.applyEdit(edit);
  try {
    const input = { skill: 'welcome-guest' };
    const result = await vscode.lm.invokeTool('skill_check', { input, toolInvocationToken: undefined });
    const [part] = result.content;
    const reply = JSON.parse(part instanceof vscode.LanguageModelTextPart ? part.value : '');
    assert.ok(reply.ok, JSON.stringify(reply));
    assert.match(JSON.stringify(reply.findings), /no_such_tool/);
    // The extension host gets the list of tools a moment later.
    const names = await eventually('the tools of the extension', async () => {
      const own = vscode.lm.tools.map(({ name }) => name).filter((name) => name.startsWith('skill_'));
      return own.length > 0 ? own : undefined;
    });
    assert.deepEqual([...names].sort(), ['skill_check', 'skill_compose', 'skill_match']);
  } finally {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
});

/** The part of the API that VS Code has had since 1.101. */
type Register = (id: string, provider: { provideMcpServerDefinitions(): readonly [] }) => vscode.Disposable;

test.extended('the editor starts the authoring server and calls its tools, if it supports such servers', async () => {
  const extension = vscode.extensions.getExtension(extensionId);
  assert.ok(extension?.isActive, 'the extension is active, whatever became of the server');
  const toolsOfServers = () => vscode.lm.tools.map(({ name }) => name).filter((name) => name.startsWith('mcp_'));
  if (vscode.version.startsWith('1.100.')) {
    // VS Code 1.100 has the function, but for another contribution point.
    const { registerMcpServerDefinitionProvider: register } = vscode.lm as unknown as Record<string, Register>;
    assert.throws(() => register?.('skillComposer.authoring', { provideMcpServerDefinitions: () => [] }));
    return;
  }
  const id = `${extensionId}/Skill Composer`;
  const found = await eventually('the tools of the authoring server', async () => {
    await vscode.commands.executeCommand('workbench.mcp.startServer', id, { waitForLiveTools: true });
    const names = toolsOfServers();
    return names.length >= 13 ? names : undefined;
  });
  const named = (tool: string) =>
    found.find((name) => name.endsWith(`_${tool}`)) ?? assert.fail(`${found} has no ${tool}`);
  assert.equal(found.length, 13, found.join());
  const call = async (tool: string, input: object): Promise<string> =>
    JSON.stringify((await vscode.lm.invokeTool(named(tool), { input, toolInvocationToken: undefined })).content);
  assert.match(await call('list_skills', { text: 'welcome' }), /tested\/welcome-guest\.skill\.md/);
  assert.match(await call('check_skill', { skill: 'unknown-tool' }), /unknown-tool/);
});

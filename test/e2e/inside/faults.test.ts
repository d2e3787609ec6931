import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import * as vscode from 'vscode';
import { test } from '../index.ts';
import { eventually, findingsOf, open, workspaceFile } from './support.ts';

/** The processes of the project's server that this extension host has started. */
function servers(): readonly number[] {
  const listed = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return listed
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((found) => found?.[2] === String(process.pid) && /dist\/server\.c?js/.test(found[3] ?? ''))
    .map((found) => Number(found?.[1]));
}

test('a crashed server is restarted with the unsaved text', async () => {
  const path = 'summarize-page.skill.md';
  const editor = await open(path);
  const [old] = await eventually('the server', () => {
    const [only] = servers();
    return only === undefined ? undefined : [only];
  });
  const { document } = editor;
  const changed = document.getText().replace(/^name: .*$/m, 'name: Not A Name');
  const everything = new vscode.Range(document.positionAt(0), document.positionAt(document.getText().length));
  await editor.edit((edit) => edit.replace(everything, changed));
  await findingsOf(path);
  process.kill(Number(old), 'SIGKILL');
  await eventually('another server', () => {
    const [only] = servers();
    return only === undefined || only === old ? undefined : only;
  });
  // Changes one word, because only a server that has the unsaved text can apply this change.
  const word = document.positionAt(document.getText().indexOf('Not A Name'));
  await editor.edit((edit) => edit.replace(new vscode.Range(word, word.translate(0, 3)), 'Still Not'));
  await eventually('the findings of the unsaved text', () =>
    vscode.languages.getDiagnostics(workspaceFile(path)).find(({ message }) => message.includes('Still Not A Name')),
  );
  assert.equal(document.isDirty, true);
  await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
});

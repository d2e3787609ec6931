/** Read-only tools for the editor's agents. The tools' results take unsaved changes into account. */
import * as vscode from 'vscode';
import { AgentToolRequest, type ParamsOf } from '../../../server/src/protocol.ts';
import type { SkillServer } from '../language-server/skill-server.ts';

const TOOLS: readonly ParamsOf<typeof AgentToolRequest>['tool'][] = ['check', 'compose', 'match'];

/** Registers the tools. Each call fails in an untrusted workspace. */
export function serveAgentTools(server: SkillServer): vscode.Disposable {
  return vscode.Disposable.from(
    ...TOOLS.map((tool) =>
      vscode.lm.registerTool(`skill_${tool}`, {
        invoke: async ({ input }, token) => {
          if (!vscode.workspace.isTrusted) throw new Error(vscode.l10n.t('This workspace is not trusted.'));
          const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.toString());
          const reply = await server.send(AgentToolRequest, { tool, input, folders }, token);
          return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(JSON.stringify(reply))]);
        },
      }),
    ),
  );
}

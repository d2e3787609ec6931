/** “Skill: Keep This Prompt as Expected”: writes the prompt of a sample beside the skill, and that it is to stay so. */
import * as vscode from 'vscode';
import type { SkillServer } from '../language-server/skill-server.ts';
import { applyKept } from './apply-kept.ts';

/** Returns whether it is kept; why not is told the user. */
export async function keepPrompt(server: SkillServer, uri: string, sample: string): Promise<boolean> {
  const isKept = await applyKept(uri, () => server.keepPrompt({ uri, sample }));
  if (isKept) vscode.window.setStatusBarMessage(vscode.l10n.t('The prompt of {0} is kept.', sample), 5000);
  return isKept;
}

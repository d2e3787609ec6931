/** “Save as expected prompt”, for the prompt in a preview, or for a sample of a skill without a preview. */
import * as vscode from 'vscode';
import { SamplesRequest, SECTION } from '../../../../server/src/protocol.ts';
import type { SkillServer } from '../../language-server/skill-server.ts';
import { showInformation } from '../../notify.ts';
import type { PreviewRequest } from './messages.ts';

/**
 * Saves the shown prompt. Returns `edit` if the user first wants to save the values as a sample; the form does this.
 */
export async function saveShownPrompt(uri: string, { sample, without }: PreviewRequest): Promise<'edit' | undefined> {
  if (sample === undefined) {
    const edit = vscode.l10n.t('Save as sample');
    const message = vscode.l10n.t('A prompt can be saved only for a sample. Save these values as a sample first.');
    return (await showInformation(message, edit)) === edit ? 'edit' : undefined;
  }
  if (without.length > 0) {
    void showInformation(
      vscode.l10n.t('This preview leaves out artifacts, but a sample cannot. Include the artifacts again first.'),
    );
    return undefined;
  }
  await keep(uri, sample);
  return undefined;
}

/** Saves the prompt of a sample. The user selects the sample if `sample` is undefined. */
export async function savePromptOfSample(server: SkillServer, uri: string, sample: string | undefined): Promise<void> {
  const samples = (await server.send(SamplesRequest, { uri }).catch(() => null))?.samples ?? [];
  if (samples.length === 0) {
    const message = vscode.l10n.t(
      'This file has no sample, and a prompt can be saved only for a sample. Add a sample with “Save as sample” in the preview.',
    );
    return void showInformation(message);
  }
  const names = samples.map(({ name }) => name);
  const placeHolder = vscode.l10n.t('Select a sample');
  const chosen = sample ?? (await vscode.window.showQuickPick(names, { placeHolder }));
  if (chosen !== undefined) await keep(uri, chosen);
}

/** Lets the Testing view save the prompt, so that this view can update the result of the test. */
const keep = (uri: string, sample: string): Thenable<unknown> =>
  vscode.commands.executeCommand(`${SECTION}.keepTestedPrompt`, { uri, sample });

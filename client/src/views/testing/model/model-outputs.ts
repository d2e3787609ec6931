/** The outputs of models, until they are saved as recorded outputs or the editor closes. */
import * as vscode from 'vscode';
import { type RunTestsReply, SECTION } from '../../../../../server/src/protocol.ts';
import { writeSaved } from '../../../commands/apply-saved.ts';
import { showInformation, showWarning } from '../../../notify.ts';
import { errorMessage } from '../../../plain-message.ts';

interface ModelOutput {
  readonly name: string;
  readonly output: RunTestsReply['outputs'][number];
  readonly isPassed: boolean;
}

export class ModelOutputs {
  readonly #controller: string;
  /** The outputs by the full ID of the test, which menus use in `when` clauses. */
  readonly #outputs = new Map<string, ModelOutput>();
  /** The outputs of the latest run. */
  #latest: ModelOutput[] = [];

  constructor(controller: string) {
    this.#controller = controller;
  }

  add(item: vscode.TestItem, output: ModelOutput['output'], isPassed: boolean): void {
    const given = { name: item.label, output, isPassed };
    this.#outputs.set(this.#idOf(item), given);
    this.#latest.push(given);
    this.#updateMenus();
  }

  /** Offers to save the outputs of passed tests. Called after a run. */
  async offer(model: string): Promise<void> {
    const passed = this.#latest.filter(({ isPassed }) => isPassed);
    this.#latest = [];
    if (passed.length === 0) return;
    const keep = vscode.l10n.t('Save');
    const question =
      passed.length === 1
        ? vscode.l10n.t(
            'Save the output from {0} for {1}? Every run without a model will test it.',
            model,
            passed[0]?.name ?? '',
          )
        : vscode.l10n.t(
            'Save {0} outputs from {1}? Every run without a model will test them.',
            String(passed.length),
            model,
          );
    if ((await showInformation(question, keep)) === keep) await this.#write(passed);
  }

  /** Saves the output of one test. */
  async keep(item: vscode.TestItem | undefined): Promise<void> {
    const given = item && this.#outputs.get(this.#idOf(item));
    if (given) await this.#write([given]);
  }

  async #write(all: readonly ModelOutput[]): Promise<void> {
    for (const given of all) {
      const problem = await writeOutput(given).catch(errorMessage);
      if (problem !== undefined) {
        void showWarning(problem);
        return;
      }
    }
    vscode.window.setStatusBarMessage(vscode.l10n.t('The output is saved.'), 5000);
  }

  #updateMenus(): void {
    void vscode.commands.executeCommand('setContext', `${SECTION}.givenOutputs`, [...this.#outputs.keys()]);
  }

  /** Returns the full ID of a test: the IDs of the item and its parents, joined as in the editor. */
  #idOf(item: vscode.TestItem): string {
    const ids: string[] = [];
    for (let at: vscode.TestItem | undefined = item; at; at = at.parent) ids.unshift(at.id);
    return [this.#controller, ...ids].join('\0');
  }
}

async function writeOutput({ output: { uri, other, text } }: ModelOutput): Promise<string | undefined> {
  const there = vscode.Uri.parse(other);
  const isThere = await vscode.workspace.fs.stat(there).then(
    () => true,
    () => false,
  );
  if (!isThere) return writeSaved(vscode.Uri.parse(uri), text);
  return vscode.l10n.t(
    '{0} already contains a saved output. Delete this file first.',
    vscode.workspace.asRelativePath(there),
  );
}

/** The tab *Run*: the dry run of the shown skill, and the position of its debug session. */
import * as vscode from 'vscode';
import {
  type DebugProgress,
  PrepareRunsRequest,
  RunSkillRequest,
  type ShownRun,
} from '../../../../server/src/protocol.ts';
import { createStep } from '../../commands/first-steps.ts';
import type { SkillServer } from '../../language-server/skill-server.ts';
import { errorMessage } from '../../plain-message.ts';
import { coalesce } from '../kit/schedule.ts';
import type { ToPanel } from './messages.ts';
import type { PreviewPage } from './page.ts';
import { paramsOf } from './requests.ts';

type Answered = Extract<ToPanel, { type: 'run' }>['answered'];

export class RunView {
  readonly #server: Pick<SkillServer, 'send'>;
  readonly #page: PreviewPage;
  readonly #debugged: (skill: string | undefined) => DebugProgress | undefined;
  readonly #completeStep = createStep('run');
  readonly #sendRun: () => void;
  #answered: Answered = [];
  /** The debug session that the page shows; undefined if it shows none, or has started since. */
  #followed: DebugProgress | undefined;

  /** `key` identifies the preview for the server; `debugged` returns the debug session of a skill. */
  constructor(
    server: Pick<SkillServer, 'send'>,
    page: PreviewPage,
    key: string,
    debugged: (skill: string | undefined) => DebugProgress | undefined,
  ) {
    this.#server = server;
    this.#page = page;
    this.#debugged = debugged;
    this.#sendRun = coalesce(() => this.#run(key), page.fail);
  }

  /** Starts the worker for runs. A run starts it, too. */
  prepare(): void {
    this.#server.send(PrepareRunsRequest, {}).catch(() => undefined);
  }

  /** Runs the shown skill with the user's answers to its interrupts, and sends the run. */
  sendRun(answered: Answered): void {
    this.#answered = answered;
    this.#sendRun();
  }

  async #run(key: string): Promise<void> {
    const page = this.#page;
    // If the skill or its values have changed meanwhile, the run is requested again.
    for (let shown = page.show; shown; shown = shown === page.show ? undefined : page.show) {
      const { asked, reply } = shown;
      const { uri } = reply;
      // Without a reply, the page shows a run that failed, so that it does not wait.
      const failed = (message: string): ShownRun => ({ uri, events: [], end: { kind: 'failed', message } });
      const run = await this.#server
        .send(RunSkillRequest, { ...paramsOf(uri, key, asked), answered: this.#answered })
        .catch((error: unknown) => failed(errorMessage(error)));
      const ran = run === 'superseded' ? null : run;
      if (ran?.events.length) this.#completeStep();
      if (shown !== page.show) continue;
      page.post({ type: 'run', run: ran ?? failed(vscode.l10n.t('The run was stopped. Start it again.')) });
    }
  }

  /** Sends the debug session of the shown skill, or its end, if it has changed since the last call. */
  followDebugging(): void {
    const progress = this.#debugged(this.#page.uri);
    if (!this.#page.isListening || progress === this.#followed) return;
    const { past } = progress ?? {};
    // Only the position is sent of a run that the page knows.
    const move = past !== undefined && progress?.run === this.#followed?.run ? { past } : progress;
    this.#followed = progress;
    this.#page.post({ type: 'debug', progress: move ?? null });
  }

  /** Sends the debug session to a page that has started again. */
  repeat(): void {
    this.#followed = undefined;
    this.followDebugging();
  }
}

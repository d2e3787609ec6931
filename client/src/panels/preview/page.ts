/** The page of a preview, as the panel knows it: the skill that the page shows, and the messages to the page. */
import type * as vscode from 'vscode';
import { createStep } from '../../commands/first-steps.ts';
import { errorMessage } from '../../plain-message.ts';
import type { ComposedSkill, Show, ShownComposition, ToPage } from './messages.ts';
import { shortened } from './shown-prompt.ts';

export class PreviewPage {
  readonly #webview: vscode.Webview;
  readonly #log: (text: string) => void;
  readonly #completeStep = createStep('preview');
  #isListening = false;
  #show: Show | undefined;
  #lastGood: ShownComposition | undefined;
  /** The last `show` that the page received; undefined if the page has started since. */
  #posted: Show | undefined;

  constructor(webview: vscode.Webview, log: (text: string) => void) {
    this.#webview = webview;
    this.#log = log;
  }

  /** True while the page's script runs. VS Code stops the script of a hidden page. */
  get isListening(): boolean {
    return this.#isListening;
  }

  /** The shown composition; undefined before the first one. */
  get show(): Show | undefined {
    return this.#show;
  }

  /** The URI of the shown skill. */
  get uri(): string | undefined {
    return this.#show?.reply.uri;
  }

  /** The last valid composition of the shown skill. */
  get lastGood(): ShownComposition | undefined {
    return this.#lastGood;
  }

  /** Sends a message, unless the page's script is stopped. */
  post(message: ToPage): void {
    if (!this.#isListening) return;
    void this.#webview.postMessage(message.type === 'show' ? shortened(message, this.#posted) : message);
    if (message.type !== 'show') return;
    this.#posted = message;
    this.#completeStep();
  }

  /** Shows the error of an action above the prompt. */
  readonly fail = (error: unknown): void => {
    const text = errorMessage(error);
    this.#log(text);
    this.post({ type: 'problem', text });
  };

  /** Shows a composition, of the same skill or of another one. */
  present(composed: ComposedSkill, locked: boolean): void {
    const { result, uri } = composed.reply;
    if (uri !== this.uri) this.#lastGood = undefined;
    if (result.ok) this.#lastGood = result.composition;
    this.#show = { type: 'show', serial: (this.#show?.serial ?? 0) + 1, locked, ...composed };
    this.post(this.#show);
  }

  setLocked(locked: boolean): void {
    if (this.#show) this.#show = { ...this.#show, locked };
    this.post({ type: 'locked', locked });
  }

  /** Changes the URI of the shown skill, whose file was renamed. The page receives it when it is sent the whole `show`. */
  rename(uri: string): void {
    if (this.#show) this.#show = { ...this.#show, reply: { ...this.#show.reply, uri } };
  }

  /** Sends the whole shown composition to a page whose script has started. */
  start(): void {
    this.#isListening = true;
    this.#posted = undefined;
    const show = this.#show;
    if (show) this.post(this.#lastGood && !show.reply.result.ok ? { ...show, lastGood: this.#lastGood } : show);
  }

  /** Sends no more messages, because the page is hidden or closed. */
  stop(): void {
    this.#isListening = false;
  }
}

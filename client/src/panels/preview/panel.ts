/** A preview panel: the skill to show, when it is composed again, and the messages of the page. */
import * as vscode from 'vscode';
import type { DebugProgress, Invocation } from '../../../../server/src/protocol.ts';
import type { SkillServer } from '../../language-server/skill-server.ts';
import { errorMessage } from '../../plain-message.ts';
import type { Models } from '../../views/testing/model/editor-model.ts';
import { SAVED_FILES, watchFiles } from '../../watch-files.ts';
import { reveal } from '../command-target.ts';
import type { FileRange } from '../kit/file-range.ts';
import { coalesce } from '../kit/schedule.ts';
import { namesFile, readMessage } from '../read-message.ts';
import { AgentSkillViews } from './agent-skill-views.ts';
import { PreviewFindings } from './findings.ts';
import { type ComposedSkill, type PreviewRequest, type Show, type ToPage, type ToPanel, toPanel } from './messages.ts';
import { ModelChoiceRun } from './model-choice.ts';
import { PreviewPage } from './page.ts';
import { comparisonProblems, type PromptDocuments } from './prompt-documents.ts';
import { composeSkill, PreviewRequests } from './requests.ts';
import { RunView } from './run-view.ts';
import { saveShownPrompt } from './save-prompt.ts';
import { saveImage, saveSample } from './save-sample.ts';
import type { Scrolling } from './scrolling.ts';
import { shownPromptOf } from './shown-prompt.ts';

/** The services that all previews of a window share. */
export interface PreviewContext {
  readonly server: SkillServer;
  readonly documents: PromptDocuments;
  readonly log: vscode.LogOutputChannel;
  readonly models: Models;
  /** The skill in the active editor, for a preview that is not locked. */
  readonly activeSkill: () => vscode.Uri | undefined;
  /** Returns the selection in the active editor if this editor shows a file of the workspace. */
  readonly cursor: () => FileRange | null;
  /** Returns the debug session of a skill. */
  readonly debugged: (skill: string | undefined) => DebugProgress | undefined;
  readonly scrolling: Pick<Scrolling, 'scrollEditors' | 'ignoreEditors'>;
}

/** The initial state of a new or restored preview. */
export interface InitialPreview {
  readonly skill: string | undefined;
  readonly locked: boolean;
  readonly asked: PreviewRequest | undefined;
}

/** The delay after which the page marks the composition as out of date. A shorter delay would flicker. */
const STALE_AFTER_MILLISECONDS = 200;

export class PreviewPanel {
  readonly panel: vscode.WebviewPanel;
  readonly #key: string;
  readonly #context: PreviewContext;
  readonly #page: PreviewPage;
  readonly #requests = new PreviewRequests();
  readonly #findings: PreviewFindings;
  readonly #modelChoice: ModelChoiceRun;
  readonly #agentSkillViews: AgentSkillViews;
  readonly #runView: RunView;
  readonly #compose: () => void;
  #locked: boolean;
  /** The skill to show; the page may still show another skill. */
  #skill: string | undefined;
  #isOutdated = true;
  /** The time of the last request to compose, as `performance.now()` returns it. */
  #requestedAt = 0;

  /** `key` identifies the preview for the server and in the log. */
  constructor(panel: vscode.WebviewPanel, key: string, initial: InitialPreview, context: PreviewContext) {
    const { server, log, models } = context;
    const { skill, asked, locked } = initial;
    this.panel = panel;
    this.#key = key;
    this.#context = context;
    this.#locked = locked;
    this.#skill = skill;
    if (skill !== undefined && asked) this.#requests.set(skill, asked);
    const page = new PreviewPage(panel.webview, (text) => log.debug(`${key}: ${text}`));
    this.#page = page;
    this.#findings = new PreviewFindings(page);
    this.#modelChoice = new ModelChoiceRun(server, models, page);
    this.#agentSkillViews = new AgentSkillViews(server, page, (view, request) =>
      this.#modelChoice.compare(view, request),
    );
    this.#runView = new RunView(server, page, key, context.debugged);
    this.#compose = coalesce(
      () => this.#composeSkill(),
      (error) => this.#failToCompose(error),
    );
    const refreshIfShown = (uri: vscode.Uri): void => {
      if (uri.toString() === this.#skill) this.refresh();
    };
    const saved = watchFiles(...SAVED_FILES);
    const listeners = [
      saved,
      saved.event((file) => {
        if (this.#skill !== undefined && isBeside(file, this.#skill)) this.refresh();
      }),
      this.#findings,
      this.#modelChoice,
      this.#agentSkillViews,
      panel.webview.onDidReceiveMessage((sent: unknown) => {
        const message = readMessage(toPanel, sent);
        if (message) void this.#onMessage(message).catch(page.fail);
        else log.warn(`${key}: the page sent an invalid message.`);
      }),
      panel.onDidChangeViewState(() => {
        if (!panel.visible) page.stop();
      }),
      server.onTextSent(refreshIfShown),
      server.onComposableChanged(() => this.refresh()),
      vscode.workspace.onDidRenameFiles((event) => this.#followRename(event)),
      // Closing a document discards its unsaved changes.
      vscode.workspace.onDidCloseTextDocument(({ uri }) => refreshIfShown(uri)),
    ];
    panel.onDidDispose(() => {
      page.stop();
      this.#skill = undefined;
      for (const listener of listeners) listener.dispose();
    });
    this.#setTitle();
    // Request the composition now, while the page loads.
    this.#compose();
  }

  get isLocked(): boolean {
    return this.#locked;
  }

  /** The URI of the skill that is shown or requested. */
  get skill(): string | undefined {
    return this.#skill;
  }

  post(message: ToPage): void {
    this.#page.post(message);
  }

  /**
   * Shows a skill, composed with `asked` if it is given. If the file is not a skill, the page keeps showing the
   * previous skill.
   */
  show(skill: vscode.Uri, asked?: PreviewRequest): void {
    const uri = skill.toString();
    if (asked) this.#requests.set(uri, asked);
    if (uri === this.#page.uri) this.post({ type: 'notSkill', name: null });
    if (uri === this.#skill && !asked && this.#page.show && !this.#isOutdated) return;
    this.#skill = uri;
    this.#setTitle();
    this.refresh();
  }

  /** Shows a note that the active file is not a skill. */
  showNoSkill(file: vscode.Uri): void {
    this.#skill = this.#page.uri;
    this.post(this.#page.show ? { type: 'notSkill', name: baseName(file) } : { type: 'empty' });
  }

  /** Requests the composition again. */
  refresh(): void {
    this.#isOutdated = true;
    // If the page is hidden, the request is sent when it becomes visible.
    if (this.panel.visible) this.#compose();
  }

  /** Saves the shown prompt of a sample as the expected prompt of its test. */
  async keepPrompt(): Promise<void> {
    const { show } = this.#page;
    if (show && (await saveShownPrompt(show.reply.uri, show.asked)) === 'edit')
      this.post({ type: 'focus', what: 'input' });
  }

  /** Shows the debug session of the shown skill in the tab *Run*, or its end. */
  followDebugging(): void {
    this.#runView.followDebugging();
  }

  async #composeSkill(): Promise<void> {
    const skill = this.#skill;
    if (skill === undefined) return;
    this.#isOutdated = false;
    this.#requestedAt = performance.now();
    const stale = setTimeout(() => this.post({ type: 'stale' }), STALE_AFTER_MILLISECONDS);
    try {
      const composed = await composeSkill(this.#context.server, this.#requests, skill, this.#key);
      // If the skill or the request has changed, the next request is already scheduled.
      if (composed === 'superseded' || skill !== this.#skill) return;
      if (composed === null) await this.#showMissing(skill);
      else this.#present(composed);
    } catch (error) {
      if (skill === this.#skill) this.#failToCompose(error);
    } finally {
      clearTimeout(stale);
    }
  }

  #present(composed: ComposedSkill): void {
    const { uri } = composed.reply;
    const isOther = uri !== this.#page.uri;
    if (isOther) {
      this.#agentSkillViews.forget();
      this.#modelChoice.forget();
    }
    this.#page.present(composed, this.#locked);
    this.#setTitle();
    this.#runView.followDebugging();
    this.#findings.send();
    if (isOther) void this.#sendComparable(uri).catch(this.#page.fail);
  }

  /** Marks the shown composition as out of date. It is requested again when the page or the skill is shown again. */
  #failToCompose(error: unknown): void {
    const reason = errorMessage(error);
    this.#context.log.debug(`${this.#key}: ${reason}`);
    this.#isOutdated = true;
    this.post({ type: 'stale', reason });
  }

  async #showMissing(skill: string): Promise<void> {
    const file = vscode.Uri.parse(skill);
    // After a reload of the window, the server may not have read the file yet, so the skill to show does not change.
    if (this.#page.show === undefined) this.post({ type: 'empty' });
    else if (this.#page.uri !== skill) this.showNoSkill(file);
    else {
      const isDeleted = !(await exists(file));
      this.#isOutdated = true;
      if (this.#page.uri === skill && this.#skill === skill) this.post({ type: 'gone', isDeleted });
    }
  }

  /** Follows the shown skill when its file, or a folder that contains it, was renamed. */
  #followRename({ files }: vscode.FileRenameEvent): void {
    const skill = this.#skill;
    const renamed = files.flatMap(({ oldUri, newUri }) => newPathOf(skill, oldUri, newUri) ?? [])[0];
    if (skill === undefined || renamed === undefined) return;
    this.#requests.rename(skill, renamed);
    if (this.#page.uri === skill) this.#page.rename(renamed);
    this.#skill = renamed;
    this.#isOutdated = true;
    if (this.#page.isListening) this.#onReady();
  }

  #setLocked(locked: boolean): void {
    this.#locked = locked;
    this.#page.setLocked(locked);
    this.#setTitle();
    const active = this.#context.activeSkill();
    if (!locked && active) this.show(active);
  }

  #setTitle(): void {
    const file = this.#skill === undefined ? undefined : baseName(vscode.Uri.parse(this.#skill));
    this.panel.title = titleOf(this.#page.show?.reply.name ?? file, this.#locked);
  }

  /** Sends everything to a page whose script has started. */
  #onReady(): void {
    const { uri } = this.#page;
    this.#page.start();
    if (uri !== undefined) {
      this.#runView.repeat();
      this.#findings.send();
      void this.#sendComparable(uri).catch(this.#page.fail);
      this.#modelChoice.repeat();
    }
    if (uri === undefined && this.#skill === undefined) this.post({ type: 'empty' });
    this.post({ type: 'cursor', place: this.#context.cursor(), scroll: false });
    if (this.#isOutdated) this.#compose();
  }

  async #onMessage(message: ToPanel): Promise<void> {
    const { scrolling, log } = this.#context;
    const { show, lastGood } = this.#page;
    switch (message.type) {
      case 'ready':
        return this.#onReady();
      case 'close':
        return this.panel.dispose();
      case 'newSkill':
        return void vscode.commands.executeCommand('skillComposer.newSkill');
      case 'lock':
        return this.#setLocked(message.locked);
      case 'scrolled':
        return scrolling.scrollEditors(message.place);
      case 'reveal': {
        // The page can open only files that it shows.
        const shown = [show?.reply, lastGood, this.#agentSkillViews.sent, this.#modelChoice.sent];
        if (!namesFile(shown, message.place.uri)) return;
        scrolling.ignoreEditors();
        return reveal(message.place, message.focus);
      }
      case 'painted':
        if (message.serial !== show?.serial) return;
        return log.trace(
          `${this.#key}: painted ${(performance.now() - this.#requestedAt).toFixed(1)} ms after the request`,
        );
      default:
        if (show) await this.#onSkillMessage(message, show);
    }
  }

  /** Receives a message about the shown skill. */
  async #onSkillMessage(message: SkillMessage, { asked, reply }: Show): Promise<void> {
    const { documents } = this.#context;
    const { uri, name } = reply;
    switch (message.type) {
      case 'compose':
        this.#requests.set(uri, message.asked);
        return this.refresh();
      case 'saveSample':
        return this.#saveSample(uri, message.name, message.invocation);
      case 'keepPrompt':
        return this.keepPrompt();
      case 'openJson':
        return documents.openJson(uri, name, asked);
      case 'compare':
        return documents.compare(uri, name, asked, message.with);
      case 'menuOpened':
        return this.#sendComparable(uri);
      case 'chooseClients':
        return void vscode.commands.executeCommand('skillComposer.chooseClients', vscode.Uri.parse(uri));
      case 'askClients':
        return this.#agentSkillViews.sendClients();
      case 'askChosen':
        return this.#agentSkillViews.sendChosen({
          ...(asked.client !== undefined && { client: asked.client }),
          ...(asked.arguments !== undefined && { arguments: asked.arguments }),
          ...(message.request !== undefined && { request: message.request }),
        });
      case 'askModel':
        return this.#modelChoice.ask(message);
      case 'keepCase':
        return this.#agentSkillViews.keepCase(message.request, message.should);
      case 'stopModel':
        return this.#modelChoice.stop();
      case 'askAbilities':
        return this.#agentSkillViews.sendAbilities();
      case 'prepareRun':
        return this.#runView.prepare();
      case 'run':
        return this.#runView.sendRun(message.answered);
      case 'copyPrompt':
        await vscode.env.clipboard.writeText(shownPromptOf(reply.result, this.#page.lastGood)?.prompt ?? '');
        return this.post({ type: 'copied' });
      case 'fix':
        return this.#findings.applyFix(message.finding);
      case 'exportImage':
        return saveImage(uri, message.format, message.data);
      default:
        return message satisfies never;
    }
  }

  async #sendComparable(uri: string): Promise<void> {
    this.post({ type: 'comparable', ...(await comparisonProblems(vscode.Uri.parse(uri))) });
  }

  async #saveSample(skill: string, name: string, invocation: Invocation): Promise<void> {
    const saved = await saveSample(this.#context.server, skill, name, invocation);
    if (saved === undefined) return;
    if ('problem' in saved) return this.post({ type: 'saveRefused', problem: saved.problem });
    const without = this.#requests.get(skill)?.without ?? [];
    this.#requests.set(skill, { sample: saved.name, without }, invocation);
    this.refresh();
  }
}

/** The messages that the panel ignores until it shows a skill. */
type SkillMessage = Exclude<
  ToPanel,
  { type: 'ready' | 'close' | 'newSkill' | 'lock' | 'scrolled' | 'reveal' | 'painted' }
>;

const exists = (file: vscode.Uri): Promise<boolean> =>
  Promise.resolve(vscode.workspace.fs.stat(file)).then(
    () => true,
    () => false,
  );

/** Returns the new URI of a skill after a file or folder was renamed; undefined if this does not affect the skill. */
function newPathOf(skill: string | undefined, from: vscode.Uri, to: vscode.Uri): string | undefined {
  if (skill === from.toString()) return to.toString();
  return skill?.startsWith(`${from}/`) ? `${to}${skill.slice(from.toString().length)}` : undefined;
}

/** Returns whether a saved prompt or a recorded output, or the folder of these, is beside a skill. */
const isBeside = (file: vscode.Uri, skill: string): boolean =>
  file.toString().replace(/\/__(?:prompts|outputs)__(?:\/[^/]*)?$/, '') === skill.replace(/\/[^/]*$/, '');

const baseName = ({ path }: vscode.Uri): string => path.replace(/^.*\//, '');

/** Returns the title of the tab. Brackets mark a locked preview, as in other previews of the editor. */
function titleOf(name: string | undefined, locked: boolean): string {
  if (name === undefined) return vscode.l10n.t('Skill Preview');
  return locked ? vscode.l10n.t('[Preview] {0}', name) : vscode.l10n.t('Preview {0}', name);
}
